//! Structs, unions and enums: tags, members, layout.

use glassbox_values::Bits;
use glassbox_values::layout::{
    Aggregate, AggregateAttributes, BitField as LayoutBits, Layout, LayoutBuilder, Member,
};
use rustc_hash::FxHashSet;

use super::Checker;
use super::scope::Meaning;
use crate::diagnostics::{Related, TypeProblem};
use crate::names::Name;
use crate::span::Span;
use crate::tree::ExprId;
use crate::ty::kind::{ArrayLength, IntKind, TypeId, TypeKind};
use crate::ty::record::{
    BitField, Enum, EnumConstant, EnumId, Field, RecordBody, RecordId, RecordKind,
};
use crate::ty::table::TypeTable;

/// A member as it was declared.
#[derive(Debug, Clone)]
pub(crate) struct MemberDeclaration {
    pub(crate) name: Option<Name>,
    pub(crate) ty: TypeId,
    /// The constant after the colon.
    pub(crate) width: Option<ExprId>,
    pub(crate) align: Option<u64>,
    /// What the typedef of its type asks for.
    pub(crate) typedef_align: Option<u64>,
    pub(crate) is_packed: bool,
    /// An attribute that is not known to be harmless.
    pub(crate) limit: Option<Name>,
    pub(crate) span: Span,
}

/// What a whole record's attributes and pragmas ask for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RecordAttributes {
    pub(crate) is_packed: bool,
    pub(crate) align: Option<u64>,
    /// `#pragma pack`, 0 for none.
    pub(crate) pack: u64,
    pub(crate) is_transparent_union: bool,
    /// An attribute that is not known to be harmless.
    pub(crate) limit: Option<Name>,
}

/// Which of the three kinds of tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagKind {
    Record(RecordKind),
    Enum,
}

