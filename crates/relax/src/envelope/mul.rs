//! Products: `p = a * b`, and squares `p = a * a`.
//!
//! **Rows**: the four McCormick rows, from `(a - a.lo)(b - b.lo) >= 0` and its three siblings; they are
//! the convex hull of the product over the box. A square gets its secant (above) and, since only
//! integers count, the chords through neighbouring integer points (below), which are tighter than
//! tangents: `p >= (2t + 1) a - t (t + 1)` holds at every integer `a` because `(a - t)(a - t - 1) >= 0`.
//! **Not cut off**: integer points of the hull that are no products, for example `p = 1` for
//! `a, b in 0..2` with `a = 2`.
//! **Source**: McCormick 1976; docs/papers/calls.md, rule 1.5 and docs/papers/relaxation.md, rule 1.3.4 (the printed figures are damaged, the rows
//! here are re-derived and enumerated in `tests/envelope_boxes.rs`).

use super::{Deduction, EnvelopeRow, LOWER, UPPER, Uses, both};
use crate::linear::{LinearExpr, Var};
use crate::range::{Range, Ranges};
use crate::rational::Rational;

/// Chords put under a square, at most.
const CHORDS: usize = 4;

/// The rows of `p = a * b` with different `a` and `b`.
pub fn product_rows(a: Var, b: Var, p: Var, ranges: &impl Ranges, rows: &mut Vec<EnvelopeRow>) {
    let (ra, rb) = (ranges.range(a), ranges.range(b));
    if ra.is_point() || rb.is_point() {
        // One factor is a number: the product is linear.
        let (number, fixed, other) = if ra.is_point() { (ra.lo, a, b) } else { (rb.lo, b, a) };
        let expr = LinearExpr::from_terms(&[(p, 1), (other, -number)], 0);
        rows.push(EnvelopeRow::is_zero(expr, both(fixed)));
        return;
    }
    for (side_a, side_b) in [(LOWER, LOWER), (LOWER, UPPER), (UPPER, LOWER), (UPPER, UPPER)] {
        let (ea, eb) = (ra.end(side_a), rb.end(side_b));
        // (a - ea)(b - eb) = p - eb*a - ea*b + ea*eb is >= 0 on equal sides and <= 0 otherwise.
        let mut expr = LinearExpr::from_terms(&[(p, 1), (a, -eb), (b, -ea)], 0);
        expr.add_constant(&(&Rational::int(ea) * &Rational::int(eb)));
        let uses = [(a, side_a), (b, side_b)];
        rows.push(if side_a == side_b {
            EnvelopeRow::at_least_zero(&expr, uses)
        } else {
            EnvelopeRow::at_most_zero(expr, uses)
        });
    }
}

/// The rows of `p = a * a`.
pub fn square_rows(a: Var, p: Var, ranges: &impl Ranges, rows: &mut Vec<EnvelopeRow>) {
    let range = ranges.range(a);
    // (a - lo)(a - hi) <= 0.
    let mut secant = LinearExpr::from_terms(&[(p, 1)], 0);
    secant.add_term(a, &Rational::int(-(range.lo + range.hi)));
    secant.add_constant(&(&Rational::int(range.lo) * &Rational::int(range.hi)));
    rows.push(EnvelopeRow::at_most_zero(secant, both(a)));
    for t in chord_points(range) {
        let mut chord = LinearExpr::var(p);
        chord.add_term(a, &Rational::int(-(2 * t + 1)));
        chord.add_constant(&(&Rational::int(t) * &Rational::int(t + 1)));
        rows.push(EnvelopeRow::at_least_zero(&chord, []));
    }
}

/// Left ends of the chords: the ends of the range and the places between that matter most.
fn chord_points(range: Range) -> Vec<i128> {
    let mut points = vec![range.lo, range.hi - 1];
    if range.lo < 0 && range.hi > 0 {
        points.push(0);
        points.push(-1);
    } else {
        points.push(range.lo + (range.hi - range.lo) / 2);
    }
    points.retain(|t| range.lo <= *t && *t < range.hi.max(range.lo + 1));
    points.sort_unstable();
    points.dedup();
    points.truncate(CHORDS);
    points
}

