//! Choice: `z = a` when `c = 1`, `z = b` when `c = 0`, for linear expressions `a` and `b`.
//!
//! **Rows**: with `d = b - a` in `[lo, hi]`: `lo (1 - c) <= z - a <= hi (1 - c)` and
//! `-hi c <= z - b <= -lo c`. When `d` is one number this is `z = a + d (1 - c)`, exact; in general it is
//! the weak join of the two sides along `z - a` and `z - b`, with `c` kept, so that what is learnt of
//! `c` reaches `z`.
//! **Not cut off**: relations between `z` and columns outside `a` and `b`.
//! **Source**: docs/papers/calls.md, rule 1.8 (`join_lin`), docs/papers/branches.md, rule 1.8.

use super::{EnvelopeRow, LOWER, UPPER, Uses};
use crate::linear::LinearExpr;
use crate::range::{Ranges, extreme, extreme_uses};
use crate::rational::Rational;

/// The rows of `z = (c ? a : b)`; `c` is a 0/1 expression.
pub fn choice_rows(
    c: &LinearExpr,
    z: &LinearExpr,
    a: &LinearExpr,
    b: &LinearExpr,
    ranges: &impl Ranges,
    rows: &mut Vec<EnvelopeRow>,
) {
    let difference = b.minus(a);
    let otherwise = LinearExpr::int(1).minus(c);
    for (near, when_far, d) in
        [(a, &otherwise, difference.clone()), (b, c, difference.scaled(&Rational::int(-1)))]
    {
        let gap = z.minus(near);
        let (low, high) = (extreme(&d, LOWER, ranges), extreme(&d, UPPER, ranges));
        let mut above = gap.clone();
        above.add_scaled(when_far, &-&high);
        let upper: Uses = extreme_uses(&d, UPPER).collect();
        let mut below = gap;
        below.add_scaled(when_far, &-&low);
        let lower: Uses = extreme_uses(&d, LOWER).collect();
        if low == high {
            rows.push(EnvelopeRow::is_zero(above, upper.into_iter().chain(lower)));
            return;
        }
        rows.push(EnvelopeRow::at_most_zero(above, upper));
        rows.push(EnvelopeRow::at_least_zero(&below, lower));
    }
}
