//! `z = x * x` modulo 2^n.
//!
//! Strength: where the square of the largest magnitude fits, z in the squares of the smallest and the
//! largest magnitude, and x between the roots of z on both sides of zero, with the middle as a hole;
//! elsewhere what holds of every square: bit 1 is zero, an odd x gives 1 modulo 8, low bits multiply,
//! and wrapping products of arcs. Not pruned: roots of wrapping squares.
//!
//! Why beside `mul`: with two independent factors x in -5..5 gives z down to -25 (docs/papers/loops.md, rule E1a).

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{BitsDomain, Conflict, Premises, Priority, Status, Store, VarIdx};

use crate::relation::Relation;

/// Arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Square;

impl Relation for Square {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [z, x] = [args[0], args[1]];
        let dx = *store.bits(x);
        let (mask, width) = (dx.mask(), dx.width());
        if let Some(value) = dx.value() {
            store.set_bits(z, value.wrapping_mul(value) & mask, Premises::at(1))?;
            return Ok(Status::Entailed);
        }
        let known = dx.known().mul(dx.known(), mask);
        store.narrow_known(z, known.ones, known.zeros, Premises::at(1))?;
        // 0, 1, 4 are the squares modulo 8.
        store.narrow_known(z, 0, 0b10, Premises::NONE)?;
        if dx.known().ones & 1 == 1 {
            store.narrow_known(z, 1, 0b110, Premises::at(1))?;
        }
        let low = store.bits(z).known();
        if low.ones & 1 == 1 || low.zeros & 1 == 1 {
            store.narrow_known(x, low.ones & 1, low.zeros & 1, Premises::at(0))?;
        }
        let wrapping = dx.interval().product(dx.interval());
        store.narrow_interval(z, wrapping, Premises::at(1))?;
        let (least, greatest) = magnitudes(store.bits(x));
        if u128::from(greatest) * u128::from(greatest) > u128::from(mask) {
            return Ok(Status::Stay);
        }
        let squares = Clockwise::new(least * least, greatest * greatest, width);
        store.narrow_interval(z, squares, Premises::at(1))?;
        let dz = store.bits(z);
        let (z_min, z_max) = (dz.unsigned_min(), dz.unsigned_max());
        let largest_root = z_max.isqrt();
        let smallest_root = z_min.isqrt() + u64::from(z_min.isqrt().pow(2) != z_min);
        let outer = Clockwise::new(largest_root.wrapping_neg(), largest_root, width);
        let why = Premises::at(0);
        if smallest_root > largest_root {
            return Err(store.fail(Premises::ALL));
        }
        if largest_root <= mask >> 1 {
            store.narrow_interval(x, outer, Premises::ALL)?;
        }
        if smallest_root > 0 {
            let inner =
                Clockwise::new((smallest_root - 1).wrapping_neg(), smallest_root - 1, width);
            if let Some(rest) = inner.complement() {
                store.narrow_interval(x, rest, why)?;
            }
        }
        Ok(Status::Stay)
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// The least and the greatest absolute value in the signed reading.
fn magnitudes(domain: &BitsDomain) -> (u64, u64) {
    let (lo, hi) = (domain.signed_min(), domain.signed_max());
    let greatest = lo.unsigned_abs().max(hi.unsigned_abs());
    let least = if lo > 0 {
        lo.unsigned_abs()
    } else if hi < 0 {
        hi.unsigned_abs()
    } else if domain.contains(0) {
        0
    } else {
        // Both signs without zero: the nearest members around zero.
        let above = domain.next_member(0).unwrap_or(0);
        let below = domain.previous_member(domain.mask()).unwrap_or(domain.mask());
        above.min(below.wrapping_neg() & domain.mask())
    };
    (least, greatest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magnitudes_around_zero() {
        let domain = BitsDomain::from_interval(Clockwise::signed(-3, 5, 8));
        assert_eq!(magnitudes(&domain), (0, 5));
        let pierced = domain.without(Clockwise::signed(-1, 1, 8)).expect("the rest is left");
        assert_eq!(magnitudes(&pierced), (2, 5));
    }
}
