//! What a propagator is here: a relation over variables, with its parameters.
//!
//! A relation is one type in one file, with everything the kernel asks of it. To add one: write the file,
//! and name the type where it is posted: in `dispatch` for an operator, in `plan` for a pattern of them.

use std::fmt::Debug;

use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};
use glassbox_values::Signedness;

use crate::cmp::order::Strictness;

/// A relation that a propagator keeps. Arguments are `[result, operands...]` unless the type says
/// otherwise.
pub trait Relation: Debug {
    /// Narrows the domains of `args`. Runs again after its own changes until nothing changes, unless it
    /// is idempotent.
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict>;

    /// Cheap relations, which read a few bounds, run before costly ones.
    fn priority(&self) -> Priority {
        Priority::Cheap
    }

    /// One pass reaches the fixpoint.
    fn is_idempotent(&self) -> bool {
        false
    }

    /// What it says of the difference of two variables.
    fn difference(&self) -> Difference {
        Difference::Nothing
    }
}

/// What a relation says of the difference of two variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    Nothing,
    /// The second argument is below the third, if the first holds.
    Order(Signedness, Strictness),
    /// The second argument is the third, if the first holds.
    Equal,
    /// The first two arguments are the same number in this reading.
    Extend(Signedness),
    /// The first argument is the sum of the others, modulo the width.
    Sum,
}
