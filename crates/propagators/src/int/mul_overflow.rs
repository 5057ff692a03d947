//! `b = (x * y does not fit)`, unsigned and signed; with the product as a fourth argument where it is
//! at hand.
//!
//! Strength: bounds in the reading of the signedness: no overflow makes the product exact, so it can
//! be divided; overflow bounds the factors from below where their signs are known. Not pruned: the
//! wrapped product under overflow (`mul` sees it); open signs under overflow.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{Conflict, Premises, Priority, Status, Store, VarIdx};
use glassbox_values::Signedness;

use super::mul::exact_quotient;
use super::natural::{Range, ceil_div, meet};
use super::reading::fitting;
use crate::relation::Relation;

/// The range of the exact product; corners beyond 128 bits are cut, far beyond what fits.
fn product(x: Range, y: Range) -> Range {
    let corners = [
        x.0.saturating_mul(y.0),
        x.0.saturating_mul(y.1),
        x.1.saturating_mul(y.0),
        x.1.saturating_mul(y.1),
    ];
    let lo = corners.iter().copied().min().expect("four corners");
    let hi = corners.iter().copied().max().expect("four corners");
    (lo, hi)
}

/// Arguments `[b, x, y]`, and the product where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MulOverflow(pub Signedness);

impl Relation for MulOverflow {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let MulOverflow(signedness) = *self;
        let [b, x, y] = [args[0], args[1], args[2]];
        let (mask, width) = (store.bits(x).mask(), store.bits(x).width());
        let fits = fitting(mask, signedness);
        let rx = store.bits(x).range(signedness);
        let ry = store.bits(y).range(signedness);
        let all = product(rx, ry);
        let inside = fits.0 <= all.0 && all.1 <= fits.1;
        let outside = all.1 < fits.0 || fits.1 < all.0;
        if inside || outside {
            store.set_truth(b, outside, Premises::at(1).and(2))?;
        }
        match store.truth(b).value() {
            None => return Ok(Status::Stay),
            Some(true) => overflow(args, store, signedness)?,
            Some(false) => {
                let mut target = meet(fits, all);
                if let Some(&z) = args.get(3) {
                    if let Some(range) = target {
                        let arc = Clockwise::from_integers(range.0, range.1, width);
                        store.narrow_interval(z, arc, Premises::ALL)?;
                    }
                    target = target.and_then(|t| meet(t, store.bits(z).range(signedness)));
                }
                let Some(target) = target else {
                    return Err(store.fail(Premises::ALL));
                };
                for (factor, other) in [(x, y), (y, x)] {
                    let other = store.bits(other).range(signedness);
                    let start = store.bits(factor).range(signedness);
                    match exact_quotient(target, other, start) {
                        None => return Err(store.fail(Premises::ALL)),
                        Some((lo, hi)) => {
                            let arc = Clockwise::from_integers(lo, hi, width);
                            store.narrow_interval(factor, arc, Premises::ALL)?;
                        }
                    }
                }
            }
        }
        let done = store.is_fixed(x) && store.is_fixed(y);
        let done = done && args.get(3).is_none_or(|&z| store.is_fixed(z));
        Ok(if done { Status::Entailed } else { Status::Stay })
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Under overflow both factors are nonzero and, with known signs, at least as far from zero as the
/// other one leaves room for.
fn overflow(args: &[VarIdx], store: &mut Store, signedness: Signedness) -> Result<(), Conflict> {
    let [x, y] = [args[1], args[2]];
    let (mask, width) = (store.bits(x).mask(), store.bits(x).width());
    let fits = fitting(mask, signedness);
    for (factor, other) in [(x, y), (y, x)] {
        let range = store.bits(factor).range(signedness);
        let other = store.bits(other).range(signedness);
        let furthest = other.0.abs().max(other.1.abs());
        if furthest == 0 {
            return Err(store.fail(Premises::ALL));
        }
        // |x| * |y| exceeds the greatest number that fits; by one more when only the sign of the
        // product is open, since -H fits and H does not.
        let least = ceil_div(fits.1 + 1, furthest);
        let not_near_zero = match signedness {
            Signedness::Unsigned => (least, range.1),
            Signedness::Signed if range.0 >= 0 => (least, range.1),
            Signedness::Signed if range.1 <= 0 => (range.0, -least),
            Signedness::Signed => range,
        };
        if not_near_zero.0 > not_near_zero.1 {
            return Err(store.fail(Premises::ALL));
        }
        let arc = Clockwise::from_integers(not_near_zero.0, not_near_zero.1, width);
        store.narrow_interval(factor, arc, Premises::ALL)?;
    }
    Ok(())
}
