//! `r = (x == y)` and `r = (x xor y)` over booleans.
//!
//! Strength: complete, shared variables included (`x == x` is true whatever x is).

use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use crate::relation::Relation;

/// Whether the relation is equality or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Equivalence {
    Equal,
    Different,
}

impl Relation for Equivalence {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let sense = *self;
        let different = sense == Equivalence::Different;
        let [r, x, y] = [args[0], args[1], args[2]];
        if x == y {
            store.set_truth(r, !different, Premises::NONE)?;
            return Ok(Status::Entailed);
        }
        // r xor x xor y is a constant, so any two decide the third. A shared result cancels out.
        let positions = [r, x, y];
        for (target, other) in [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])] {
            let [a, b] = other.map(|position| positions[position]);
            let why = Premises::at(other[0]).and(other[1]);
            if a == b {
                store.set_truth(positions[target], !different, Premises::NONE)?;
                continue;
            }
            if let (Some(a), Some(b)) = (store.truth(a).value(), store.truth(b).value()) {
                store.set_truth(positions[target], a ^ b ^ !different, why)?;
                return Ok(Status::Entailed);
            }
        }
        Ok(Status::Stay)
    }
}
