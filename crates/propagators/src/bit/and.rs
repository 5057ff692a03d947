//! `z = x & y` bit by bit.
//!
//! Strength: complete on known bits, both ways; bounds through `z <= x` and `z <= y` (unsigned), and
//! the tight largest and smallest conjunction of two ranges on each side. Not pruned: inner gaps of
//! the results.
//!
//! Source of the tight bounds: H. S. Warren, Hacker's Delight, 2nd ed., 4-3.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use crate::relation::Relation;

/// Arguments `[z, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct And;

impl Relation for And {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [z, x, y] = [args[0], args[1], args[2]];
        if x == y {
            return same(store, z, x);
        }
        let (dx, dy) = (store.bits(x), store.bits(y));
        let (mask, width) = (dx.mask(), dx.width());
        let known = dx.known().and(dy.known());
        let (rx, ry) =
            ((dx.unsigned_min(), dx.unsigned_max()), (dy.unsigned_min(), dy.unsigned_max()));
        store.narrow_known(z, known.ones, known.zeros, Premises::at(1).and(2))?;
        let arc = Clockwise::new(least_and(rx, ry, mask), greatest_and(rx, ry, mask), width);
        store.narrow_interval(z, arc, Premises::at(1).and(2))?;
        for (operand, other, position) in [(x, y, 2), (y, x, 1)] {
            let (dz, other) = (store.bits(z), store.bits(other).known());
            let ones = dz.known().ones;
            let zeros = dz.known().zeros & other.ones;
            let least = dz.unsigned_min();
            store.narrow_known(operand, ones, zeros, Premises::at(0).and(position))?;
            store.narrow_interval(operand, Clockwise::new(least, mask, width), Premises::at(0))?;
        }
        let done = args.iter().all(|&arg| store.is_fixed(arg));
        Ok(if done { Status::Entailed } else { Status::Stay })
    }
}

fn same(store: &mut Store, z: VarIdx, x: VarIdx) -> Result<Status, Conflict> {
    let domain = *store.bits(x);
    store.narrow_bits(z, &domain, Premises::at(1))?;
    let domain = *store.bits(z);
    store.narrow_bits(x, &domain, Premises::at(0))?;
    Ok(Status::Stay)
}

/// The largest `a & b` for a, b in unsigned ranges.
pub(crate) fn greatest_and(x: (u64, u64), y: (u64, u64), mask: u64) -> u64 {
    // a & b = !(!a | !b); the ranges of complements are reversed.
    let flip = |r: (u64, u64)| (!r.1 & mask, !r.0 & mask);
    !least_or(flip(x), flip(y), mask) & mask
}

/// The smallest `a & b` for a, b in unsigned ranges.
pub(crate) fn least_and(x: (u64, u64), y: (u64, u64), mask: u64) -> u64 {
    let flip = |r: (u64, u64)| (!r.1 & mask, !r.0 & mask);
    !greatest_or(flip(x), flip(y), mask) & mask
}

/// The smallest `a | b`: raise one lower bound to the other's highest missing bit, if its range
/// allows.
pub(crate) fn least_or(x: (u64, u64), y: (u64, u64), mask: u64) -> u64 {
    let (mut a, mut c) = (x.0, y.0);
    let mut bit = (mask >> 1) + 1;
    while bit != 0 {
        if !a & c & bit != 0 {
            let raised = (a | bit) & bit.wrapping_neg();
            if raised <= x.1 {
                a = raised;
                break;
            }
        } else if a & !c & bit != 0 {
            let raised = (c | bit) & bit.wrapping_neg();
            if raised <= y.1 {
                c = raised;
                break;
            }
        }
        bit >>= 1;
    }
    a | c
}

/// The largest `a | b`: lower one upper bound where both have a bit, gaining all bits below.
pub(crate) fn greatest_or(x: (u64, u64), y: (u64, u64), mask: u64) -> u64 {
    let (mut b, mut d) = (x.1, y.1);
    let mut bit = (mask >> 1) + 1;
    while bit != 0 {
        if b & d & bit != 0 {
            let lowered = (b - bit) | (bit - 1);
            if lowered >= x.0 {
                b = lowered;
                break;
            }
            let lowered = (d - bit) | (bit - 1);
            if lowered >= y.0 {
                d = lowered;
                break;
            }
        }
        bit >>= 1;
    }
    b | d
}
