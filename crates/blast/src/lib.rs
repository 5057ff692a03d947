//! The complete layer: bit-blasting of terms onto CaDiCaL.
//!
//! A `Blaster` turns boolean terms into circuits (`op/`, one operator per file; `circuit` folds and
//! shares gates), hands the cones of a question to a SAT solver (`cnf`, `sat`) and reads models
//! and cores back. What a term's literals mean never depends on the question, so everything built
//! for a term is kept across checks; the terms of a question are assumptions of the SAT solver,
//! which is how cores come back.
//!
//! Arrays are decided by lemmas on demand (`array/`). Every question that does not fit the gate
//! limit or the step budget is answered `Unknown` with its reason, never guessed.
//!
//! Not here: simplification of terms (the builders of `terms` do that), clocks (a caller's `Stop`
//! may look at one), checking of models (the solver manager evaluates every model).

mod array;
mod blaster;
mod budget;
mod circuit;
mod cnf;
mod float;
mod lit;
mod op;
mod polynomial;
mod question;
mod sat;
mod translate;

pub use blaster::{Answer, Blaster, Reason, Statistics};
pub use budget::{Budget, Limits};
pub use sat::Stop;
