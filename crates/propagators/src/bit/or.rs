//! `z = x | y` bit by bit.
//!
//! Strength: complete on known bits, both ways; bounds through `x <= z` and `y <= z` (unsigned), and
//! the tight disjunctions of two ranges. Not pruned: inner gaps of the results.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use super::and::{greatest_or, least_or};
use crate::relation::Relation;

/// Arguments `[z, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Or;

impl Relation for Or {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [z, x, y] = [args[0], args[1], args[2]];
        if x == y {
            let domain = *store.bits(x);
            store.narrow_bits(z, &domain, Premises::at(1))?;
            let domain = *store.bits(z);
            store.narrow_bits(x, &domain, Premises::at(0))?;
            return Ok(Status::Stay);
        }
        let (dx, dy) = (store.bits(x), store.bits(y));
        let (mask, width) = (dx.mask(), dx.width());
        let known = dx.known().or(dy.known());
        let (rx, ry) =
            ((dx.unsigned_min(), dx.unsigned_max()), (dy.unsigned_min(), dy.unsigned_max()));
        store.narrow_known(z, known.ones, known.zeros, Premises::at(1).and(2))?;
        let arc = Clockwise::new(least_or(rx, ry, mask), greatest_or(rx, ry, mask), width);
        store.narrow_interval(z, arc, Premises::at(1).and(2))?;
        for (operand, other, position) in [(x, y, 2), (y, x, 1)] {
            let (dz, other) = (store.bits(z), store.bits(other).known());
            let ones = dz.known().ones & other.zeros;
            let zeros = dz.known().zeros;
            let greatest = dz.unsigned_max();
            store.narrow_known(operand, ones, zeros, Premises::at(0).and(position))?;
            store.narrow_interval(operand, Clockwise::new(0, greatest, width), Premises::at(0))?;
        }
        let done = args.iter().all(|&arg| store.is_fixed(arg));
        Ok(if done { Status::Entailed } else { Status::Stay })
    }
}
