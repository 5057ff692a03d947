//! Powers of two: `p = 2^s`, by which shifts by a variable become products and divisions.
//!
//! **Rows**: the secant above, and below the chords through neighbouring integer points,
//! `p >= 2^t (1 + s - t)` at every integer `s >= 0` (equality at `t` and `t + 1`, convexity elsewhere).
//! **Strength**: with all chords the integer hull; at most `CHORDS` are given.
//! **Not cut off**: non-powers between the chords. Callers keep `s` in `0..=120`.

use super::{Deduction, EnvelopeRow, LOWER, UPPER, Uses, both};
use crate::linear::{LinearExpr, Var};
use crate::range::Ranges;
use crate::rational::Rational;

/// Chords below the curve, at most.
const CHORDS: i128 = 4;

/// The largest exponent for which rows are made.
pub const MAX_EXPONENT: i128 = 120;

/// The rows of `p = 2^s`.
pub fn power_rows(s: Var, p: Var, ranges: &impl Ranges, rows: &mut Vec<EnvelopeRow>) {
    let range = ranges.range(s);
    if range.lo < 0 || range.hi > MAX_EXPONENT || range.is_empty() {
        return;
    }
    let (low, high) = (1_i128 << range.lo, 1_i128 << range.hi);
    // (p - low)(hi - lo) <= (s - lo)(high - low).
    let mut secant = LinearExpr::var(p).plus_int(-low).scaled(&(range.hi - range.lo).into());
    secant.add_scaled(&LinearExpr::var(s).plus_int(-range.lo), &(low - high).into());
    if range.is_point() {
        secant = LinearExpr::var(p).plus_int(-low);
    }
    rows.push(EnvelopeRow::at_most_zero(secant, both(s)));
    let step = ((range.hi - range.lo) / CHORDS).max(1);
    let mut t = range.lo;
    while t < range.hi.max(range.lo + 1) {
        let mut chord = LinearExpr::var(p);
        let slope = Rational::int(1_i128 << t);
        chord.add_scaled(&LinearExpr::var(s).plus_int(1 - t), &-slope);
        rows.push(EnvelopeRow::at_least_zero(&chord, [(s, LOWER)]));
        t += step;
    }
}

/// Bounds of `p` from `s` and of `s` from `p`.
pub fn power_bounds(s: Var, p: Var, ranges: &impl Ranges) -> Vec<Deduction> {
    let (rs, rp) = (ranges.range(s), ranges.range(p));
    if rs.lo < 0 || rs.hi > MAX_EXPONENT || rs.is_empty() || rp.hi < 1 {
        return Vec::new();
    }
    let one = |bound| [bound].into_iter().collect::<Uses>();
    let mut found = vec![
        Deduction { var: p, side: LOWER, value: 1 << rs.lo, uses: both(s).into_iter().collect() },
        Deduction { var: p, side: UPPER, value: 1 << rs.hi, uses: both(s).into_iter().collect() },
    ];
    // 2^s <= p.hi and 2^s >= p.lo.
    let top = i128::from(127 - rp.hi.leading_zeros());
    let mut uses = one((p, UPPER));
    uses.extend(both(s));
    found.push(Deduction { var: s, side: UPPER, value: top, uses });
    if rp.lo > 1 {
        let bottom = i128::from(128 - (rp.lo - 1).leading_zeros());
        let mut uses = one((p, LOWER));
        uses.extend(both(s));
        found.push(Deduction { var: s, side: LOWER, value: bottom, uses });
    }
    found
}
