//! `z = !x` bit by bit.
//!
//! Strength: complete on arcs and known bits: `!x = -x - 1` reflects the circle. Not pruned: holes.

use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use crate::relation::Relation;

/// Arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Not;

impl Relation for Not {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        for (target, source, position) in [(args[0], args[1], 1), (args[1], args[0], 0)] {
            let domain = store.bits(source);
            let arc = domain.interval().negate().shift_by(domain.mask());
            let known = domain.known().not();
            store.narrow_interval(target, arc, Premises::at(position))?;
            store.narrow_known(target, known.ones, known.zeros, Premises::at(position))?;
        }
        Ok(if store.is_fixed(args[0]) { Status::Entailed } else { Status::Stay })
    }
}
