//! Places that expressions read and write, as far as it matters whether two of them may be the same.

use rustc_hash::FxHashSet;

use crate::tree::{
    AddressBase, Constant, Conversion, ExprId, ExprKind, FieldRef, FunctionId, Init, InitValue,
    Program, VariableId,
};
use crate::ty::kind::{IntKind, TypeId, TypeKind};
use crate::ty::record::RecordId;

/// Bits of an object, from the first to the one behind the last.
pub(super) type Part = (u64, u64);

/// All of an object.
const WHOLE: Part = (0, u64::MAX);

/// Where something is read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Variable {
        id: VariableId,
        part: Part,
    },
    /// Behind a pointer: what kind of value, and in which member of which record.
    Behind {
        class: Class,
        member: Option<(u32, Part)>,
    },
    /// How far a stream was read.
    Stream,
    Errno,
}

/// Values that are never seen in the same memory (C11 6.5p7), except as characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Anything,
    /// As a character it may be more than 0 or 1, which is no value of its type.
    Bool,
    Int(u64),
    Float(u64),
    Pointer,
}

impl Place {
    pub(super) const ANYWHERE: Place = Place::Behind { class: Class::Anything, member: None };

    /// Whether it is seen without a type of its own.
    pub(super) fn is_of_bytes(self) -> bool {
        matches!(self, Place::Behind { class: Class::Anything, member: None })
    }

    /// Whether both may be the same memory; `addressed` are the variables that pointers may lead to.
    pub(super) fn meets(self, other: Place, addressed: &FxHashSet<VariableId>) -> bool {
        match (self, other) {
            (Place::Variable { id, part }, Place::Variable { id: other, part: its }) => {
                id == other && overlap(part, its)
            }
            (Place::Variable { id, .. }, Place::Behind { .. })
            | (Place::Behind { .. }, Place::Variable { id, .. }) => addressed.contains(&id),
            (
                Place::Behind { class, member },
                Place::Behind { class: its_class, member: its_member },
            ) => {
                let is_any = |class| matches!(class, Class::Anything | Class::Bool);
                let are_alike = class == its_class || is_any(class) || is_any(its_class);
                let are_apart = matches!((member, its_member), (Some((record, part)), Some((other, its)))
                    if record == other && !overlap(part, its));
                are_alike && !are_apart
            }
            (Place::Stream, Place::Stream) | (Place::Errno, Place::Errno) => true,
            (Place::Stream | Place::Errno, _) | (_, Place::Stream | Place::Errno) => false,
        }
    }
}

impl Program {
    /// Whether nothing but their types says that a store to the one leaves the other alone. Members of one structure are at
    /// different places of it, whatever their types are.
    pub(super) fn only_types_part(
        &self,
        stored: Place,
        other: Place,
        is_exposed: &dyn Fn(VariableId) -> bool,
    ) -> bool {
        let Place::Behind { class, member } = stored else { return false };
        let is_any = |class| matches!(class, Class::Anything | Class::Bool);
        match other {
            Place::Behind { class: its_class, member: its_member } => {
                let records = member.zip(its_member).map(|((a, _), (b, _))| (a, b));
                let are_of_one = records.is_some_and(|(a, b)| a == b);
                let are_of_two = records.is_some_and(|(a, b)| a != b);
                let is_any = |class, member: Option<(u32, Part)>| {
                    is_any(class) && member.is_none_or(|(_, part)| part != WHOLE)
                };
                let are_any = is_any(class, member) || is_any(its_class, its_member);
                !are_of_one && (are_of_two || !are_any && class != its_class)
            }
            Place::Variable { id, .. } => {
                let its_class = self.class_of(self.variable(id).ty);
                is_exposed(id) && !is_any(class) && !is_any(its_class) && class != its_class
            }
            Place::Stream | Place::Errno => false,
        }
    }
}

fn overlap(part: Part, other: Part) -> bool {
    part.0 < other.1 && other.0 < part.1
}

impl Program {
    /// The place that an expression denotes; `None` for what no one else can change.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other expressions denote no object")]
    pub(super) fn place_of(&self, id: ExprId) -> Option<Place> {
        let expr = self.expr(id);
        match &expr.kind {
            ExprKind::Variable(variable) | ExprKind::CompoundLiteral { variable, .. } => {
                Some(Place::Variable { id: *variable, part: WHOLE })
            }
            ExprKind::Member { base, field } => {
                let ty = self.expr(*base).ty;
                let is_union = self.types.is_union(ty);
                match self.place_of(*base)? {
                    Place::Variable { id, part } => {
                        let part = self.member_part(part, *field, expr.ty);
                        Some(Place::Variable { id, part })
                    }
                    Place::Behind { .. } => {
                        let record = self.types.record_of(ty).filter(|_| !is_union);
                        let part = self.member_part(WHOLE, *field, expr.ty);
                        let member = record.map(|RecordId(number)| (number, part));
                        Some(Place::Behind { class: self.class_of(expr.ty), member })
                    }
                    other @ (Place::Stream | Place::Errno) => Some(other),
                }
            }
            ExprKind::Deref(pointer) => Some(self.place_behind(*pointer)),
            // Literals never change, and values belong to one owner.
            _ => None,
        }
    }

