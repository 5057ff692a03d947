//! Conversions: reading objects, decay, promotions, usual arithmetic conversions, assignments, casts.

use glassbox_values::{Float, RoundingMode};

use super::Checker;
use crate::diagnostics::{TypeProblem, TypeWarning};
use crate::span::Span;
use crate::tree::{Category, Conversion, ExprId, ExprKind, FieldRef, Origin, Unsupported};
use crate::ty::kind::{FloatKind, IntKind, TypeId, TypeKind};
use crate::ty::table::TypeTable;

impl Checker<'_> {
    /// The value of an expression: objects are read, arrays and functions become pointers.
    pub(crate) fn value(&mut self, expr: ExprId) -> ExprId {
        let (ty, span) = (self.ty(expr), self.span(expr));
        match self.category(expr) {
            Category::Value => {
                // A member of array type of a returned struct: it decays like any array.
                if self.program.types.is_array(ty) {
                    return self.decay(expr, ty, span);
                }
                expr
            }
            Category::Function => {
                // `*pointer` as a function decays to the pointer itself.
                if let ExprKind::Deref(pointer) = self.program.expr(expr).kind {
                    return pointer;
                }
                let pointer = self.program.types.pointer_to(ty);
                self.convert_node(Conversion::FunctionDecay, expr, pointer, span)
            }
            Category::Place if self.program.types.is_array(ty) => self.decay(expr, ty, span),
            Category::Place if self.program.types.is_void(ty) => {
                self.convert_node(Conversion::ToVoid, expr, TypeTable::VOID, span)
            }
            Category::Place => {
                if !self.require_complete(ty, span) {
                    return self.error_node(span);
                }
                let unqualified = self.program.types.unqualified(ty);
                self.convert_node(Conversion::Load, expr, unqualified, span)
            }
        }
    }

    fn decay(&mut self, expr: ExprId, ty: TypeId, span: Span) -> ExprId {
        let element = self.program.types.element(ty).unwrap_or(TypeTable::ERROR);
        let pointer = self.program.types.pointer_to(element);
        self.convert_node(Conversion::ArrayDecay, expr, pointer, span)
    }

    /// Reports an incomplete type; `true` if fine.
    pub(crate) fn require_complete(&mut self, ty: TypeId, span: Span) -> bool {
        if self.program.types.is_complete(ty) {
            return true;
        }
        let ty = self.show(ty);
        self.error(TypeProblem::Incomplete { ty }, span);
        false
    }

    /// The value, which must not be void.
    pub(crate) fn real_value(&mut self, expr: ExprId) -> ExprId {
        let expr = self.value(expr);
        if self.program.types.is_void(self.ty(expr)) {
            self.error(TypeProblem::VoidValue, self.span(expr));
            return self.error_node(self.span(expr));
        }
        expr
    }

    /// A conversion node; implicit, since casts mark themselves afterwards.
    pub(crate) fn convert_node(
        &mut self,
        conversion: Conversion,
        operand: ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let from = self.ty(operand);
        let is_value = self.category(operand) == Category::Value;
        if is_value
            && conversion != Conversion::ToVoid
            && let Some(what) = self.unmodeled(from)
        {
            return self.unsupported(what, ty, span);
        }
        let kind = ExprKind::Convert { conversion, operand, origin: Origin::Implicit };
        self.value_node(kind, ty, span)
    }

    /// Width of the bit-field that a value was just read from.
    pub(crate) fn bit_field_width(&self, expr: ExprId) -> Option<u8> {
        let mut member = expr;
        if let ExprKind::Convert { conversion: Conversion::Load, operand, .. } =
            self.program.expr(expr).kind
        {
            member = operand;
        }
        let ExprKind::Member { field, .. } = self.program.expr(member).kind else { return None };
        field.bits.map(|bits| bits.width)
    }

    /// The type after integer promotion of a value (C11 6.3.1.1p2). Bit-fields promote by their width;
    /// one wider than `int` keeps its declared type.
    fn promoted_type(&self, expr: ExprId) -> Option<TypeId> {
        let kind = self.int_kind_of(expr)?;
        if let Some(width) = self.bit_field_width(expr) {
            if width < 32 || (width == 32 && kind.is_signed()) {
                return Some(TypeTable::INT);
            }
            if width == 32 {
                return Some(TypeTable::UINT);
            }
        }
        if kind.rank() < IntKind::Int.rank() {
            return Some(TypeTable::INT);
        }
        Some(TypeTable::int_id(kind))
    }

    /// The integer promotions; other types stay.
    pub(crate) fn promote(&mut self, expr: ExprId) -> ExprId {
        match self.promoted_type(expr) {
            Some(ty) => self.convert_scalar(expr, ty),
            None => expr,
        }
    }

    /// The default argument promotions.
    pub(crate) fn promote_argument(&mut self, expr: ExprId) -> ExprId {
        if self.program.types.float_kind(self.ty(expr)) == Some(FloatKind::Float) {
            return self.convert_scalar(expr, TypeTable::DOUBLE);
        }
        self.promote(expr)
    }

    /// The usual arithmetic conversions (C11 6.3.1.8) on two arithmetic values.
    pub(crate) fn usual_arithmetic(
        &mut self,
        left: ExprId,
        right: ExprId,
    ) -> (ExprId, ExprId, TypeId) {
        let ty = self.common_type(left, right);
        (self.convert_scalar(left, ty), self.convert_scalar(right, ty), ty)
    }

    fn common_type(&mut self, left: ExprId, right: ExprId) -> TypeId {
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        if self.program.types.is_error(left_ty) || self.program.types.is_error(right_ty) {
            return TypeTable::ERROR;
        }
        let rank = |c: &Checker<'_>, ty| {
            let (TypeKind::Float(kind) | TypeKind::Complex(kind)) = *c.program.types.kind(ty)
            else {
                return None;
            };
            let is_complex = matches!(c.program.types.kind(ty), TypeKind::Complex(_));
            Some((float_rank(kind), kind, is_complex))
        };
        match (rank(self, left_ty), rank(self, right_ty)) {
            (None, None) => {}
            (Some(a), None) | (None, Some(a)) => return self.float_type(a.1, a.2),
            (Some(a), Some(b)) => {
                let kind = if a.0 >= b.0 { a.1 } else { b.1 };
                return self.float_type(kind, a.2 || b.2);
            }
        }
        let kind = |c: &Checker<'_>, e| {
            c.promoted_type(e).and_then(|ty| c.program.types.int_kind(ty)).unwrap_or(IntKind::Int)
        };
        TypeTable::int_id(common_int(kind(self, left), kind(self, right)))
    }

    fn float_type(&mut self, kind: FloatKind, is_complex: bool) -> TypeId {
        let kind = if is_complex { TypeKind::Complex(kind) } else { TypeKind::Float(kind) };
        self.program.types.intern(kind)
    }

    /// Converts a scalar value to a scalar type, whatever the rules of assignment say. Constants are
    /// converted here.
    pub(crate) fn convert_scalar(&mut self, expr: ExprId, ty: TypeId) -> ExprId {
        let from = self.ty(expr);
        if from == ty || self.program.types.is_error(from) || self.program.types.is_error(ty) {
            return expr;
        }
        let span = self.span(expr);
        if let Some(folded) = self.convert_literal(expr, ty, span) {
            return folded;
        }
        let types = &self.program.types;
        let conversion = if types.is_bool(ty) {
            Conversion::ToBool
        } else if types.is_integer(from) {
            match types.kind(ty) {
                TypeKind::Pointer(_) => Conversion::IntToPointer,
                TypeKind::Float(_) | TypeKind::Complex(_) => Conversion::IntToFloat,
                TypeKind::Void
                | TypeKind::Int(_)
                | TypeKind::Enum(_)
                | TypeKind::Array { .. }
                | TypeKind::Record(_)
                | TypeKind::Function(_)
                | TypeKind::Vector { .. }
                | TypeKind::Error => Conversion::IntToInt,
            }
        } else if types.is_pointer(from) {
            if types.is_pointer(ty) {
                Conversion::PointerToPointer
            } else {
                Conversion::PointerToInt
            }
        } else if types.is_integer(ty) {
            Conversion::FloatToInt
        } else {
            Conversion::FloatToFloat
        };
        self.convert_node(conversion, expr, ty, span)
    }

    /// A literal in another arithmetic type.
    fn convert_literal(&mut self, expr: ExprId, ty: TypeId, span: Span) -> Option<ExprId> {
        if let Some(text) = self.extended.get(&expr) {
            let format = self.program.types.float_kind(ty)?.format()?;
            let value = Float::parse_extended(text, format).ok()?;
            return Some(self.float(value, ty, span));
        }
        let ExprKind::Int(value) = self.program.expr(expr).kind else { return None };
        let kind = self.int_kind_of(expr)?;
        if let Some(target) = self.program.types.int_kind(ty) {
            let value = if target == IntKind::Bool {
                glassbox_values::Bits::new(u128::from(!value.is_zero()), 8)
            } else {
                value.resize(target.width(), kind.signedness())
            };
            return Some(self.int(value, ty, span));
        }
        let format = self.program.types.float_kind(ty)?.format()?;
        let value = Float::from_int(value, kind.signedness(), format, RoundingMode::NearestEven);
        Some(self.float(value, ty, span))
    }

    /// Converts a value as by assignment to an object of type `target` (C11 6.5.16.1): argument passing,
    /// initialization and `return` use the same rules. Accepts what gcc accepts with a warning.
    pub(crate) fn convert_assign(&mut self, expr: ExprId, target: TypeId) -> ExprId {
        let expr = self.value(expr);
        let (from, span) = (self.ty(expr), self.span(expr));
        let target = self.program.types.unqualified(target);
        if from == target || self.is_error(expr) || self.program.types.is_error(target) {
            return expr;
        }
        let types = &self.program.types;
        if types.is_arithmetic(target) && types.is_arithmetic(from) {
            return self.convert_scalar(expr, target);
        }
        let is_vector = |ty| matches!(types.kind(ty), TypeKind::Vector { .. });
        if is_vector(target) || is_vector(from) {
            return self.unsupported(Unsupported::Vector, target, span);
        }
        if types.is_pointer(target) {
            return self.convert_to_pointer(expr, from, target);
        }
        if types.is_pointer(from) && types.is_integer(target) {
            if !types.is_bool(target) {
                let (from, to) = (self.show(from), self.show(target));
                self.warn(TypeWarning::IntegerFromPointer { from, to }, span);
            }
            return self.convert_scalar(expr, target);
        }
        if types.record_of(target).is_some() && types.compatible_across(from, target) {
            return self.convert_node(Conversion::Same, expr, target, span);
        }
        if let Some(converted) = self.convert_to_transparent_union(expr, target) {
            return converted;
        }
        let problem = if types_void(self, from) {
            TypeProblem::VoidValue
        } else {
            TypeProblem::BadConversion { from: self.show(from), to: self.show(target) }
        };
        self.error(problem, span);
        self.error_node(span)
    }

    fn convert_to_pointer(&mut self, expr: ExprId, from: TypeId, target: TypeId) -> ExprId {
        let span = self.span(expr);
        if self.is_null_constant(expr) {
            return self.convert_node(Conversion::NullToPointer, expr, target, span);
        }
        let types = &self.program.types;
        if types.is_integer(from) {
            let (from, to) = (self.show(from), self.show(target));
            self.warn(TypeWarning::PointerFromInteger { from, to }, span);
            return self.convert_scalar(expr, target);
        }
        let (Some(source), Some(pointee)) = (types.pointee(from), types.pointee(target)) else {
            let problem =
                TypeProblem::BadConversion { from: self.show(from), to: self.show(target) };
            self.error(problem, span);
            return self.error_node(span);
        };
        let is_void = types.is_void(source) || types.is_void(pointee);
        if !is_void && !self.pointees_agree(source, pointee) {
            let (from, to) = (self.show(from), self.show(target));
            self.warn(TypeWarning::IncompatiblePointers { from, to }, span);
        } else if !types.qualifiers(pointee).includes(types.qualifiers(source)) {
            // Dropping a qualifier is accepted everywhere; only const is worth a word.
            if types.qualifiers(source).is_const && !types.qualifiers(pointee).is_const {
                let to = self.show(target);
                self.warn(TypeWarning::DiscardsQualifiers { to }, span);
            }
        }
        self.convert_scalar(expr, target)
    }

    /// Compatible apart from qualifiers; gcc distinguishes `char *` and `unsigned char *` only in a
    /// warning that is off by default, so signedness does not count.
    pub(crate) fn pointees_agree(&self, left: TypeId, right: TypeId) -> bool {
        let types = &self.program.types;
        if types.compatible_unqualified(left, right) {
            return true;
        }
        match (types.int_kind(left), types.int_kind(right)) {
            (Some(a), Some(b)) => a.to_unsigned() == b.to_unsigned(),
            _ => {
                let element = |ty| types.element(ty);
                match (element(left), element(right)) {
                    (Some(a), Some(b)) => self.pointees_agree(a, b),
                    _ => false,
                }
            }
        }
    }

    /// The same apart from qualifiers and signedness at every level: fine to compare pointers to.
    pub(crate) fn pointees_comparable(&self, left: TypeId, right: TypeId) -> bool {
        let types = &self.program.types;
        match (types.pointee(left), types.pointee(right)) {
            (Some(left), Some(right)) => self.pointees_comparable(left, right),
            _ => self.pointees_agree(left, right),
        }
    }

    /// glibc declares some parameters as a union of pointers marked transparent: any member will do.
    fn convert_to_transparent_union(&mut self, expr: ExprId, target: TypeId) -> Option<ExprId> {
        let record = self.program.types.record_of(target)?;
        if !self.links.is_transparent_union(record) {
            return None;
        }
        let from = self.ty(expr);
        let is_null = self.is_null_constant(expr);
        let types = &self.program.types;
        let fields = &types.record_body(record)?.fields;
        let index = fields.iter().position(|field| {
            let same_pointer = match (types.pointee(field.ty), types.pointee(from)) {
                (Some(a), Some(b)) => {
                    types.compatible_unqualified(a, b) || types.is_void(a) || types.is_void(b)
                }
                _ => false,
            };
            same_pointer || types.compatible_unqualified(field.ty, from) || is_null
        })?;
        let member_ty = fields[index].ty;
        let field = FieldRef { index: u32::try_from(index).ok()?, offset: 0, bits: None };
        let member = self.convert_assign(expr, member_ty);
        let span = self.span(expr);
        Some(self.convert_node(Conversion::ToUnion { field }, member, target, span))
    }

    /// `(ty) expr`.
    pub(crate) fn cast(&mut self, ty: TypeId, expr: ExprId, span: Span) -> ExprId {
        let types = &self.program.types;
        if types.is_void(ty) {
            let out = self.convert_node(Conversion::ToVoid, expr, TypeTable::VOID, span);
            return self.mark_explicit(out);
        }
        let expr = self.value(expr);
        let from = self.ty(expr);
        if self.is_error(expr) || self.program.types.is_error(ty) {
            return self.error_node(span);
        }
        let target = self.program.types.unqualified(ty);
        let types = &self.program.types;
        if types.record_of(target).is_some() {
            return self.cast_to_record(target, expr, span);
        }
        let is_literal = self.extended.contains_key(&expr) && types.float_kind(target).is_some();
        let unmodeled_source = self.unmodeled(from).filter(|_| !is_literal);
        if let Some(what) = self.unmodeled(target).or(unmodeled_source) {
            return self.unsupported(what, target, span);
        }
        let bad_pair = (types.is_pointer(target) && types.float_kind(from).is_some())
            || (types.is_pointer(from) && types.float_kind(target).is_some());
        if !types.is_scalar(target) || !types.is_scalar(from) || bad_pair {
            let (from, to) = (self.show(from), self.show(target));
            self.error(TypeProblem::BadCast { from, to }, span);
            return self.error_node(span);
        }
        let out = if types.is_pointer(target) && self.is_null_constant(expr) {
            self.convert_node(Conversion::NullToPointer, expr, target, span)
        } else {
            self.convert_scalar(expr, target)
        };
        if out == expr {
            // A cast to the same type still ends bit-field promotion and stays visible.
            let out = self.convert_node(Conversion::Same, expr, target, span);
            return self.mark_explicit(out);
        }
        self.program.expr_mut(out).span = span;
        self.mark_explicit(out)
    }

    fn cast_to_record(&mut self, target: TypeId, expr: ExprId, span: Span) -> ExprId {
        let from = self.ty(expr);
        if self.program.types.compatible_unqualified(from, target) {
            return expr;
        }
        // GNU: a cast to a union type from the type of one of its members.
        let types = &self.program.types;
        let body = types.record_of(target).filter(|_| types.is_union(target));
        let fields = body.and_then(|id| types.record_body(id)).map(|body| &body.fields);
        let index = fields.and_then(|fields| {
            fields.iter().position(|field| types.compatible_unqualified(field.ty, from))
        });
        let Some(index) = index.and_then(|index| u32::try_from(index).ok()) else {
            let (from, to) = (self.show(from), self.show(target));
            self.error(TypeProblem::BadCast { from, to }, span);
            return self.error_node(span);
        };
        let field = FieldRef { index, offset: 0, bits: None };
        let out = self.convert_node(Conversion::ToUnion { field }, expr, target, span);
        self.mark_explicit(out)
    }

    fn mark_explicit(&mut self, expr: ExprId) -> ExprId {
        if let ExprKind::Convert { origin, .. } = &mut self.program.expr_mut(expr).kind {
            *origin = Origin::Explicit;
        }
        expr
    }

    /// A null pointer constant: an integer constant 0, or one cast to `void *`.
    pub(crate) fn is_null_constant(&self, expr: ExprId) -> bool {
        let node = self.program.expr(expr);
        if self.program.types.is_integer(node.ty) {
            return self.is_integer_constant(expr)
                && self.integer_constant(expr).is_some_and(|v| v.is_zero());
        }
        let ExprKind::Convert {
            conversion: Conversion::NullToPointer,
            operand,
            origin: Origin::Explicit,
        } = node.kind
        else {
            return false;
        };
        let to_void = self.program.types.pointee(node.ty);
        to_void == Some(TypeTable::VOID) && self.program.types.is_integer(self.ty(operand))
    }
}

fn types_void(checker: &Checker<'_>, ty: TypeId) -> bool {
    checker.program.types.is_void(ty)
}

const fn float_rank(kind: FloatKind) -> u8 {
    match kind {
        FloatKind::Float16 => 0,
        FloatKind::Float => 1,
        FloatKind::Float32 => 2,
        FloatKind::Double => 3,
        FloatKind::Float64 => 4,
        FloatKind::LongDouble => 5,
        FloatKind::Float128 => 6,
    }
}

/// The common type of two promoted integer types.
pub(crate) fn common_int(a: IntKind, b: IntKind) -> IntKind {
    if a == b {
        return a;
    }
    if a.is_signed() == b.is_signed() {
        return if a.rank() >= b.rank() { a } else { b };
    }
    let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
    if unsigned.rank() >= signed.rank() {
        unsigned
    } else if signed.size() > unsigned.size() {
        signed
    } else {
        signed.to_unsigned()
    }
}
