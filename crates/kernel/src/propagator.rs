//! What a propagator is to the kernel: a kind, arguments, and a table that runs kinds.
//!
//! Recipe for a new relation: 1. its naive truth in `checkers`; 2. one file in `propagators` with a type
//! that is a `Relation`, and the line that posts it; 3. the exhaustive test of the kit in
//! `propagators/tests`.
//!
//! Laws every kind obeys: it keeps every solution, it reports a conflict only without solutions, it
//! decides when all arguments are fixed, and the premises it gives are enough to deduce what it
//! deduced.

use crate::store::{Conflict, Store, VarIdx};

/// When a propagator runs, relative to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Priority {
    /// Constant time, strong effect: comparisons, sums, boolean connectives.
    Cheap,
    /// Products, divisions, joins over branches, tables.
    Costly,
}

/// What a propagator says after it ran without conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// Wake again when an argument changes.
    Stay,
    /// True for every tuple of the present domains: asleep until backtracking. Believed only when
    /// the run changed nothing, or of an idempotent kind.
    Entailed,
}

/// The table of what each kind of propagator does.
pub trait Dispatch {
    /// Small and plain: operator and parameters, no variables.
    type Kind: Copy + std::fmt::Debug;

    /// Narrows the domains of `args` in `store`. Runs again after its own changes until nothing
    /// changes, unless `is_idempotent`.
    fn propagate(
        &self,
        kind: Self::Kind,
        args: &[VarIdx],
        store: &mut Store,
    ) -> Result<Status, Conflict>;

    fn priority(&self, kind: Self::Kind) -> Priority;

    /// True when running twice in a row never does more than running once, provided no variable
    /// occurs twice among the arguments.
    fn is_idempotent(&self, kind: Self::Kind) -> bool;
}
