//! `z = -x` modulo 2^n.
//!
//! Strength: exact on arcs both ways, known bits by the carries of `0 - x`. Not pruned: holes.

use glassbox_kernel::domain::KnownBits;
use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use crate::relation::Relation;

/// Arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neg;

impl Relation for Neg {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [z, x] = [args[0], args[1]];
        for (target, source, position) in [(z, x, 1), (x, z, 0)] {
            let domain = store.bits(source);
            let zero = KnownBits::exact(0, domain.mask());
            let known = zero.sub(domain.known(), domain.mask());
            let interval = domain.interval().negate();
            store.narrow_interval(target, interval, Premises::at(position))?;
            store.narrow_known(target, known.ones, known.zeros, Premises::at(position))?;
        }
        Ok(if store.is_fixed(x) && store.is_fixed(z) { Status::Entailed } else { Status::Stay })
    }
}
