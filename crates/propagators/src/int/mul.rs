//! `z = x * y` modulo 2^n, both factors open.
//!
//! Strength: forward, the meet of exact integer products over the lifts of both arcs; known low bits;
//! backward, by exact division where the product cannot wrap (unsigned or signed), and by the inverse
//! of known odd low bits. Complete when one factor is fixed (`scale`). Not pruned: backward through a
//! wrapping product, e.g. 3 bits, x in 2..3, z = 1 leaves y open although only x = 3 can be.
//!
//! Source: docs/papers/loops.md, rule 7.5 (the paper's four double products lose values).

use glassbox_kernel::domain::clockwise::product_range;
use glassbox_kernel::domain::congruence::inverse_of_odd;
use glassbox_kernel::domain::{Clockwise, KnownBits};
use glassbox_kernel::{Conflict, Premises, Priority, Status, Store, VarIdx};
use glassbox_values::Signedness;

use super::reading::fitting;
use super::scale::{self, Factor};
use crate::relation::Relation;

/// Arguments `[z, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mul;

impl Relation for Mul {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [z, x, y] = [args[0], args[1], args[2]];
        if let Some(value) = store.bits(y).value() {
            return scale::narrow(Factor { value, why: Premises::at(2) }, args, 1, store);
        }
        if let Some(value) = store.bits(x).value() {
            return scale::narrow(Factor { value, why: Premises::at(1) }, args, 2, store);
        }
        let (dx, dy) = (*store.bits(x), *store.bits(y));
        let mask = dx.mask();
        let product = dx.interval().product(dy.interval());
        if !product.is_full() {
            store.narrow_interval(z, product, Premises::at(1).and(2))?;
        }
        let known = dx.known().mul(dy.known(), mask);
        if known != KnownBits::NONE {
            store.narrow_known(z, known.ones, known.zeros, Premises::at(1).and(2))?;
        }
        for (factor, other, position) in [(x, y, 2), (y, x, 1)] {
            low_bits(store, z, factor, other, Premises::at(0).and(position))?;
            divide(store, z, factor, other)?;
        }
        Ok(Status::Stay)
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// The low bits of a factor from those of the product and of the other factor.
fn low_bits(
    store: &mut Store,
    z: VarIdx,
    factor: VarIdx,
    other: VarIdx,
    why: Premises,
) -> Result<(), Conflict> {
    let (dz, other) = (*store.bits(z), store.bits(other).known());
    let known_low = other.known_low();
    if other.ones & 1 == 1 && known_low > 0 {
        // The other is odd, so modulo 2^known_low it has an inverse.
        let mask = dz.mask();
        let low = if known_low >= 64 { u64::MAX } else { (1 << known_low) - 1 };
        let inverse = inverse_of_odd(other.ones & low);
        let known = dz.known().mul(KnownBits::exact(inverse, mask & low), mask);
        store.narrow_known(factor, known.ones & low, known.zeros & low, why)?;
    }
    if dz.known().ones & 1 == 1 {
        store.narrow_known(factor, 1, 0, Premises::at(0))?;
    }
    Ok(())
}

/// `factor = z / other` where the product is exact: all products fit the reading of the vector.
fn divide(store: &mut Store, z: VarIdx, factor: VarIdx, other: VarIdx) -> Result<(), Conflict> {
    let (mask, width) = (store.bits(z).mask(), store.bits(z).width());
    for signedness in [Signedness::Unsigned, Signedness::Signed] {
        let f = store.bits(factor).range(signedness);
        let o = store.bits(other).range(signedness);
        let fits = fitting(mask, signedness);
        match product_range(f.0, f.1, o.0, o.1) {
            Some((lo, hi)) if fits.0 <= lo && hi <= fits.1 => {}
            Some(_) | None => continue,
        }
        match exact_quotient(store.bits(z).range(signedness), o, f) {
            None => return Err(store.fail(Premises::ALL)),
            Some((lo, hi)) => {
                let arc = Clockwise::from_integers(lo, hi, width);
                store.narrow_interval(factor, arc, Premises::ALL)?;
            }
        }
    }
    Ok(())
}

/// The integers f of `start` with `f * o` in `product` for some o of `other`: a range that holds
/// them.
pub(crate) fn exact_quotient(
    product: (i128, i128),
    other: (i128, i128),
    start: (i128, i128),
) -> Option<(i128, i128)> {
    let contains_zero = |range: (i128, i128)| range.0 <= 0 && 0 <= range.1;
    if contains_zero(other) && contains_zero(product) {
        return Some(start);
    }
    // The other factor without zero, in one or two pieces; the product then is no multiple of zero.
    let negative = (other.0, other.1.min(-1));
    let positive = (other.0.max(1), other.1);
    let mut result: Option<(i128, i128)> = None;
    for piece in [negative, positive] {
        if piece.0 > piece.1 {
            continue;
        }
        let Some(range) = quotient_by(product, piece) else {
            continue;
        };
        let range = (range.0.max(start.0), range.1.min(start.1));
        if range.0 <= range.1 {
            result = Some(result.map_or(range, |r| (r.0.min(range.0), r.1.max(range.1))));
        }
    }
    result
}

/// The integers f with `f * o` in `product` for some o of a range without zero.
fn quotient_by(product: (i128, i128), other: (i128, i128)) -> Option<(i128, i128)> {
    // Real bounds of p / o are at corners; then inward to integers.
    let floor = |p: i128, o: i128| p.div_euclid(o) - i128::from(o < 0 && p.rem_euclid(o) != 0);
    let ceil = |p: i128, o: i128| -floor(-p, o);
    let corners =
        [(product.0, other.0), (product.0, other.1), (product.1, other.0), (product.1, other.1)];
    let lo = corners.iter().map(|&(p, o)| ceil(p, o)).min().expect("four corners");
    let hi = corners.iter().map(|&(p, o)| floor(p, o)).max().expect("four corners");
    (lo <= hi).then_some((lo, hi))
}
