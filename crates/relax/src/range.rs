//! Integer ranges of columns, and the ranges of linear expressions over them.

use crate::linear::{LinearExpr, Var};
use crate::rational::Rational;
use crate::simplex::Side;

/// Numbers beyond this never enter a range: it leaves room to add and negate without overflow.
pub const LIMIT: i128 = 1 << 124;

/// The integers from `lo` to `hi`; empty when `lo > hi`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Range {
    pub lo: i128,
    pub hi: i128,
}

impl Range {
    pub const BIT: Range = Range { lo: 0, hi: 1 };

    pub fn new(lo: i128, hi: i128) -> Range {
        Range { lo, hi }
    }

    pub fn point(value: i128) -> Range {
        Range { lo: value, hi: value }
    }

    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    pub fn contains(self, value: i128) -> bool {
        self.lo <= value && value <= self.hi
    }

    pub fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    pub fn end(self, side: Side) -> i128 {
        match side {
            Side::Lower => self.lo,
            Side::Upper => self.hi,
        }
    }

    /// The largest absolute value.
    pub fn magnitude(self) -> i128 {
        self.lo.abs().max(self.hi.abs())
    }

    /// The range of products, unless it passes `LIMIT`.
    pub fn product(self, other: Range) -> Option<Range> {
        let corners = [
            self.lo.checked_mul(other.lo)?,
            self.lo.checked_mul(other.hi)?,
            self.hi.checked_mul(other.lo)?,
            self.hi.checked_mul(other.hi)?,
        ];
        let lo = corners.into_iter().min()?;
        let hi = corners.into_iter().max()?;
        (-LIMIT <= lo && hi <= LIMIT).then_some(Range { lo, hi })
    }
}

/// Where the ranges of columns are looked up.
pub trait Ranges {
    fn range(&self, var: Var) -> Range;
}

/// The largest (`Upper`) or smallest (`Lower`) value of `expr` over the ranges.
pub fn extreme(expr: &LinearExpr, side: Side, ranges: &impl Ranges) -> Rational {
    let mut sum = expr.constant_part().clone();
    for (var, coefficient) in expr.terms() {
        let range = ranges.range(*var);
        let end =
            if coefficient.is_positive() == (side == Side::Upper) { range.hi } else { range.lo };
        sum += &(coefficient * &Rational::int(end));
    }
    sum
}

/// The integer hull of the values of `expr`, unless it passes `LIMIT`.
pub fn range_of(expr: &LinearExpr, ranges: &impl Ranges) -> Option<Range> {
    let lo = extreme(expr, Side::Lower, ranges).ceil().to_i128()?;
    let hi = extreme(expr, Side::Upper, ranges).floor().to_i128()?;
    (-LIMIT <= lo && hi <= LIMIT).then_some(Range { lo, hi })
}

/// The bounds that give `extreme(expr, side)`.
pub fn extreme_uses(expr: &LinearExpr, side: Side) -> impl Iterator<Item = (Var, Side)> {
    expr.terms().iter().map(move |(var, coefficient)| {
        let upper = coefficient.is_positive() == (side == Side::Upper);
        (*var, if upper { Side::Upper } else { Side::Lower })
    })
}
