//! `r = not x` over booleans.
//!
//! Strength: complete.

use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use crate::relation::Relation;

/// `r = not x`; arguments `[r, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Not;

impl Relation for Not {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [result, operand] = [args[0], args[1]];
        if let Some(truth) = store.truth(operand).value() {
            store.set_truth(result, !truth, Premises::at(1))?;
            return Ok(Status::Entailed);
        }
        if let Some(truth) = store.truth(result).value() {
            store.set_truth(operand, !truth, Premises::at(0))?;
            return Ok(Status::Entailed);
        }
        Ok(Status::Stay)
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}
