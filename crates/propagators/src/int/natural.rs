//! Division of natural numbers on ranges: the core of all quotient and remainder propagators.
//!
//! Ranges are inclusive; every function returns narrower ranges that keep all solutions, or `None`
//! when there is none.

/// An inclusive range of numbers, not empty.
pub(crate) type Range = (i128, i128);

pub(crate) fn meet(a: Range, b: Range) -> Option<Range> {
    let range = (a.0.max(b.0), a.1.min(b.1));
    (range.0 <= range.1).then_some(range)
}

pub(crate) fn hull(a: Option<Range>, b: Option<Range>) -> Option<Range> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (one, None) | (None, one) => one,
    }
}

/// Dividend, divisor and result of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Box3 {
    pub(crate) x: Range,
    pub(crate) y: Range,
    pub(crate) z: Range,
}

/// `z = x div y` for `x >= 0`, `y >= 1`.
pub(crate) fn quotient(mut ranges: Box3) -> Option<Box3> {
    loop {
        let before = ranges;
        let Box3 { x, y, z } = ranges;
        let z = meet(z, (x.0 / y.1, x.1 / y.0))?;
        // z * y <= x < (z + 1) * y.
        let x = meet(x, (z.0.saturating_mul(y.0), (z.1 + 1).saturating_mul(y.1) - 1))?;
        let largest = if z.0 > 0 { x.1 / z.0 } else { y.1 };
        let y = meet(y, (x.0 / (z.1 + 1) + 1, largest))?;
        ranges = Box3 { x, y, z };
        if ranges == before {
            return Some(ranges);
        }
    }
}

/// `z = x mod y` for `x >= 0`, `y >= 1`.
pub(crate) fn remainder(mut ranges: Box3) -> Option<Box3> {
    // Each turn is cheap, but a long chain of small steps is not worth it.
    for _ in 0..8 {
        let before = ranges;
        let Box3 { x, y, z } = ranges;
        let z = meet(z, (0, x.1.min(y.1 - 1)))?;
        let x = meet(x, (z.0, x.1))?;
        let y = meet(y, (z.0 + 1, y.1))?;
        ranges = Box3 { x, y, z };
        // A known quotient makes the relation linear: x = q * y + z.
        let q = x.0 / y.1;
        if q == x.1 / y.0 {
            let multiple = (q * y.0, q * y.1);
            let z = meet(z, (x.0 - multiple.1, x.1 - multiple.0))?;
            let x = meet(x, (z.0 + multiple.0, z.1 + multiple.1))?;
            let y = if q > 0 {
                let span = (x.0 - z.1, x.1 - z.0);
                meet(y, (ceil_div(span.0, q), span.1.div_euclid(q)))?
            } else {
                y
            };
            ranges = Box3 { x, y, z };
        } else if y.0 == y.1 {
            ranges.x = fit_dividend(x, y.0, z)?;
        }
        if ranges == before {
            break;
        }
    }
    Some(ranges)
}

/// The bounds of x moved to numbers with a remainder in `z`, for a fixed divisor.
fn fit_dividend(x: Range, y: i128, z: Range) -> Option<Range> {
    let low = x.0 % y;
    let lo = if low < z.0 {
        x.0 + z.0 - low
    } else if low > z.1 {
        x.0 + y - low + z.0
    } else {
        x.0
    };
    let high = x.1 % y;
    let hi = if high > z.1 {
        x.1 - (high - z.1)
    } else if high < z.0 {
        x.1 - high - (y - z.1)
    } else {
        x.1
    };
    meet(x, (lo, hi))
}

pub(crate) fn ceil_div(a: i128, b: i128) -> i128 {
    -(-a).div_euclid(b)
}
