//! What a term of a script is while it is built.

use glassbox_terms::{Sort, TermId};

use crate::integer::Integer;

/// The value of a subexpression. Cheap to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Expr {
    /// A term of a sort that `terms` has. A boolean carries what it says about integers.
    Term(TermId, Facts),
    /// A rounding mode as a 3-bit number, see `rounding`.
    Rounding(TermId),
    Integer(Integer),
    /// A number that no operator has used yet: an integer or real literal.
    Number(NumberId),
}

/// Index of a literal in the table of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NumberId(pub(crate) u32);

/// Index of a set of integer bounds that follow from a boolean, see `integer`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Facts(pub(crate) u32);

impl Facts {
    pub(crate) const NONE: Facts = Facts(0);
}

/// The sort of a script: one of `terms`, or one that is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SurfaceSort {
    Plain(Sort),
    Rounding,
    Int,
    /// Literals only.
    Real,
}

impl std::fmt::Display for SurfaceSort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SurfaceSort::Plain(sort) => f.write_str(&glassbox_terms::print::sort_to_smtlib(*sort)),
            SurfaceSort::Rounding => f.write_str("RoundingMode"),
            SurfaceSort::Int => f.write_str("Int"),
            SurfaceSort::Real => f.write_str("Real"),
        }
    }
}

impl Expr {
    pub(crate) fn plain(term: TermId) -> Expr {
        Expr::Term(term, Facts::NONE)
    }
}
