//! The search for tests and failures: from a function and its goals or properties to runs and verdicts.
//!
//! `PathSearch` follows paths over a constraint tree: the tree remembers every choice a path had, which ways
//! were taken, refuted or still open, and the most promising open way is solved and run next. A quest says what
//! is wanted: `cover` goals, `verify` properties, enumerate `solutions`. Every candidate passes the term
//! evaluator, then the interpreter; what the interpreter says is what counts. When no way is open any
//! more, what was not reached cannot be reached. `proof` asks the prover, for all of them.
//!
//! Not here: processes, compilers, files. Budgets count steps, so that the same input gives the same
//! suite on every machine.

pub mod aim;
pub mod budget;
pub mod cover;
mod deciding;
mod detours;
pub mod distance;
pub mod draws;
pub mod facts;
pub mod guide;
pub mod humane;
pub mod humane_input;
mod leading;
mod leaves;
mod meetings;
mod proof;
mod ranking;
mod refuted;
pub mod runner;
pub mod search;
pub mod seeds;
mod simpler_input;
pub mod solutions;
pub mod supervision;
mod trail;
pub mod tree;
mod valuation;
pub mod verify;

pub use aim::Aim;
pub use budget::Budget;
pub use cover::refutation::{CoreCondition, Refutation};
pub use cover::{CampaignResult, FoundViolation};
pub use runner::{FoundTest, TestRunner};
pub use search::{PathSearch, Subject};
pub use supervision::{Standing, Supervision, Watch};
pub use verify::{Check, Question, Verification, Violation};
