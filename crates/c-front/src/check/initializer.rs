//! Initializers: designators, brace elision and strings become a flat list of stores.
//!
//! Follows C11 6.7.9. A list is walked with a cursor; an aggregate without braces of its own takes as
//! many entries as it has places and hands the rest back.

use rustc_hash::FxHashMap;

use super::Checker;
use super::constant::NotConstant;
use crate::diagnostics::{TypeProblem, TypeWarning};
use crate::names::Name;
use crate::span::Span;
use crate::tree::{
    Constant, ExprId, ExprKind, Init, InitItem, InitValue, Repeat, Storage, StringId, Unsupported,
    VariableRole,
};
use crate::ty::kind::{ArrayLength, TypeId, TypeKind};
use crate::ty::record::{BitField, RecordId, RecordKind};

/// An initializer as written, its expressions checked.
#[derive(Debug, Clone)]
pub(crate) enum Written {
    Expr(ExprId),
    List(Vec<WrittenEntry>, Span),
}

#[derive(Debug, Clone)]
pub(crate) struct WrittenEntry {
    pub(crate) designators: Vec<Designator>,
    pub(crate) value: Written,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Designator {
    Field(Name, Span),
    /// `[first ... last]`.
    Index {
        first: u64,
        last: u64,
        span: Span,
    },
}

/// Collects the stores of one object.
pub(super) struct Builder {
    pub(super) items: Vec<InitItem>,
    repeats: Vec<Repeat>,
    storage: Storage,
    /// Members of unions that were set so far, by the place of the union.
    chosen: FxHashMap<(u64, RecordId), usize>,
    /// How many of the items were looked at, and where the last byte of these ends.
    pub(super) reached: (usize, u64),
}

/// A position in a list of entries.
struct Cursor<'w> {
    entries: &'w [WrittenEntry],
    at: usize,
}

impl<'w> Cursor<'w> {
    fn peek(&self) -> Option<&'w WrittenEntry> {
        self.entries.get(self.at)
    }
}

/// A piece of the object: its type, place and, for bit-fields, bits.
#[derive(Clone, Copy)]
struct Piece {
    ty: TypeId,
    /// For a bit-field: of the record that holds it.
    offset: u64,
    bits: Option<BitField>,
}

/// A list for something that earlier entries were about: they are gone, and nothing of them is kept.
const BEGUN_ANEW: InitValue = InitValue::Unsupported(Unsupported::OverriddenInitializer);

