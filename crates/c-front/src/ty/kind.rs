//! What a C type can be.

use glassbox_values::Signedness;

use super::record::{EnumId, RecordId};
use crate::tree::VariableId;

/// An interned, possibly qualified type. Two identical types have the same id (records and enums are
/// identical only to themselves).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub(crate) u32);

/// The qualifiers of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    /// `_Atomic`: other threads may change it, as they may change what is volatile.
    pub is_atomic: bool,
}

impl Qualifiers {
    pub const NONE: Qualifiers =
        Qualifiers { is_const: false, is_volatile: false, is_restrict: false, is_atomic: false };

    /// All qualifiers of both.
    pub fn union(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
            is_atomic: self.is_atomic || other.is_atomic,
        }
    }

    /// True if something else than the program text at hand may change such an object: a device, a signal, a thread.
    pub fn may_change(self) -> bool {
        self.is_volatile || self.is_atomic
    }

    /// True if `self` has every qualifier of `other`.
    pub fn includes(self, other: Qualifiers) -> bool {
        self.union(other) == self
    }
}

/// A type: its kind and the qualifiers on its outermost level.
///
/// Qualifiers of an array are kept on its element type (C11 6.7.3p9), never on the array.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Type {
    pub kind: TypeKind,
    pub qualifiers: Qualifiers,
}

/// The shape of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKind {
    Void,
    /// `_Bool`, the character types and all standard and extended integer types.
    Int(IntKind),
    Float(FloatKind),
    /// `_Complex`; exists as a type, its arithmetic is unsupported.
    Complex(FloatKind),
    Enum(EnumId),
    Pointer(TypeId),
    Array {
        element: TypeId,
        length: ArrayLength,
    },
    /// A struct or union.
    Record(RecordId),
    Function(FunctionType),
    /// GNU vector type; exists so that headers pass, every use of a value is unsupported.
    Vector {
        element: TypeId,
        bytes: u64,
    },
    /// The type of an expression that was diagnosed or is unsupported; agrees with everything.
    Error,
}

/// The integer types, as gcc has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    Bool,
    /// Plain `char`: signed here, but a type of its own.
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    /// `long` of 64 bits.
    Long,
    UnsignedLong,
    /// `long` of machines with 32 bits.
    Long32,
    UnsignedLong32,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

impl IntKind {
    /// Size in bytes.
    pub const fn size(self) -> u64 {
        match self {
            IntKind::Bool | IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => 1,
            IntKind::Short | IntKind::UnsignedShort => 2,
            IntKind::Int | IntKind::UnsignedInt | IntKind::Long32 | IntKind::UnsignedLong32 => 4,
            IntKind::Long
            | IntKind::UnsignedLong
            | IntKind::LongLong
            | IntKind::UnsignedLongLong => 8,
            IntKind::Int128 | IntKind::UnsignedInt128 => 16,
        }
    }

    /// Width in bits of the object representation (8 for `_Bool`, which holds 0 or 1).
    pub const fn width(self) -> u8 {
        match self.size() {
            1 => 8,
            2 => 16,
            4 => 32,
            8 => 64,
            _ => 128,
        }
    }

    pub const fn signedness(self) -> Signedness {
        match self {
            IntKind::Char
            | IntKind::SignedChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::Long32
            | IntKind::LongLong
            | IntKind::Int128 => Signedness::Signed,
            IntKind::Bool
            | IntKind::UnsignedChar
            | IntKind::UnsignedShort
            | IntKind::UnsignedInt
            | IntKind::UnsignedLong
            | IntKind::UnsignedLong32
            | IntKind::UnsignedLongLong
            | IntKind::UnsignedInt128 => Signedness::Unsigned,
        }
    }

    pub const fn is_signed(self) -> bool {
        matches!(self.signedness(), Signedness::Signed)
    }

    /// Conversion rank (C11 6.3.1.1p1); equal for a type and its unsigned twin.
    pub const fn rank(self) -> u8 {
        match self {
            IntKind::Bool => 0,
            IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => 1,
            IntKind::Short | IntKind::UnsignedShort => 2,
            IntKind::Int | IntKind::UnsignedInt => 3,
            IntKind::Long | IntKind::UnsignedLong | IntKind::Long32 | IntKind::UnsignedLong32 => 4,
            IntKind::LongLong | IntKind::UnsignedLongLong => 5,
            IntKind::Int128 | IntKind::UnsignedInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub const fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Bool => IntKind::Bool,
            IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => IntKind::UnsignedChar,
            IntKind::Short | IntKind::UnsignedShort => IntKind::UnsignedShort,
            IntKind::Int | IntKind::UnsignedInt => IntKind::UnsignedInt,
            IntKind::Long | IntKind::UnsignedLong => IntKind::UnsignedLong,
            IntKind::Long32 | IntKind::UnsignedLong32 => IntKind::UnsignedLong32,
            IntKind::LongLong | IntKind::UnsignedLongLong => IntKind::UnsignedLongLong,
            IntKind::Int128 | IntKind::UnsignedInt128 => IntKind::UnsignedInt128,
        }
    }
}

/// The floating types. Only `Float` and `Double` have arithmetic here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// `_Float16`: 2 bytes, unsupported.
    Float16,
    Float,
    /// `_Float32`: a type of its own with `float`'s format.
    Float32,
    Double,
    /// `_Float64` or `_Float32x`: types of their own with `double`'s format.
    Float64,
    /// Of more than 64 bits: unsupported.
    LongDouble,
    /// `__float128`, `_Float128`: 16 bytes, unsupported.
    Float128,
}

impl FloatKind {
    pub const fn size(self) -> u64 {
        match self {
            FloatKind::Float16 => 2,
            FloatKind::Float | FloatKind::Float32 => 4,
            FloatKind::Double | FloatKind::Float64 => 8,
            // Of `long double`, what most machines have.
            FloatKind::LongDouble | FloatKind::Float128 => 16,
        }
    }

    /// The IEEE format if values of this type are modelled.
    pub const fn format(self) -> Option<glassbox_values::Format> {
        match self {
            FloatKind::Float | FloatKind::Float32 => Some(glassbox_values::Format::F32),
            FloatKind::Double | FloatKind::Float64 => Some(glassbox_values::Format::F64),
            FloatKind::Float16 | FloatKind::LongDouble | FloatKind::Float128 => None,
        }
    }
}

/// How many elements an array has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArrayLength {
    /// A constant number; 0 is a GNU zero-length array.
    Fixed(u64),
    /// `[]`: an incomplete type, or a flexible member when it is the last field of a struct.
    Unknown,
    /// Variable length: the hidden automatic variable (type `unsigned long`) of the enclosing function
    /// that holds the number of elements. It is set by a [`crate::tree::StmtKind::SetVlaLength`]
    /// (or [`crate::tree::ExprKind::SetVlaLength`]) that is executed before any use of the type.
    Variable(VariableId),
    /// `[*]` in a prototype, or a variable length in a prototype that is not a definition.
    Star,
}

/// A function type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub result: TypeId,
    /// Parameter types after adjustment (arrays and functions are pointers; unqualified).
    pub parameters: Box<[TypeId]>,
    pub is_variadic: bool,
    pub style: PrototypeStyle,
}

/// How a function type said its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrototypeStyle {
    /// `int f(int)`, `int f(void)`.
    Prototype,
    /// `int f()`: nothing is known of the parameters (`parameters` is empty).
    Unspecified,
    /// `int f(a) short a; {}`: parameters known from the definition but callers pass promoted values.
    /// `parameters` holds the declared (unpromoted) types.
    OldStyle,
}
