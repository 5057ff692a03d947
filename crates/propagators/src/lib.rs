//! Propagators, one relation per file, and the engine that runs them over asserted terms.
//!
//! `Engine` is the door: assert terms, propagate, probe, label. Behind it, `compile` turns each term
//! into a kernel variable and a propagator `result = op(arguments)`, `dispatch` says which relation an
//! operator posts, and each relation is a type in its own file. Every propagator states its relation, its strength and what it does not prune.
//!
//! Not here: proofs by other means (relaxation, blasting), simplification, programs. A conflict is a
//! proof; a candidate model is not, its user evaluates it.

pub mod array;
pub mod bit;
pub mod boolean;
mod candidate;
pub mod cmp;
mod compile;
mod difference;
pub mod dispatch;
pub mod engine;
pub mod float;
pub mod int;
mod plan;
pub mod relation;
mod wide;

pub use dispatch::{Kind, Table};
pub use engine::{Engine, Labelling, Propagation};
pub use relation::Relation;
