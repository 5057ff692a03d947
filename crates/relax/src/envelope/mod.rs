//! Envelopes: linear rows that hold at every integer point of a relation inside a box.
//!
//! One relation, one file. An envelope function gets columns and their ranges and pushes rows. Each row
//! names the bounds it was made from (`uses`); it holds wherever those bounds hold, whatever the others
//! are. The tests of this room enumerate all boxes at 3 or 4 bits and check exactly that, and print how
//! tight the rows are.
//!
//! Recipe for a new envelope: 1. the relation as a plain Rust predicate in `tests/envelope_boxes.rs`;
//! 2. a file here that says relation, rows, what is not cut off, source; 3. a `Definition` variant in
//! `definition.rs`; 4. its user in `translate/`; 5. the enumeration test must pass before it is used.

pub mod ite;
pub mod linear;
pub mod logic;
pub mod mask;
pub mod mul;
pub mod reify;
pub mod rem;
pub mod shift;

use smallvec::SmallVec;

use crate::linear::{LinearExpr, Var};
use crate::simplex::Side;

/// What a row says of its expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    AtMostZero,
    IsZero,
}

/// A row and the bounds it depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvelopeRow {
    pub expr: LinearExpr,
    pub relation: Relation,
    pub uses: Uses,
}

/// Bounds a deduction looked at.
pub type Uses = SmallVec<[(Var, Side); 4]>;

/// A bound that follows from other bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deduction {
    pub var: Var,
    pub side: Side,
    pub value: i128,
    pub uses: Uses,
}

impl EnvelopeRow {
    /// `expr <= 0`.
    pub fn at_most_zero(
        expr: LinearExpr,
        uses: impl IntoIterator<Item = (Var, Side)>,
    ) -> EnvelopeRow {
        EnvelopeRow { expr, relation: Relation::AtMostZero, uses: uses.into_iter().collect() }
    }

    /// `expr >= 0`.
    pub fn at_least_zero(
        expr: &LinearExpr,
        uses: impl IntoIterator<Item = (Var, Side)>,
    ) -> EnvelopeRow {
        let negated = expr.scaled(&crate::rational::Rational::int(-1));
        EnvelopeRow::at_most_zero(negated, uses)
    }

    /// `expr == 0`.
    pub fn is_zero(expr: LinearExpr, uses: impl IntoIterator<Item = (Var, Side)>) -> EnvelopeRow {
        EnvelopeRow { expr, relation: Relation::IsZero, uses: uses.into_iter().collect() }
    }
}

pub(crate) const LOWER: Side = Side::Lower;
pub(crate) const UPPER: Side = Side::Upper;

/// Both ends of a column's range.
pub(crate) fn both(var: Var) -> [(Var, Side); 2] {
    [(var, LOWER), (var, UPPER)]
}