impl Checker<'_> {
    fn tag_matches(&self, ty: TypeId, kind: TagKind) -> bool {
        match (self.program.types.kind(ty), kind) {
            (TypeKind::Record(id), TagKind::Record(kind)) => {
                self.program.types.record(*id).kind == kind
            }
            (TypeKind::Enum(_), TagKind::Enum) => true,
            _ => false,
        }
    }

    fn new_tag(&mut self, kind: TagKind, name: Option<Name>, span: Span) -> TypeId {
        let ty = match kind {
            TagKind::Record(kind) => {
                TypeKind::Record(self.program.types.new_record(kind, name, span))
            }
            TagKind::Enum => TypeKind::Enum(self.program.types.new_enum(Enum {
                tag: name,
                typedef_name: None,
                span,
                underlying: None,
                constants: Vec::new(),
            })),
        };
        let ty = self.program.types.intern(ty);
        if let Some(name) = name {
            self.scopes.declare_tag(name, ty, span);
        }
        ty
    }

    /// `struct name` without a body. `declares_anew`: a lone `struct name;` hides an outer tag.
    pub(crate) fn tag_reference(
        &mut self,
        kind: TagKind,
        name: Name,
        declares_anew: bool,
        span: Span,
    ) -> TypeId {
        let found = if declares_anew {
            self.scopes.lookup_tag_here(name)
        } else {
            self.scopes.lookup_tag(name)
        };
        match found {
            Some(entry) if self.tag_matches(entry.meaning, kind) => entry.meaning,
            Some(entry) => {
                let name = self.name_text(name);
                let related = (entry.span, Related::PreviousDeclaration);
                self.error_with(TypeProblem::WrongTag { name }, span, related);
                TypeTable::ERROR
            }
            None => self.new_tag(kind, Some(name), span),
        }
    }

    /// The type that a body is about to define.
    pub(crate) fn tag_definition(
        &mut self,
        kind: TagKind,
        name: Option<Name>,
        span: Span,
    ) -> TypeId {
        let Some(name) = name else { return self.new_tag(kind, None, span) };
        match self.scopes.lookup_tag_here(name) {
            Some(entry) if !self.tag_matches(entry.meaning, kind) => {
                let name = self.name_text(name);
                let related = (entry.span, Related::PreviousDeclaration);
                self.error_with(TypeProblem::WrongTag { name }, span, related);
                self.new_tag(kind, None, span)
            }
            Some(entry) if self.program.types.is_complete(entry.meaning) => {
                let name = self.name_text(name);
                let related = (entry.span, Related::PreviousDefinition);
                self.error_with(TypeProblem::Redefinition { name }, span, related);
                self.new_tag(kind, None, span)
            }
            Some(entry) => entry.meaning,
            None => self.new_tag(kind, Some(name), span),
        }
    }

    /// Whether the alignment of its typedef counts in ways that are not followed: a typedef may ask for less than the type
    /// does, and what it asks for does not count in packed records.
    fn is_moved_by_typedef(&self, member: &MemberDeclaration, is_packed: bool) -> bool {
        let own = self.program.types.align_of(member.ty);
        member.typedef_align.is_some_and(|align| align < own || align > own && is_packed)
    }

    /// Lays out the members and completes the record.
    pub(crate) fn finish_record(
        &mut self,
        ty: TypeId,
        members: &[MemberDeclaration],
        attributes: RecordAttributes,
        span: Span,
    ) {
        let Some(id) = self.program.types.record_of(ty) else { return };
        let aligned = self.program.names.intern("aligned");
        let is_packed = attributes.is_packed || self.links.target.packs_all;
        let of_members = members.iter().find_map(|m| {
            let is_packed = is_packed || m.is_packed;
            let of_typedef = self.is_moved_by_typedef(m, is_packed).then_some(aligned);
            m.limit.or(of_typedef).or_else(|| self.record_limit(m.ty))
        });
        self.program.limits.records.extend(attributes.limit.or(of_members).map(|name| (id, name)));
        let kind = self.program.types.record(id).kind;
        if self.program.types.record_body(id).is_some() {
            // A nested definition of the same tag inside its own body.
            self.error(TypeProblem::Redefinition { name: self.show(ty) }, span);
            return;
        }
        let aggregate = match kind {
            RecordKind::Struct => Aggregate::Struct,
            RecordKind::Union => Aggregate::Union,
        };
        let mut builder = LayoutBuilder::new(
            aggregate,
            AggregateAttributes {
                packed: is_packed,
                align: attributes.align,
                max_member_align: (attributes.pack != 0).then_some(attributes.pack),
                max_closing_align: self.links.target.max_member_align,
                aligns_unnamed_bits: self.program.types.machine().aligns_unnamed_bits(),
            },
        );
        let mut body = RecordBody {
            fields: Vec::with_capacity(members.len()),
            size: 0,
            align: 1,
            has_flexible_member: false,
            has_const_member: false,
        };
        for (index, member) in members.iter().enumerate() {
            let is_last = index + 1 == members.len();
            let Some(field) = self.place_member(&mut builder, member, is_last, &mut body) else {
                continue;
            };
            body.fields.push(field);
        }
        match builder.finish() {
            Ok(layout) => (body.size, body.align) = (layout.size, layout.align),
            Err(_) => self.error(TypeProblem::ArrayTooLarge, span),
        }
        self.check_duplicate_members(&body.fields);
        self.program.types.complete_record(id, span, body);
        if attributes.is_transparent_union {
            self.links.add_transparent_union(id);
        }
    }

    /// Marks a union that a typedef's attribute makes transparent.
    pub(crate) fn make_transparent(&mut self, ty: TypeId) {
        if let Some(id) = self.program.types.record_of(ty) {
            self.links.add_transparent_union(id);
        }
    }

    fn place_member(
        &mut self,
        builder: &mut LayoutBuilder,
        member: &MemberDeclaration,
        is_last: bool,
        body: &mut RecordBody,
    ) -> Option<Field> {
        let ty = member.ty;
        let bit_field = match member.width {
            Some(width) => Some(self.bit_field_width_of(ty, width, member)?),
            None => None,
        };
        let types = &self.program.types;
        let is_flexible =
            matches!(types.kind(ty), TypeKind::Array { length: ArrayLength::Unknown, .. });
        if types.is_variable_length(ty) {
            self.error(TypeProblem::VariableLengthMember, member.span);
            return None;
        }
        if is_flexible {
            // GNU also allows it outside of the last place and in unions; the size is zero.
            body.has_flexible_member |= is_last;
        } else if !self.require_complete(ty, member.span) {
            return None;
        }
        let types = &self.program.types;
        body.has_const_member |= types.qualifiers(ty).is_const;
        if let Some(inner) = types.record_of(ty).and_then(|id| types.record_body(id)) {
            body.has_const_member |= inner.has_const_member;
            body.has_flexible_member |= inner.has_flexible_member && is_last;
        }
        let layout = Layout { size: types.size_of(ty).unwrap_or(0), align: types.align_of(ty) };
        let placed = builder.push(&Member {
            layout,
            bit_field,
            packed: member.is_packed,
            align: member.align,
        });
        let Ok(placement) = placed else {
            self.error(TypeProblem::ArrayTooLarge, member.span);
            return None;
        };
        let bits = bit_field.map(|bits| BitField {
            bit_offset: placement.byte * 8 + u64::from(placement.bit),
            width: bits.width,
        });
        Some(Field { name: member.name, ty, offset: placement.byte, bits, span: member.span })
    }

    fn bit_field_width_of(
        &mut self,
        ty: TypeId,
        width: ExprId,
        member: &MemberDeclaration,
    ) -> Option<LayoutBits> {
        let Some(kind) = self.program.types.int_kind(ty) else {
            if !self.program.types.is_error(ty) {
                let ty = self.show(ty);
                self.error(TypeProblem::BitFieldType { ty }, member.span);
            }
            return None;
        };
        let number = self.require_integer(width)?;
        let most = if kind == IntKind::Bool { 1 } else { i128::from(kind.width()) };
        let named = member.name.is_some();
        if number < 0 || number > most || (number == 0 && named) {
            let width = number.to_string();
            self.error(TypeProblem::BitFieldWidth { width }, member.span);
            return None;
        }
        Some(LayoutBits { width: u8::try_from(number).ok()?, named })
    }

    fn check_duplicate_members(&mut self, fields: &[Field]) {
        let mut seen = FxHashSet::default();
        self.collect_members(fields, &mut seen, 0);
    }

    fn collect_members(&mut self, fields: &[Field], seen: &mut FxHashSet<Name>, depth: u32) {
        for field in fields {
            if let Some(name) = field.name {
                if !seen.insert(name) {
                    let name = self.name_text(name);
                    self.error(TypeProblem::DuplicateMember { name }, field.span);
                }
            } else if field.is_anonymous_record() && depth < 100 {
                let inner = self.program.types.record_of(field.ty);
                let inner = inner.and_then(|id| self.program.types.record_body(id));
                if let Some(inner) = inner.map(|body| body.fields.clone()) {
                    self.collect_members(&inner, seen, depth + 1);
                }
            }
        }
    }

    /// The next enumerator: its value, or one more than the last.
    pub(crate) fn enumerator(
        &mut self,
        name: Name,
        value: Option<ExprId>,
        previous: Option<i128>,
        span: Span,
    ) -> i128 {
        let number = match value {
            Some(value) => self.require_integer(value).unwrap_or(0),
            None => previous.map_or(0, |last| last.saturating_add(1)),
        };
        if let Some(earlier) = self.scopes.lookup_here(name) {
            let name = self.name_text(name);
            let related = (earlier.span, Related::PreviousDefinition);
            self.error_with(TypeProblem::Redefinition { name }, span, related);
        }
        // While the list is open a constant has type int if it fits, else the first that holds it.
        let kind = enumerator_kind(self.program.types.long_kind(), number);
        let meaning = Meaning::EnumConstant {
            value: Bits::from_signed(number, kind.width()),
            ty: TypeTable::int_id(kind),
        };
        self.scopes.declare(name, meaning, span);
        number
    }

    /// Chooses the underlying type as gcc does and completes the enum.
    pub(crate) fn finish_enum(
        &mut self,
        ty: TypeId,
        values: &[(Name, i128, Span)],
        is_packed: bool,
        span: Span,
    ) {
        let TypeKind::Enum(id) = *self.program.types.kind(ty) else { return };
        let low = values.iter().map(|value| value.1).min().unwrap_or(0);
        let high = values.iter().map(|value| value.1).max().unwrap_or(0);
        let is_short = is_packed || self.links.target.enums_are_short;
        let kind = underlying_kind(self.program.types.long_kind(), low, high, is_short);
        let mut constants = Vec::with_capacity(values.len());
        for &(name, number, span) in values {
            let value = Bits::from_signed(number, kind.width());
            constants.push(EnumConstant { name, value, span });
            // Constants that do not fit int take the enum's type.
            if enumerator_kind(self.program.types.long_kind(), number) != IntKind::Int {
                let meaning = Meaning::EnumConstant { value, ty: TypeTable::int_id(kind) };
                self.scopes.declare(name, meaning, span);
            }
        }
        self.complete_enum(id, kind, constants, span);
    }

    fn complete_enum(
        &mut self,
        id: EnumId,
        kind: IntKind,
        constants: Vec<EnumConstant>,
        span: Span,
    ) {
        let enumeration = self.program.types.enum_mut(id);
        enumeration.underlying = Some(kind);
        enumeration.constants = constants;
        enumeration.span = span;
    }

    /// True if the record is still open, so that its tag can be defined.
    pub(crate) fn is_open_record(&self, id: RecordId) -> bool {
        self.program.types.record_body(id).is_none()
    }
}

