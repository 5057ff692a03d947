//! Questions about a type: its size, its class, what it points to.

use glassbox_ir::PointerSize;
use glassbox_values::{Machine, Signedness};

use super::kind::{ArrayLength, FloatKind, FunctionType, IntKind, TypeId, TypeKind};
use super::record::{RecordId, RecordKind};
use super::table::TypeTable;
use crate::tree::VariableId;

impl TypeTable {
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// What a pointer takes.
    pub fn pointers(&self) -> PointerSize {
        if self.machine.word_size() == 4 { PointerSize::Four } else { PointerSize::Eight }
    }

    /// `long`, which is as large as pointers.
    pub fn long_kind(&self) -> IntKind {
        match self.pointers() {
            PointerSize::Four => IntKind::Long32,
            PointerSize::Eight => IntKind::Long,
        }
    }

    /// `ptrdiff_t`; `size_t` is its unsigned twin.
    pub fn difference_kind(&self) -> IntKind {
        match self.pointers() {
            PointerSize::Four => IntKind::Int,
            PointerSize::Eight => IntKind::Long,
        }
    }

    pub fn size_type(&self) -> TypeId {
        TypeTable::int_id(self.difference_kind().to_unsigned())
    }

    /// `wchar_t`.
    pub fn wide_character_kind(&self) -> IntKind {
        if self.machine == Machine::I386 {
            IntKind::Long32
        } else if self.machine.has_unsigned_wide_characters() {
            IntKind::UnsignedInt
        } else {
            IntKind::Int
        }
    }

    /// `long double`: where it is a `double`, a type of its own with that format.
    pub fn long_double_kind(&self) -> FloatKind {
        if self.machine.long_double_size() == 8 {
            FloatKind::Float64
        } else {
            FloatKind::LongDouble
        }
    }

    /// Size in bytes of a floating type.
    pub fn float_size(&self, kind: FloatKind) -> u64 {
        match kind {
            FloatKind::LongDouble => self.machine.long_double_size(),
            FloatKind::Float16
            | FloatKind::Float
            | FloatKind::Float32
            | FloatKind::Double
            | FloatKind::Float64
            | FloatKind::Float128 => kind.size(),
        }
    }

