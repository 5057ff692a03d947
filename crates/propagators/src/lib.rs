//! Propagators, one relation per file, and the engine that runs them over asserted terms.
//!
//! `Engine` is the door: assert terms, propagate, probe, label. Behind it, `compile` turns each term
//! into a kernel variable and a propagator `result = op(arguments)`, and `dispatch` is the table from
//! kinds to files. Every propagator states its relation, its strength and what it does not prune.
//!
//! Not here: proofs by other means (relaxation, blasting), simplification, programs. A conflict is a
//! proof; a candidate model is not, its user evaluates it.

mod array;
mod bit;
mod boolean;
mod candidate;
mod cmp;
mod compile;
mod difference;
pub mod dispatch;
pub mod engine;
pub mod float;
mod int;
mod plan;
mod wide;

pub use dispatch::{Kind, Table};
pub use engine::{Engine, Labelling, Propagation};
