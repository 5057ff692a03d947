//! Reified comparisons: a 0/1 column that says whether a linear relation holds.
//!
//! **Relations**: `b = 1` exactly when `f <= 0`; and `zero + plus + minus = 1` with
//! `zero = 1 ⟺ f = 0`, `plus = 1 ⟺ f >= 1`, `minus = 1 ⟺ f <= -1`, for integer-valued `f`.
//! **Rows**: big-M from the current range of `f`: `f <= f.hi (1 - b)`, `1 - f <= (1 - f.lo) b`;
//! `f >= plus + f.lo minus`, `f <= f.hi plus - minus`. Exact when `b` is 0 or 1.
//! **Not cut off**: fractional `b`; rounding and branching on the column do that.
//! **Source**: docs/papers/calls.md, rule 1.5; docs/papers/relaxation.md, rule E18 (the figure of the paper prints the wrong bar).

use super::{EnvelopeRow, LOWER, UPPER, Uses};
use crate::linear::{LinearExpr, Var};
use crate::range::{Ranges, extreme, extreme_uses};
use crate::rational::Rational;

/// The rows of `b ⟺ f <= 0`.
pub fn at_most_zero_rows(
    b: Var,
    f: &LinearExpr,
    ranges: &impl Ranges,
    rows: &mut Vec<EnvelopeRow>,
) {
    let (low, high) = (extreme(f, LOWER, ranges), extreme(f, UPPER, ranges));
    // f + high * b - high <= 0.
    let mut when_true = f.clone();
    when_true.add_term(b, &high);
    when_true.add_constant(&-&high);
    rows.push(EnvelopeRow::at_most_zero(when_true, extreme_uses(f, UPPER)));
    // 1 - f - (1 - low) * b <= 0.
    let mut when_false = f.scaled(&Rational::int(-1)).plus_int(1);
    when_false.add_term(b, &(&low - &Rational::ONE));
    rows.push(EnvelopeRow::at_most_zero(when_false, extreme_uses(f, LOWER)));
}

/// The rows of the three-way sign of `f`; the caller adds `zero + plus + minus = 1` once.
pub fn sign_rows(
    plus: Var,
    minus: Var,
    f: &LinearExpr,
    ranges: &impl Ranges,
    rows: &mut Vec<EnvelopeRow>,
) {
    let (low, high) = (extreme(f, LOWER, ranges), extreme(f, UPPER, ranges));
    // f >= plus + low * minus.
    let mut below = f.clone();
    below.add_term(plus, &Rational::int(-1));
    below.add_term(minus, &-&low);
    rows.push(EnvelopeRow::at_least_zero(&below, extreme_uses(f, LOWER)));
    // f <= high * plus - minus.
    let mut above = f.clone();
    above.add_term(plus, &-&high);
    above.add_term(minus, &Rational::ONE);
    rows.push(EnvelopeRow::at_most_zero(above, extreme_uses(f, UPPER)));
    // Ranges that exclude a sign.
    if low.signum() >= 0 {
        rows.push(EnvelopeRow::at_most_zero(LinearExpr::var(minus), extreme_uses(f, LOWER)));
    }
    if high.signum() <= 0 {
        let uses: Uses = extreme_uses(f, UPPER).collect();
        rows.push(EnvelopeRow::at_most_zero(LinearExpr::var(plus), uses));
    }
}
