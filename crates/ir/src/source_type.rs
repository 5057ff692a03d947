//! Types as the source spells them: for inputs, tests and reports, never for execution.
//!
//! Layouts (offsets, sizes) are byte-exact, so that an input tree can be written to memory and memory
//! can be shown as an initializer.

use glassbox_values::{Format, Signedness};

use crate::id::{ClassId, SourceTypeId};

/// One type of the source program; `Program::source_types` interns them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SourceType {
    Void,
    /// C `_Bool` or Java `boolean`.
    Bool,
    /// `name` is the spelling without typedefs, such as `unsigned long`. C's `char` types are integers
    /// with `is_char`, which prefer to be shown as characters.
    Int {
        name: String,
        width: u8,
        signedness: Signedness,
        is_char: bool,
    },
    Float {
        name: String,
        format: Format,
    },
    Enum {
        name: Option<String>,
        width: u8,
        signedness: Signedness,
        constants: Vec<EnumConstant>,
    },
    Pointer {
        target: SourceTypeId,
        is_const: bool,
    },
    /// `length` is `None` for flexible members, variable lengths and incomplete arrays.
    Array {
        element: SourceTypeId,
        length: Option<u64>,
    },
    Record {
        kind: RecordKind,
        /// The tag; `None` for anonymous records, which `Named` may wrap.
        name: Option<String>,
        size: u64,
        align: u64,
        /// `None` when the record is declared and never defined.
        fields: Option<Vec<RecordField>>,
    },
    Function {
        result: SourceTypeId,
        params: Vec<SourceTypeId>,
        is_variadic: bool,
    },
    /// A typedef: the name that the program uses for `target`.
    Named {
        name: String,
        target: SourceTypeId,
    },
    /// A JVM class, interface or type variable's bound.
    Class(ClassId),
    /// A JVM array.
    ClassArray {
        element: SourceTypeId,
    },
    /// A type that is known by name and size only (`long double`, `va_list`, …).
    Opaque {
        name: String,
        size: u64,
        align: u64,
    },
}

/// What a reference of the JVM may refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    Class(ClassId),
    Array {
        element: SourceTypeId,
    },
    /// A type that is known by name only.
    Unknown,
}

impl SourceType {
    /// What it refers to, where it is the type of a reference and not of a value.
    pub fn reference(&self) -> Option<Reference> {
        match self {
            SourceType::Class(class) => Some(Reference::Class(*class)),
            SourceType::ClassArray { element } => Some(Reference::Array { element: *element }),
            SourceType::Opaque { .. } => Some(Reference::Unknown),
            SourceType::Void
            | SourceType::Bool
            | SourceType::Int { .. }
            | SourceType::Float { .. }
            | SourceType::Enum { .. }
            | SourceType::Pointer { .. }
            | SourceType::Array { .. }
            | SourceType::Record { .. }
            | SourceType::Function { .. }
            | SourceType::Named { .. } => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EnumConstant {
    pub name: String,
    pub value: i128,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RecordField {
    /// `None` for anonymous struct and union members.
    pub name: Option<String>,
    pub ty: SourceTypeId,
    /// Byte offset; for bit-fields, of the byte that holds the lowest bit.
    pub offset: u64,
    /// For bit-fields: position of the lowest bit in that byte, and width.
    pub bits: Option<BitRange>,
    /// Declared `const`, or an array of such: it cannot be assigned.
    pub is_const: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitRange {
    /// 0..=7.
    pub start: u8,
    pub width: u8,
}
