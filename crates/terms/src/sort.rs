//! Sorts of terms.

use glassbox_values::Format;

/// What an array may hold, and what most terms are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Bool,
    /// A bit-vector of 1..=128 bits.
    Bv(u8),
    Float(Format),
}

/// The sort of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// A bit-vector of 1..=128 bits.
    Bv(u8),
    Float(Format),
    /// A total map from bit-vectors of width `index` to `element`.
    Array {
        index: u8,
        element: Scalar,
    },
}

impl From<Scalar> for Sort {
    fn from(scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Bool => Sort::Bool,
            Scalar::Bv(width) => Sort::Bv(width),
            Scalar::Float(format) => Sort::Float(format),
        }
    }
}

impl Sort {
    /// The scalar this sort is, unless it is an array.
    pub fn scalar(self) -> Option<Scalar> {
        match self {
            Sort::Bool => Some(Scalar::Bool),
            Sort::Bv(width) => Some(Scalar::Bv(width)),
            Sort::Float(format) => Some(Scalar::Float(format)),
            Sort::Array { .. } => None,
        }
    }
}