/// Bounds of `p` from the factors, and of the factors from `p`.
pub fn product_bounds(a: Var, b: Var, p: Var, ranges: &impl Ranges) -> Vec<Deduction> {
    let (ra, rb, rp) = (ranges.range(a), ranges.range(b), ranges.range(p));
    let mut found = Vec::new();
    if let Some(product) = ra.product(rb) {
        let uses: Uses = both(a).into_iter().chain(both(b)).collect();
        found.push(Deduction { var: p, side: LOWER, value: product.lo, uses: uses.clone() });
        found.push(Deduction { var: p, side: UPPER, value: product.hi, uses });
    }
    for (x, rx, y, ry) in [(a, ra, b, rb), (b, rb, a, ra)] {
        if let Some(quotient) = factor_range(rp, ry) {
            let uses: Uses = both(p).into_iter().chain(both(y)).collect();
            if quotient.lo > rx.lo {
                found.push(Deduction {
                    var: x,
                    side: LOWER,
                    value: quotient.lo,
                    uses: uses.clone(),
                });
            }
            if quotient.hi < rx.hi {
                found.push(Deduction { var: x, side: UPPER, value: quotient.hi, uses });
            }
        }
    }
    found
}

/// The hull of the integers `x` with `x * y = p` for some `y` and `p` of the ranges; `None` when it is
/// everything. An empty hull is an empty range.
fn factor_range(p: Range, y: Range) -> Option<Range> {
    if p.contains(0) && y.contains(0) {
        return None;
    }
    if y == Range::point(0) {
        return Some(Range::new(1, 0));
    }
    if y.lo < 0 && y.hi > 0 {
        // Zero is no factor here: |x| <= |p|.
        return Some(Range::new(-p.magnitude(), p.magnitude()));
    }
    // Zero at an end of y is no factor either (p excludes zero).
    let (lo, hi) = (if y.lo == 0 { 1 } else { y.lo }, if y.hi == 0 { -1 } else { y.hi });
    let ends = [(p.lo, lo), (p.lo, hi), (p.hi, lo), (p.hi, hi)];
    // The quotients of a range without zero by a range without zero have their ends at corners.
    let min = ends.iter().map(|(n, d)| Rational::ratio(*n, *d)).min()?;
    let max = ends.iter().map(|(n, d)| Rational::ratio(*n, *d)).max()?;
    Some(Range::new(min.ceil().to_i128()?, max.floor().to_i128()?))
}

/// Bounds of `p` from `a`, and of `a` from `p`, for `p = a * a`.
pub fn square_bounds(a: Var, p: Var, ranges: &impl Ranges) -> Vec<Deduction> {
    let (ra, rp) = (ranges.range(a), ranges.range(p));
    let mut found = Vec::new();
    let least = if ra.contains(0) { 0 } else { ra.lo.abs().min(ra.hi.abs()) };
    let uses: Uses = both(a).into_iter().collect();
    if let Some(square) = least.checked_mul(least) {
        found.push(Deduction { var: p, side: LOWER, value: square, uses: uses.clone() });
    }
    if let Some(square) = ra.magnitude().checked_mul(ra.magnitude()) {
        found.push(Deduction { var: p, side: UPPER, value: square, uses });
    }
    if rp.hi >= 0 {
        let root = i128::try_from(rp.hi.unsigned_abs().isqrt()).expect("a root should fit");
        found.push(Deduction {
            var: a,
            side: UPPER,
            value: root,
            uses: [(p, UPPER)].into_iter().collect(),
        });
        found.push(Deduction {
            var: a,
            side: LOWER,
            value: -root,
            uses: [(p, UPPER)].into_iter().collect(),
        });
    }
    if rp.lo > 0 {
        let floor = i128::try_from(rp.lo.unsigned_abs().isqrt()).expect("a root should fit");
        let root = if floor * floor == rp.lo { floor } else { floor + 1 };
        // a <= -root or a >= root: useful when the range reaches into the gap from one side.
        if ra.lo > -root {
            let uses = [(p, LOWER), (a, LOWER)].into_iter().collect();
            found.push(Deduction { var: a, side: LOWER, value: root, uses });
        }
        if ra.hi < root {
            let uses = [(p, LOWER), (a, UPPER)].into_iter().collect();
            found.push(Deduction { var: a, side: UPPER, value: -root, uses });
        }
    }
    found
}