    /// Size in bytes of a complete type of constant size. GNU: 1 for `void` and functions. `None` for
    /// incomplete types and for arrays of variable length.
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        match *self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => Some(1),
            TypeKind::Int(kind) => Some(kind.size()),
            TypeKind::Float(kind) => Some(self.float_size(kind)),
            TypeKind::Complex(kind) => Some(2 * self.float_size(kind)),
            TypeKind::Enum(id) => Some(self.enumeration(id).underlying?.size()),
            TypeKind::Pointer(_) => Some(self.machine.word_size()),
            TypeKind::Array { element, length: ArrayLength::Fixed(n) } => {
                self.size_of(element)?.checked_mul(n)
            }
            TypeKind::Array { .. } => None,
            TypeKind::Record(id) => Some(self.record_body(id)?.size),
            TypeKind::Vector { bytes, .. } => Some(bytes),
            TypeKind::Error => None,
        }
    }

    /// Alignment in bytes; 1 where the type has none.
    pub fn align_of(&self, ty: TypeId) -> u64 {
        match *self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) | TypeKind::Error => 1,
            TypeKind::Int(kind) => self.machine.number_align(kind.size()),
            TypeKind::Float(kind) | TypeKind::Complex(kind) => {
                self.machine.number_align(self.float_size(kind))
            }
            TypeKind::Enum(id) => {
                let kind = self.enumeration(id).underlying;
                kind.map_or(1, |kind| self.machine.number_align(kind.size()))
            }
            TypeKind::Pointer(_) => self.machine.word_size(),
            TypeKind::Array { element, .. } => self.align_of(element),
            TypeKind::Record(id) => self.record_body(id).map_or(1, |body| body.align),
            TypeKind::Vector { bytes, .. } => bytes,
        }
    }

    /// The integer type that represents `ty`: integer types themselves and complete enums.
    pub fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match *self.kind(ty) {
            TypeKind::Int(kind) => Some(kind),
            TypeKind::Enum(id) => self.enumeration(id).underlying,
            TypeKind::Void
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Pointer(_)
            | TypeKind::Array { .. }
            | TypeKind::Record(_)
            | TypeKind::Function(_)
            | TypeKind::Vector { .. }
            | TypeKind::Error => None,
        }
    }

    pub fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        let TypeKind::Float(kind) = *self.kind(ty) else { return None };
        Some(kind)
    }

    /// Signedness of an integer or enum type.
    pub fn signedness(&self, ty: TypeId) -> Option<Signedness> {
        self.int_kind(ty).map(IntKind::signedness)
    }

    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Int(_) | TypeKind::Enum(_))
    }

    pub fn is_bool(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Int(IntKind::Bool))
    }

    /// Integer, floating or complex.
    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        matches!(
            self.kind(ty),
            TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Float(_) | TypeKind::Complex(_)
        )
    }

    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    pub fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Void)
    }

    pub fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Array { .. })
    }

    pub fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Function(_))
    }

    pub fn is_error(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Error)
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        let TypeKind::Pointer(target) = *self.kind(ty) else { return None };
        Some(target)
    }

    /// Whether objects of the type hold pointers to functions, not behind other pointers.
    pub fn has_function_pointer(&self, ty: TypeId) -> bool {
        if let Some(target) = self.pointee(ty) {
            return self.is_function(target);
        }
        if let Some(element) = self.element(ty) {
            return self.has_function_pointer(element);
        }
        let body = self.record_of(ty).and_then(|record| self.record_body(record));
        body.is_some_and(|body| body.fields.iter().any(|it| self.has_function_pointer(it.ty)))
    }

    /// Whether lengths in the type are known only while the program runs.
    pub fn has_variable_length(&self, mut ty: TypeId) -> bool {
        loop {
            ty = match *self.kind(ty) {
                TypeKind::Pointer(target) => target,
                TypeKind::Array {
                    length: ArrayLength::Variable(_) | ArrayLength::Star, ..
                } => {
                    return true;
                }
                TypeKind::Array { element, .. } => element,
                TypeKind::Void
                | TypeKind::Int(_)
                | TypeKind::Float(_)
                | TypeKind::Complex(_)
                | TypeKind::Enum(_)
                | TypeKind::Record(_)
                | TypeKind::Function(_)
                | TypeKind::Vector { .. }
                | TypeKind::Error => return false,
            };
        }
    }

    /// The element type of an array.
    pub fn element(&self, ty: TypeId) -> Option<TypeId> {
        let TypeKind::Array { element, .. } = *self.kind(ty) else { return None };
        Some(element)
    }

    pub fn function_type(&self, ty: TypeId) -> Option<&FunctionType> {
        let TypeKind::Function(function) = self.kind(ty) else { return None };
        Some(function)
    }

    /// The record of a struct or union type.
    pub fn record_of(&self, ty: TypeId) -> Option<RecordId> {
        let TypeKind::Record(id) = *self.kind(ty) else { return None };
        Some(id)
    }

    pub fn is_union(&self, ty: TypeId) -> bool {
        self.record_of(ty).is_some_and(|id| self.record(id).kind == RecordKind::Union)
    }

    /// True if an object of this type can be declared: not `void`, function, unknown length, or an
    /// undefined record. Variable length arrays are complete.
    pub fn is_complete(&self, ty: TypeId) -> bool {
        match *self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => false,
            TypeKind::Array { element, length } => {
                !matches!(length, ArrayLength::Unknown | ArrayLength::Star)
                    && self.is_complete(element)
            }
            TypeKind::Record(id) => self.record_body(id).is_some(),
            TypeKind::Enum(id) => self.enumeration(id).underlying.is_some(),
            TypeKind::Int(_)
            | TypeKind::Float(_)
            | TypeKind::Complex(_)
            | TypeKind::Pointer(_)
            | TypeKind::Vector { .. }
            | TypeKind::Error => true,
        }
    }

    /// True if the size depends on a hidden length: an array of variable length at any level.
    pub fn is_variable_length(&self, ty: TypeId) -> bool {
        let TypeKind::Array { element, length } = *self.kind(ty) else { return false };
        matches!(length, ArrayLength::Variable(_)) || self.is_variable_length(element)
    }

    /// True if it is such an array or leads to one (C11 6.7.6p3).
    pub fn is_variably_modified(&self, ty: TypeId) -> bool {
        let inner = match (self.pointee(ty), self.element(ty)) {
            (Some(inner), _) | (None, Some(inner)) => inner,
            (None, None) => return false,
        };
        self.is_variable_length(ty) || self.is_variably_modified(inner)
    }

    /// The size of a possibly variable type as `constant * product of the hidden lengths`.
    pub fn dynamic_size(&self, ty: TypeId) -> Option<(u64, Vec<VariableId>)> {
        let mut lengths = Vec::new();
        let mut factor = 1u64;
        let mut at = ty;
        while let TypeKind::Array { element, length } = *self.kind(at) {
            match length {
                ArrayLength::Fixed(n) => factor = factor.checked_mul(n)?,
                ArrayLength::Variable(variable) => lengths.push(variable),
                ArrayLength::Unknown | ArrayLength::Star => return None,
            }
            at = element;
        }
        Some((factor.checked_mul(self.size_of(at)?)?, lengths))
    }
}
