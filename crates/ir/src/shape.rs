//! What a source type is behind its names: typedefs are resolved, and spellings, tags and constants left out.

use glassbox_values::{Format, Signedness};

use crate::id::SourceTypeId;
use crate::program::Program;
use crate::source_type::{RecordField, RecordKind, SourceType};
use crate::ty::Ty;

/// A source type as engines see it, for questions that do not depend on how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape<'p> {
    Void,
    Number(Number),
    Pointer {
        target: SourceTypeId,
        is_const: bool,
    },
    /// `length` is `None` for flexible members, variable lengths and incomplete arrays.
    Array {
        element: SourceTypeId,
        length: Option<u64>,
    },
    /// `fields` is `None` when the record is declared and never defined.
    Record {
        kind: RecordKind,
        size: u64,
        align: u64,
        fields: Option<&'p [RecordField]>,
    },
    Function,
    /// To an object or an array of the JVM.
    Reference,
    /// A type that is known by name and size only.
    Opaque {
        size: u64,
    },
}

/// A scalar that is no address. Enumerations are the integers that hold them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    Bool,
    Int { width: u8, signedness: Signedness },
    Float(Format),
}

impl Number {
    /// As what it is computed with.
    pub fn ty(self) -> Ty {
        match self {
            Number::Bool => Ty::Int(8),
            Number::Int { width, .. } => Ty::Int(width),
            Number::Float(format) => Ty::Float(format),
        }
    }

    /// Bytes in memory.
    pub fn size(self) -> u64 {
        match self {
            Number::Bool => 1,
            Number::Int { width, .. } => u64::from(width) / 8,
            Number::Float(format) => u64::from(format.width()) / 8,
        }
    }
}

impl Program {
    /// What a type is, whatever it is called.
    pub fn shape(&self, ty: SourceTypeId) -> Shape<'_> {
        match self.source_type(ty) {
            SourceType::Named { target, .. } => self.shape(*target),
            SourceType::Void => Shape::Void,
            SourceType::Bool => Shape::Number(Number::Bool),
            SourceType::Int { width, signedness, .. }
            | SourceType::Enum { width, signedness, .. } => {
                Shape::Number(Number::Int { width: *width, signedness: *signedness })
            }
            SourceType::Float { format, .. } => Shape::Number(Number::Float(*format)),
            SourceType::Pointer { target, is_const } => {
                Shape::Pointer { target: *target, is_const: *is_const }
            }
            SourceType::Array { element, length } => {
                Shape::Array { element: *element, length: *length }
            }
            SourceType::Record { kind, size, align, fields, .. } => {
                Shape::Record { kind: *kind, size: *size, align: *align, fields: fields.as_deref() }
            }
            SourceType::Function { .. } => Shape::Function,
            SourceType::Class(_) | SourceType::ClassArray { .. } => Shape::Reference,
            SourceType::Opaque { size, .. } => Shape::Opaque { size: *size },
        }
    }
}