    /// The place that a pointer leads to.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other pointers come from anywhere")]
    pub(super) fn place_behind(&self, pointer: ExprId) -> Place {
        let expr = self.expr(pointer);
        let behind = || {
            let target = self.types.pointee(expr.ty);
            let class = target.map_or(Class::Anything, |target| self.class_of(target));
            Place::Behind { class, member: None }
        };
        match &expr.kind {
            ExprKind::Convert { conversion: Conversion::ArrayDecay, operand, .. }
            | ExprKind::AddressOf(operand) => self.place_of(*operand).unwrap_or_else(behind),
            ExprKind::Convert { conversion: Conversion::PointerToPointer, operand, .. } => {
                match self.place_behind(*operand) {
                    known @ Place::Variable { .. } => known,
                    Place::Behind { .. } | Place::Stream | Place::Errno => behind(),
                }
            }
            ExprKind::PointerAdd { pointer: base, index, .. } => {
                match (self.place_behind(*base), &self.expr(*index).kind) {
                    (Place::Variable { id, part: (start, _) }, ExprKind::Int(bits)) => {
                        let target = self.types.pointee(expr.ty);
                        let size = target.and_then(|ty| self.types.size_of(ty)).unwrap_or(0);
                        let at = bits.to_u64().and_then(|index| index.checked_mul(size * 8));
                        let start = at.and_then(|at| start.checked_add(at));
                        let part = start.map(|start| (start, start.saturating_add(size * 8)));
                        Place::Variable { id, part: part.unwrap_or(WHOLE) }
                    }
                    (Place::Variable { id, part }, _) => Place::Variable { id, part },
                    (Place::Behind { .. } | Place::Stream | Place::Errno, _) => behind(),
                }
            }
            _ => behind(),
        }
    }

    fn member_part(&self, whole: Part, field: FieldRef, ty: TypeId) -> Part {
        let (first, width) = match field.bits {
            Some(bits) => (bits.bit_offset, u64::from(bits.width)),
            None => (0, self.types.size_of(ty).map_or(u64::MAX, |size| size.saturating_mul(8))),
        };
        let start = whole.0.saturating_add(field.offset.saturating_mul(8)).saturating_add(first);
        // A flexible array has no end of its own.
        let width = if width == 0 { u64::MAX } else { width };
        (start, start.saturating_add(width))
    }

    fn class_of(&self, ty: TypeId) -> Class {
        let size = self.types.size_of(ty).unwrap_or(0);
        match self.types.kind(ty) {
            TypeKind::Int(IntKind::Bool) => Class::Bool,
            TypeKind::Int(_) | TypeKind::Enum(_) if size > 1 => Class::Int(size),
            TypeKind::Float(_) => Class::Float(size),
            TypeKind::Pointer(_) => Class::Pointer,
            TypeKind::Array { .. } => {
                self.types.element(ty).map_or(Class::Anything, |element| self.class_of(element))
            }
            TypeKind::Int(_)
            | TypeKind::Enum(_)
            | TypeKind::Complex(_)
            | TypeKind::Vector { .. }
            | TypeKind::Record(_)
            | TypeKind::Function(_)
            | TypeKind::Void
            | TypeKind::Error => Class::Anything,
        }
    }

    /// What a pointer leads to that becomes one to bytes.
    pub(super) fn becomes_bytes(&self, pointer: ExprId, to: TypeId) -> Option<Place> {
        let target = self.types.pointee(to)?;
        let is_bytes = matches!(self.types.kind(target), TypeKind::Void)
            || matches!(self.types.kind(target), TypeKind::Int(_))
                && self.types.size_of(target) == Some(1);
        let Place::Behind { class, member } = self.place_behind(pointer) else { return None };
        let from = self.types.pointee(self.expr(pointer).ty)?;
        // All of a structure, which is apart from others.
        let record = self.types.record_of(from).filter(|_| !self.types.is_union(from));
        let member = record.map(|RecordId(number)| (number, WHOLE)).or(member);
        is_bytes.then_some(Place::Behind { class, member })
    }

    /// Whether two types of pointers lead to values that are never seen in the same memory.
    pub(super) fn are_apart(&self, ty: TypeId, other: TypeId) -> bool {
        let class = |ty| self.types.pointee(ty).map_or(Class::Anything, |to| self.class_of(to));
        let (class, its) = (class(ty), class(other));
        let are_special = class == Class::Bool || its == Class::Bool;
        class != its && (are_special || class != Class::Anything && its != Class::Anything)
    }

