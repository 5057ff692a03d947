//! `r = x1 and ... and xn` and `r = x1 or ... or xn` over booleans.
//!
//! Strength: complete without shared variables. Not pruned: `x and not x` (no propagator sees both).
//! A disjunction is read as the conjunction of its negations. Linear in n; `compile` splits long
//! argument lists into a tree.

use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use crate::relation::Relation;

/// The connective, named by the value that decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connective {
    And,
    Or,
}

impl Relation for Connective {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let connective = *self;
        // The neutral value of the operands; a single operand with the other value decides.
        let neutral = connective == Connective::And;
        let result = args[0];
        let truth = store.truth(result).value();
        if truth == Some(neutral) {
            for &operand in &args[1..] {
                store.set_truth(operand, neutral, Premises::at(0))?;
            }
            return Ok(Status::Entailed);
        }
        let mut open = None;
        let mut n_open = 0;
        for (position, &operand) in args.iter().enumerate().skip(1) {
            match store.truth(operand).value() {
                Some(value) if value != neutral => {
                    store.set_truth(result, !neutral, Premises::at(position))?;
                    return Ok(Status::Entailed);
                }
                Some(_) => {}
                None => {
                    open = Some(operand);
                    n_open += 1;
                }
            }
        }
        match (open, n_open) {
            (None, _) => {
                store.set_truth(result, neutral, Premises::ALL)?;
                Ok(Status::Entailed)
            }
            (Some(last), 1) if truth == Some(!neutral) => {
                store.set_truth(last, !neutral, Premises::ALL)?;
                Ok(Status::Entailed)
            }
            (Some(_), _) => Ok(Status::Stay),
        }
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}