impl Checker<'_> {
    /// Checks an initializer for an object of type `ty`; gives it with the completed type.
    pub(crate) fn initializer(
        &mut self,
        ty: TypeId,
        written: &Written,
        storage: Storage,
    ) -> (Init, TypeId) {
        let (items, repeats, chosen) = (Vec::new(), Vec::new(), FxHashMap::default());
        let mut builder = Builder { items, repeats, storage, chosen, reached: (0, 0) };
        if self.program.types.is_error(ty) {
            return (Init::Items(Vec::new()), ty);
        }
        let piece = Piece { ty, offset: 0, bits: None };
        if let Written::Expr(expr) = written
            && !self.program.types.is_array(ty)
        {
            if self.copy_literal(&mut builder, piece, *expr) {
                return (Init::Items(builder.items), ty);
            }
            let value = self.init_value(*expr, ty, storage);
            return (Init::Value(value), ty);
        }
        let completed = self.init_object(&mut builder, piece, written);
        self.refuse_overridden(&mut builder.items);
        (Init::Items(builder.items), completed)
    }

    /// The value stored in a scalar or record piece.
    fn init_value(&mut self, expr: ExprId, ty: TypeId, storage: Storage) -> InitValue {
        let expr = self.kept_value(expr, ty);
        match storage {
            Storage::Automatic => InitValue::Expr(expr),
            Storage::Static => {
                self.static_constants = true;
                let value = self.evaluate(expr);
                self.static_constants = false;
                match value {
                    Ok(Constant::Int(value)) if self.program.types.is_bool(ty) => {
                        InitValue::Constant(Constant::Int(
                            value.resize(8, glassbox_values::Signedness::Unsigned),
                        ))
                    }
                    Ok(value) => InitValue::Constant(value),
                    Err(NotConstant::Unsupported(what)) => InitValue::Unsupported(what),
                    Err(why) => self.static_copy(expr, &why),
                }
            }
        }
    }

    /// A static record initialized from another constant object is GNU C, and not modeled.
    fn static_copy(&mut self, expr: ExprId, why: &NotConstant) -> InitValue {
        let is_record = self.program.types.record_of(self.ty(expr)).is_some();
        if !is_record {
            self.report_not_constant(why, TypeProblem::NotConstant);
        }
        InitValue::Unsupported(Unsupported::NonConstantInitializer)
    }

    fn push_item(&mut self, builder: &mut Builder, piece: Piece, value: InitValue, span: Span) {
        let item = self.item(builder, piece, value, span);
        builder.items.push(item);
    }

    fn item(&mut self, builder: &Builder, piece: Piece, value: InitValue, span: Span) -> InitItem {
        InitItem {
            offset: piece.offset,
            ty: self.program.types.unqualified(piece.ty),
            bits: piece.bits,
            repeats: builder.repeats.clone().into(),
            value,
            span,
        }
    }

    /// The string literal that an array of this type can be initialized from.
    fn string_for(&self, ty: TypeId, written: &Written) -> Option<StringId> {
        let expr = match written {
            Written::Expr(expr) => *expr,
            Written::List(entries, _) => match entries.as_slice() {
                [WrittenEntry { designators, value: Written::Expr(expr), .. }]
                    if designators.is_empty() =>
                {
                    *expr
                }
                _ => return None,
            },
        };
        let ExprKind::String(id) = self.program.expr(expr).kind else { return None };
        let element = self.program.types.element(ty)?;
        let kind = self.program.types.int_kind(element)?;
        let size = self.program.string(id).element_size;
        (kind.width() / 8 == size).then_some(id)
    }

    fn init_string(
        &mut self,
        builder: &mut Builder,
        piece: Piece,
        id: StringId,
        span: Span,
    ) -> TypeId {
        let mut ty = piece.ty;
        if let TypeKind::Array { element, length } = *self.program.types.kind(ty) {
            let string = self.program.string(id);
            let own = u64::try_from(string.bytes.len()).unwrap_or(u64::MAX)
                / u64::from(string.element_size.max(1));
            match length {
                ArrayLength::Unknown => {
                    ty = self.program.types.array_of(element, ArrayLength::Fixed(own));
                }
                // Only the terminating zero may be cut off.
                ArrayLength::Fixed(n) if n + 1 < own => {
                    self.warn(TypeWarning::ExcessInitializers, span);
                }
                ArrayLength::Fixed(_) | ArrayLength::Variable(_) | ArrayLength::Star => {}
            }
        }
        self.push_item(builder, Piece { ty, ..piece }, InitValue::String(id), span);
        ty
    }

    /// Initializes a whole (sub-)object from what is written for it; gives its completed type.
    fn init_object(&mut self, builder: &mut Builder, piece: Piece, written: &Written) -> TypeId {
        let ty = piece.ty;
        let span = match written {
            Written::Expr(expr) => self.span(*expr),
            Written::List(_, span) => *span,
        };
        if self.program.types.is_array(ty) {
            if let Some(id) = self.string_for(ty, written) {
                return self.init_string(builder, piece, id, span);
            }
            if let Written::Expr(expr) = written {
                return self.init_array_from_expr(builder, piece, *expr);
            }
        }
        if let TypeKind::Vector { .. } = self.program.types.kind(ty) {
            let value = InitValue::Unsupported(Unsupported::Vector);
            self.push_item(builder, piece, value, span);
            return ty;
        }
        let Written::List(entries, _) = written else {
            if let Written::Expr(expr) = written {
                self.init_leaf(builder, piece, *expr, span);
            }
            return ty;
        };
        let mut cursor = Cursor { entries, at: 0 };
        if self.is_aggregate(ty) {
            if !self.program.types.is_array(ty) && !self.require_complete(ty, span) {
                return ty;
            }
            let completed = self.fill(builder, piece, &mut cursor, Braces::Own, None);
            self.report_excess(&cursor);
            return completed;
        }
        // Braces around a scalar.
        if let Some(entry) = cursor.peek() {
            if let Some(designator) = entry.designators.first() {
                let ty = self.show(ty);
                self.error(TypeProblem::BadDesignator { ty }, designator.span());
            }
            cursor.at += 1;
            self.init_object(builder, piece, &entry.value);
            self.report_excess(&cursor);
        }
        ty
    }

    fn report_excess(&mut self, cursor: &Cursor<'_>) {
        if let Some(entry) = cursor.peek() {
            self.warn(TypeWarning::ExcessInitializers, entry.span);
        }
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        self.program.types.is_array(ty) || self.program.types.record_of(ty).is_some()
    }

    /// A scalar or record piece set from an expression.
    fn init_leaf(&mut self, builder: &mut Builder, piece: Piece, expr: ExprId, span: Span) {
        if !self.copy_literal(builder, piece, expr) {
            let value = self.init_value(expr, piece.ty, builder.storage);
            self.push_item(builder, piece, value, span);
        }
    }

    /// GNU: a static object initialized from a compound literal of its type takes its content.
    fn copy_literal(&mut self, builder: &mut Builder, piece: Piece, expr: ExprId) -> bool {
        if builder.storage == Storage::Automatic || piece.bits.is_some() {
            return false;
        }
        let Some(init) = self.literal_content(expr, piece.ty) else { return false };
        match init {
            Init::Value(value) => {
                let value = self.constant_value(value);
                self.push_item(builder, piece, value, self.span(expr));
            }
            Init::Items(items) => self.copy_items(builder, piece, items),
        }
        true
    }

    fn copy_items(&mut self, builder: &mut Builder, piece: Piece, items: Vec<InitItem>) {
        for item in items {
            let value = match builder.storage {
                Storage::Static => self.constant_value(item.value),
                Storage::Automatic => item.value,
            };
            let repeats = builder.repeats.iter().chain(&item.repeats).copied().collect();
            let offset = item.offset + piece.offset;
            builder.items.push(InitItem { offset, value, repeats, ..item });
        }
    }

    /// A literal's value as a static object needs it.
    fn constant_value(&mut self, value: InitValue) -> InitValue {
        let InitValue::Expr(expr) = value else { return value };
        match self.evaluate(expr) {
            Ok(value) => InitValue::Constant(value),
            Err(NotConstant::Unsupported(what)) => InitValue::Unsupported(what),
            Err(why) => {
                self.report_not_constant(&why, TypeProblem::NotConstant);
                InitValue::Unsupported(Unsupported::NonConstantInitializer)
            }
        }
    }

    /// The initializer of a compound literal of a type compatible with `ty`.
    fn literal_content(&self, expr: ExprId, ty: TypeId) -> Option<Init> {
        let kind = &self.program.expr(expr).kind;
        let init = if let ExprKind::CompoundLiteral { init, .. } = kind {
            init
        } else if let ExprKind::Variable(id) = kind
            && self.program.variable(*id).role == VariableRole::CompoundLiteral
        {
            self.program.variable(*id).init.as_ref()?
        } else {
            return None;
        };
        self.program.types.compatible_unqualified(self.ty(expr), ty).then(|| init.clone())
    }

    /// GNU: an array initialized from a compound literal of array type takes its content.
    fn init_array_from_expr(
        &mut self,
        builder: &mut Builder,
        piece: Piece,
        expr: ExprId,
    ) -> TypeId {
        if let Some(Init::Items(items)) = self.literal_content(expr, piece.ty) {
            self.copy_items(builder, piece, items);
            return self.ty(expr);
        }
        if !self.is_error(expr) {
            let ty = self.show(piece.ty);
            self.error(TypeProblem::InitializerType { ty }, self.span(expr));
        }
        piece.ty
    }

    /// Fills an aggregate. `pending` holds designators of the current entry that lead into it; an empty
    /// slice means that they are used up.
    fn fill(
        &mut self,
        builder: &mut Builder,
        piece: Piece,
        cursor: &mut Cursor<'_>,
        braces: Braces,
        pending: Option<&[Designator]>,
    ) -> TypeId {
        if self.program.types.is_array(piece.ty) {
            return self.fill_array(builder, piece, cursor, braces, pending);
        }
        self.fill_record(builder, piece, cursor, braces, pending);
        piece.ty
    }

    /// The array's type, with the length that its initializer gives it.
    fn fill_array(
        &mut self,
        builder: &mut Builder,
        piece: Piece,
        cursor: &mut Cursor<'_>,
        braces: Braces,
        mut pending: Option<&[Designator]>,
    ) -> TypeId {
        let TypeKind::Array { element, length } = *self.program.types.kind(piece.ty) else {
            return piece.ty;
        };
        let limit = match length {
            ArrayLength::Fixed(n) => n,
            ArrayLength::Unknown => u64::MAX,
            ArrayLength::Variable(_) | ArrayLength::Star => 0,
        };
        let size = self.program.types.size_of(element).unwrap_or(0);
        let (mut index, mut most) = (0u64, 0u64);
        while let Some(entry) = cursor.peek() {
            let designators = match pending.take() {
                Some(designators) => designators,
                None if entry.designators.is_empty() => &[],
                None if braces == Braces::None => break,
                None => &entry.designators,
            };
            let mut count = 1;
            let rest = match designators {
                [Designator::Index { first, last, span }, rest @ ..] => {
                    if *last >= limit {
                        self.error(TypeProblem::DesignatorRange, *span);
                        cursor.at += 1;
                        continue;
                    }
                    index = *first;
                    count = last - first + 1;
                    rest
                }
                [Designator::Field(_, span), ..] => {
                    let ty = self.show(piece.ty);
                    self.error(TypeProblem::BadDesignator { ty }, *span);
                    cursor.at += 1;
                    continue;
                }
                [] if index >= limit => break,
                [] => designators,
            };
            let before = cursor.at;
            let offset = index.checked_mul(size).and_then(|bytes| piece.offset.checked_add(bytes));
            let Some(offset) = offset else {
                self.error(TypeProblem::ArrayTooLarge, entry.span);
                cursor.at += 1;
                continue;
            };
            if count > 1 {
                builder.repeats.push(Repeat { count, stride: size });
            }
            self.fill_piece(builder, Piece { ty: element, offset, bits: None }, cursor, rest);
            if count > 1 {
                builder.repeats.pop();
            }
            if cursor.at == before {
                // An element without members takes nothing: never loop on it.
                cursor.at += 1;
            }
            index = index.saturating_add(count);
            most = most.max(index);
        }
        match length {
            ArrayLength::Unknown => self.program.types.array_of(element, ArrayLength::Fixed(most)),
            ArrayLength::Fixed(_) | ArrayLength::Variable(_) | ArrayLength::Star => piece.ty,
        }
    }

    fn fill_record(
        &mut self,
        builder: &mut Builder,
        piece: Piece,
        cursor: &mut Cursor<'_>,
        braces: Braces,
        mut pending: Option<&[Designator]>,
    ) {
        let Some(record) = self.program.types.record_of(piece.ty) else { return };
        let is_union = self.program.types.record(record).kind == RecordKind::Union;
        let mut index = 0usize;
        let mut is_full = false;
        while let Some(entry) = cursor.peek() {
            let designators = match pending.take() {
                Some(designators) => designators,
                None if entry.designators.is_empty() => &[],
                None if braces == Braces::None => break,
                None => &entry.designators,
            };
            let rest = match designators {
                [Designator::Field(name, span), rest @ ..] => {
                    let mut path = Vec::new();
                    let types = &self.program.types;
                    if !super::member::find_member(types, record, *name, &mut path) {
                        let (ty, name) = (self.show(piece.ty), self.name_text(*name));
                        self.error(TypeProblem::NoMember { ty, name }, *span);
                        cursor.at += 1;
                        continue;
                    }
                    index = path[0] as usize;
                    is_full = false;
                    // A member of an anonymous member: descend with the same designator.
                    if path.len() > 1 { designators } else { rest }
                }
                [Designator::Index { span, .. }, ..] => {
                    let ty = self.show(piece.ty);
                    self.error(TypeProblem::BadDesignator { ty }, *span);
                    cursor.at += 1;
                    continue;
                }
                [] => designators,
            };
            let body = self.program.types.record_body(record);
            let fields = body.map_or(&[][..], |body| &body.fields);
            // Unnamed bit-fields are padding.
            while fields.get(index).is_some_and(|f| f.name.is_none() && f.bits.is_some()) {
                index += 1;
            }
            let Some(field) = fields.get(index).filter(|_| !is_full) else { break };
            let inner = match field.bits {
                Some(_) => Piece { ty: field.ty, offset: piece.offset, bits: field.bits },
                None => Piece { ty: field.ty, offset: piece.offset + field.offset, bits: None },
            };
            let before = cursor.at;
            if is_union {
                self.choose_member(builder, piece, (record, index), entry.span);
            }
            self.fill_piece(builder, inner, cursor, rest);
            if cursor.at == before && !designators.is_empty() {
                // A designated member without members of its own: never loop on it.
                cursor.at += 1;
            }
            index += 1;
            is_full = is_union;
        }
    }

    /// What is left of another member of a union that was set before is left to compilers.
    fn choose_member(
        &mut self,
        builder: &mut Builder,
        piece: Piece,
        (record, index): (RecordId, usize),
        span: Span,
    ) {
        let before = builder.chosen.insert((piece.offset, record), index);
        if before.is_some_and(|before| before != index) {
            let value = InitValue::Unsupported(Unsupported::OverriddenInitializer);
            self.push_item(builder, piece, value, span);
        }
    }

    /// Initializes one element or member from the current entry.
    fn fill_piece(
        &mut self,
        builder: &mut Builder,
        piece: Piece,
        cursor: &mut Cursor<'_>,
        designators: &[Designator],
    ) {
        let Some(entry) = cursor.peek() else { return };
        if !designators.is_empty() {
            if !self.is_aggregate(piece.ty) {
                let ty = self.show(piece.ty);
                self.error(TypeProblem::BadDesignator { ty }, entry.span);
                cursor.at += 1;
                return;
            }
            self.fill(builder, piece, cursor, Braces::None, Some(designators));
            return;
        }
        let expr = match &entry.value {
            Written::List(..) => {
                cursor.at += 1;
                let anew = self.item(builder, piece, BEGUN_ANEW, entry.span);
                // Scalars in braces are items like others.
                let is_begun = self.is_aggregate(piece.ty) && self.is_begun(builder, &anew);
                self.init_object(builder, piece, &entry.value);
                builder.items.extend(is_begun.then_some(anew));
                return;
            }
            Written::Expr(expr) => *expr,
        };
        if self.is_aggregate(piece.ty) {
            if self.string_for(piece.ty, &entry.value).is_some() {
                cursor.at += 1;
                self.init_object(builder, piece, &entry.value);
                return;
            }
            let is_record = self.program.types.record_of(piece.ty).is_some();
            let same = self.program.types.compatible_unqualified(self.ty(expr), piece.ty);
            if !(is_record && same) {
                self.fill(builder, piece, cursor, Braces::None, Some(&[]));
                return;
            }
        }
        cursor.at += 1;
        self.init_leaf(builder, piece, expr, entry.span);
    }
}

/// Whether an aggregate has its own braces in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Braces {
    Own,
    None,
}

impl Designator {
    fn span(self) -> Span {
        match self {
            Designator::Field(_, span) | Designator::Index { span, .. } => span,
        }
    }
}
