//! Propagators of relations with floats, one operator per file.
//!
//! The argument list is `[result, operands...]`; booleans are read with `Store::truth`, vectors of at
//! most 64 bits with `Store::bits` (check the domain first: `FpToInt` and `FpFromInt` may be wide),
//! floats with `Store::float`. Deductions go through `Store::narrow_float`, `narrow_bits` and
//! `set_truth`, each with the positions of the arguments it rests on. A propagator is run again after
//! its own changes, so it need not be idempotent.

use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};
use glassbox_terms::Op;

/// Whether the operator, applied with floats among result and arguments, has a propagator here.
/// Includes `Op::Eq` and `Op::Ite` over floats.
pub fn has_propagator(_op: Op) -> bool {
    false
}

/// Runs the propagator of a float relation once.
pub fn propagate(_op: Op, _args: &[VarIdx], _store: &mut Store) -> Result<Status, Conflict> {
    Ok(Status::Stay)
}

/// When the propagator of a float relation runs.
pub fn priority(_op: Op) -> Priority {
    Priority::Costly
}
