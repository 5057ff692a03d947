//! Remainders: the relation of `r` to the divisor `b` and, when truncating, to the dividend `a`.
//!
//! **Relation**, with `a = b * q + r` written elsewhere (a product column and a linear row):
//! truncating: `|r| < |b|`, `r` is zero or has the sign of `a`, `|r| <= |a|`; flooring: `0 <= r < b` or
//! `b < r <= 0`. **Rows** only when the sign of the divisor is known; the truncating remainder gets the
//! hull over `a` of its two sign cases when the sign of `a` is open.
//! **Not cut off**: what needs `q` (the product row does that), and everything when `b` may be zero
//! (SMT-LIB's result for a zero divisor is then one of the cases).
//! **Source**: docs/papers/relaxation.md, rules E3, E4 and E19; the papers print `0 <= r < b` for all signs, which is wrong
//! for C. Enumerated in `tests/envelope_boxes.rs`.

use super::{Deduction, EnvelopeRow, LOWER, UPPER, Uses, both};
use crate::linear::{LinearExpr, Var};
use crate::range::{Range, Ranges};
use crate::simplex::Side;

/// Which remainder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Sign of the dividend: C, Java, `bvsrem`, and `bvurem` on unsigned numbers.
    Truncate,
    /// Sign of the divisor: `bvsmod`, and right shifts.
    Floor,
}

/// The bound that shows the divisor's sign, and that sign.
fn divisor_sign(b: Var, range: Range) -> Option<(i128, (Var, Side))> {
    if range.lo > 0 {
        Some((1, (b, LOWER)))
    } else if range.hi < 0 {
        Some((-1, (b, UPPER)))
    } else {
        None
    }
}

/// The rows of the remainder `r` of `a` by `b`.
pub fn remainder_rows(
    rounding: Rounding,
    a: Var,
    b: Var,
    r: Var,
    ranges: &impl Ranges,
    rows: &mut Vec<EnvelopeRow>,
) {
    let Some((sign, sign_use)) = divisor_sign(b, ranges.range(b)) else { return };
    // `size` is |b| as an expression.
    let size = LinearExpr::from_terms(&[(b, sign)], 0);
    let remainder = LinearExpr::var(r);
    match rounding {
        Rounding::Floor => {
            let signed = LinearExpr::from_terms(&[(r, sign)], 0);
            rows.push(EnvelopeRow::at_least_zero(&signed, [sign_use]));
            rows.push(EnvelopeRow::at_most_zero(signed.minus(&size).plus_int(1), [sign_use]));
        }
        Rounding::Truncate => {
            rows.push(EnvelopeRow::at_most_zero(remainder.minus(&size).plus_int(1), [sign_use]));
            let above = remainder.plus(&size).plus_int(-1);
            rows.push(EnvelopeRow::at_least_zero(&above, [sign_use]));
            truncated_against_dividend(a, b, r, ranges, rows);
        }
    }
}

/// `r` lies between zero and `a`, and its size is below the largest `|b|`.
fn truncated_against_dividend(
    a: Var,
    b: Var,
    r: Var,
    ranges: &impl Ranges,
    rows: &mut Vec<EnvelopeRow>,
) {
    let ra = ranges.range(a);
    let largest = ranges.range(b).magnitude() - 1;
    let remainder = LinearExpr::var(r);
    let gap = remainder.minus(&LinearExpr::var(a));
    if ra.lo >= 0 {
        rows.push(EnvelopeRow::at_least_zero(&remainder, [(a, LOWER)]));
        rows.push(EnvelopeRow::at_most_zero(gap, [(a, LOWER)]));
    } else if ra.hi <= 0 {
        rows.push(EnvelopeRow::at_most_zero(remainder, [(a, UPPER)]));
        rows.push(EnvelopeRow::at_least_zero(&gap, [(a, UPPER)]));
    } else {
        // Above: the line from (a.lo, 0) to (top, top); below: from (-bottom, -bottom) to (a.hi, 0).
        let top = largest.min(ra.hi);
        let mut upper = LinearExpr::zero();
        upper.add_scaled(&remainder, &(top - ra.lo).into());
        upper.add_scaled(&LinearExpr::var(a).plus_int(-ra.lo), &(-top).into());
        let uses: Uses = both(a).into_iter().chain(both(b)).collect();
        rows.push(EnvelopeRow::at_most_zero(upper, uses.clone()));
        let bottom = largest.min(-ra.lo);
        let mut lower = LinearExpr::zero();
        lower.add_scaled(&remainder, &(ra.hi + bottom).into());
        lower.add_scaled(&LinearExpr::var(a).plus_int(-ra.hi), &(-bottom).into());
        rows.push(EnvelopeRow::at_least_zero(&lower, uses));
    }
}

/// Bounds of `r` from `a` and `b`.
pub fn remainder_bounds(
    rounding: Rounding,
    a: Var,
    b: Var,
    r: Var,
    ranges: &impl Ranges,
) -> Vec<Deduction> {
    let (ra, rb) = (ranges.range(a), ranges.range(b));
    if rb.contains(0) {
        return Vec::new();
    }
    let largest = rb.magnitude() - 1;
    let range = match rounding {
        Rounding::Floor if rb.lo > 0 => Range::new(0, largest),
        Rounding::Floor => Range::new(-largest, 0),
        Rounding::Truncate => Range::new((-largest).max(ra.lo).min(0), largest.min(ra.hi).max(0)),
    };
    let uses: Uses = both(a).into_iter().chain(both(b)).collect();
    vec![
        Deduction { var: r, side: LOWER, value: range.lo, uses: uses.clone() },
        Deduction { var: r, side: UPPER, value: range.hi, uses },
    ]
}