fn fits(kind: IntKind, number: i128) -> bool {
    let width = u32::from(kind.width());
    if kind.is_signed() {
        -(1i128 << (width - 1)) <= number && number < 1i128 << (width - 1)
    } else {
        0 <= number && number < 1i128 << width
    }
}

fn enumerator_kind(long: IntKind, number: i128) -> IntKind {
    let kinds = [IntKind::Int, long, IntKind::LongLong].map(|kind| [kind, kind.to_unsigned()]);
    kinds.into_iter().flatten().find(|&kind| fits(kind, number)).unwrap_or(IntKind::LongLong)
}

/// gcc: the first of these that holds all values, unsigned ones first if none is negative.
fn underlying_kind(long: IntKind, low: i128, high: i128, is_packed: bool) -> IntKind {
    let packed =
        [IntKind::UnsignedChar, IntKind::SignedChar, IntKind::UnsignedShort, IntKind::Short];
    let plain = [
        IntKind::UnsignedInt,
        IntKind::Int,
        long.to_unsigned(),
        long,
        IntKind::UnsignedLongLong,
        IntKind::LongLong,
    ];
    let narrow = if is_packed { &packed[..] } else { &[] };
    let all = narrow.iter().chain(&plain).copied();
    let mut candidates = all.filter(|&kind| fits(kind, low) && fits(kind, high));
    candidates.next().unwrap_or(IntKind::LongLong)
}