    /// Whether a place of a truth value is a part of a union, where it may hold a number that is none.
    pub(super) fn may_be_no_truth(&self, place: ExprId) -> bool {
        let mut at = place;
        let (mut is_in_union, mut is_bit) = (false, false);
        while let ExprKind::Member { base, field } = &self.expr(at).kind {
            // A bit is a truth value, whatever it holds.
            is_bit |= at == place && field.bits.is_some();
            at = *base;
            is_in_union |= self.types.is_union(self.expr(at).ty);
        }
        is_in_union && !is_bit && self.class_of(self.expr(place).ty) == Class::Bool
    }

    /// Whether a pointer to a structure with truth values becomes one to its bytes, which may be made no truth values.
    pub(super) fn shows_truth_as_bytes(&self, from: TypeId, to: TypeId) -> bool {
        let (Some(from), Some(to)) = (self.types.pointee(from), self.types.pointee(to)) else {
            return false;
        };
        let is_byte = matches!(self.types.kind(to), TypeKind::Int(_))
            && self.types.size_of(to) == Some(1)
            && self.class_of(to) != Class::Bool;
        is_byte && self.types.record_of(from).is_some() && self.has_truth(from)
    }

    /// Whether a call sets all bytes of something with truth values, and not to zero.
    pub(super) fn fills_truth(&self, function: FunctionId, arguments: &[ExprId]) -> bool {
        let known = glassbox_library::find(self.name(self.function(function).name));
        let is_fill =
            known.is_some_and(|known| known.row.operator == Some(glassbox_library::Operator::Fill));
        let &[mut target, value, _] = arguments else { return false };
        while let ExprKind::Convert { conversion: Conversion::PointerToPointer, operand, .. } =
            self.expr(target).kind
        {
            target = operand;
        }
        let filled = self.types.pointee(self.expr(target).ty);
        let is_zero = matches!(&self.expr(value).kind, ExprKind::Int(number) if number.is_zero());
        is_fill && !is_zero && filled.is_some_and(|ty| self.has_truth(ty))
    }

    /// Whether a type has truth values in it that take up bytes of their own.
    fn has_truth(&self, ty: TypeId) -> bool {
        if self.class_of(ty) == Class::Bool {
            return true;
        }
        if let Some(element) = self.types.element(ty) {
            return self.has_truth(element);
        }
        let body = self.types.record_of(ty).and_then(|record| self.types.record_body(record));
        let fields = body.into_iter().flat_map(|body| &body.fields);
        fields.filter(|field| field.bits.is_none()).any(|field| self.has_truth(field.ty))
    }

    /// Addresses that variables of static storage start with.
    pub(super) fn addresses_in_initializers(&self) -> impl Iterator<Item = AddressBase> {
        let inits = self.variables.iter().filter_map(|variable| variable.init.as_ref());
        let values = inits.flat_map(|init| match init {
            Init::Value(value) => vec![value],
            Init::Items(items) => items.iter().map(|item| &item.value).collect(),
        });
        values.filter_map(|value| match value {
            InitValue::Constant(Constant::Address { base, .. }) => Some(*base),
            InitValue::Constant(Constant::Int(_) | Constant::Float(_))
            | InitValue::Expr(_)
            | InitValue::String(_)
            | InitValue::Unsupported(_) => None,
        })
    }

    /// Variables whose address is anything but the way to one of their elements.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other expressions take no address")]
    pub(super) fn addressed_variables(&self) -> FxHashSet<VariableId> {
        let in_initializers = self.addresses_in_initializers().filter_map(|base| match base {
            AddressBase::Variable(variable) => Some(variable),
            AddressBase::Function(_) | AddressBase::String(_) | AddressBase::Label(_) => None,
        });
        let mut addressed: FxHashSet<VariableId> = in_initializers.collect();
        // Arrays that decay only to be indexed at once.
        let mut indexed: FxHashSet<ExprId> = FxHashSet::default();
        for expr in &self.exprs {
            if let ExprKind::Deref(pointer) = expr.kind {
                indexed.insert(pointer);
                if let ExprKind::PointerAdd { pointer, .. } = self.expr(pointer).kind {
                    indexed.insert(pointer);
                }
            }
        }
        for (number, expr) in (0u32..).zip(&self.exprs) {
            let operand = match &expr.kind {
                ExprKind::AddressOf(operand) => *operand,
                ExprKind::Convert { conversion: Conversion::ArrayDecay, operand, .. }
                    if !indexed.contains(&ExprId(number)) =>
                {
                    *operand
                }
                _ => continue,
            };
            if let Some(Place::Variable { id, .. }) = self.place_of(operand) {
                addressed.insert(id);
            }
        }
        addressed
    }
}
