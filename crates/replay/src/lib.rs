//! Runs generated tests with the real compiler and believes only what it sees.
//!
//! A test is confirmed when the program that gcc makes of it passes its assertions, twice and in another
//! order, and evaluates the conditions of the function under test exactly as the interpreter said:
//! probes put around each condition in a copy of the preprocessed source report them. Everything runs in child
//! processes with limits on time, memory and file size, in a folder of its own, without network where the
//! system allows.
//!
//! Not here: finding tests. Besides this room only `c-front::preprocess`, `solver::external` and `driver` start
//! processes.

#![allow(clippy::disallowed_methods, reason = "it compiles and runs tests")]

pub mod agent;
mod blame;
pub mod clang;
pub mod compiler;
mod confinement;
pub mod confirm;
pub mod gcov;
pub mod java;
pub mod probe;
pub mod sandbox;
mod test_program;
pub mod tools;
pub mod violation;
pub mod written;

pub use confirm::{Confirmation, Confirmed, Replay, ReplayError, Tested, Unit, confirm};
pub use probe::{ComparisonSite, PlacedCondition, ProbeSite, SeenRelation};
pub use violation::{Evidence, Violations, confirm_violations};
