//! Search: values for variables by trying, within a step budget.
//!
//! `driver` runs a depth-first search with conflict analysis: a choice that a conflict does not rest
//! on is skipped over. `pick_var` and `pick_value` say what to try. Deterministic, restarts included.

pub mod driver;
pub mod pick_value;
pub mod pick_var;

pub use driver::{Outcome, Search};
