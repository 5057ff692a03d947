//! Definitions: relations between columns whose rows depend on the current ranges.

use crate::envelope::rem::Rounding;
use crate::envelope::{Deduction, EnvelopeRow, ite, mul, reify, rem, shift};
use crate::linear::{LinearExpr, Var};
use crate::range::Ranges;

/// A relation that is relaxed again whenever the ranges of its columns shrink.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Definition {
    /// `p = a * b`, `a` and `b` different.
    Product { a: Var, b: Var, p: Var },
    /// `p = a * a`.
    Square { a: Var, p: Var },
    /// `p = 2^s`.
    PowerOfTwo { s: Var, p: Var },
    /// `r` is the remainder of `a` by `b` (`a` itself when `b` is zero).
    Remainder { rounding: Rounding, a: Var, b: Var, r: Var },
    /// `b ⟺ f <= 0`.
    AtMostZero { b: Var, f: LinearExpr },
    /// `plus ⟺ f >= 1`, `minus ⟺ f <= -1`.
    Sign { plus: Var, minus: Var, f: LinearExpr },
    /// `z = (c ? a : b)`.
    Choice { c: LinearExpr, z: Var, a: LinearExpr, b: LinearExpr },
}

impl Definition {
    /// The rows under the current ranges.
    pub fn rows(&self, ranges: &impl Ranges) -> Vec<EnvelopeRow> {
        let mut rows = Vec::new();
        match self {
            Definition::Product { a, b, p } => mul::product_rows(*a, *b, *p, ranges, &mut rows),
            Definition::Square { a, p } => mul::square_rows(*a, *p, ranges, &mut rows),
            Definition::PowerOfTwo { s, p } => shift::power_rows(*s, *p, ranges, &mut rows),
            Definition::Remainder { rounding, a, b, r } => {
                rem::remainder_rows(*rounding, *a, *b, *r, ranges, &mut rows);
            }
            Definition::AtMostZero { b, f } => {
                reify::at_most_zero_rows(*b, f, ranges, &mut rows);
            }
            Definition::Sign { plus, minus, f } => {
                reify::sign_rows(*plus, *minus, f, ranges, &mut rows);
            }
            Definition::Choice { c, z, a, b } => {
                ite::choice_rows(c, &LinearExpr::var(*z), a, b, ranges, &mut rows);
            }
        }
        rows
    }

    /// Bounds that interval reasoning on the relation itself gives; the rest comes from the rows.
    pub fn bounds(&self, ranges: &impl Ranges) -> Vec<Deduction> {
        match self {
            Definition::Product { a, b, p } => mul::product_bounds(*a, *b, *p, ranges),
            Definition::Square { a, p } => mul::square_bounds(*a, *p, ranges),
            Definition::PowerOfTwo { s, p } => shift::power_bounds(*s, *p, ranges),
            Definition::Remainder { rounding, a, b, r } => {
                rem::remainder_bounds(*rounding, *a, *b, *r, ranges)
            }
            Definition::AtMostZero { .. } | Definition::Sign { .. } | Definition::Choice { .. } => {
                Vec::new()
            }
        }
    }

    /// The columns whose ranges the rows are made from.
    pub fn inputs(&self) -> Vec<Var> {
        let of = |expr: &LinearExpr| expr.terms().iter().map(|(var, _)| *var).collect::<Vec<_>>();
        match self {
            Definition::Product { a, b, .. } | Definition::Remainder { a, b, .. } => vec![*a, *b],
            Definition::Square { a, .. } => vec![*a],
            Definition::PowerOfTwo { s, .. } => vec![*s],
            Definition::AtMostZero { f, .. } | Definition::Sign { f, .. } => of(f),
            Definition::Choice { a, b, .. } => {
                let mut inputs = of(a);
                inputs.extend(of(b));
                inputs
            }
        }
    }

    /// True for relations that stay nonlinear when all 0/1 columns are decided; their inputs are worth
    /// shrinking by optimization.
    pub fn is_nonlinear(&self) -> bool {
        match self {
            Definition::Product { .. }
            | Definition::Square { .. }
            | Definition::PowerOfTwo { .. }
            | Definition::Remainder { .. } => true,
            Definition::AtMostZero { .. } | Definition::Sign { .. } | Definition::Choice { .. } => {
                false
            }
        }
    }
}
