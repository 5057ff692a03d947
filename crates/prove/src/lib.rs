//! Proofs: whether anything at all reaches a place of a function, decided without enumerating paths.
//!
//! `Prover` takes a program and a function under test and answers a `Question` (a block, an edge, a failing
//! check, the value of a condition) with `Impossible`, the method and the bounds that mattered, with
//! `Possible`, or with `Unknown` and the reason. `Impossible` is a proof over all inputs and all numbers of
//! turns of all loops, unless `Proof::bounds` says otherwise.
//!
//! Not here: tests. `Possible` is a hint, never a promise; to get a test, run the program.

pub mod answer;
mod budget;
mod contents;
mod cover;
pub mod describe;
mod gated;
mod induction;
mod model;
pub mod options;
mod portfolio;
mod prover;
pub mod question;

pub use answer::{Answer, Method, Proof, Reason};
pub use glassbox_callsum::may_recur;
pub use glassbox_whole::{AfterErrors, Doubt, Doubts, compares_with_constant};
pub use options::Options;
pub use prover::Prover;
pub use question::{Place, Question};
