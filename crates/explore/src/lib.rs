//! The search for tests: from a function and its goals to tests and verdicts.
//!
//! A campaign runs cheap concrete inputs first, then paths over a shared constraint tree: the tree
//! remembers every choice a path had, which ways were taken, refuted or still open, and the most promising
//! open way is solved and run next. Every candidate passes the term evaluator, then the interpreter;
//! what the interpreter says is what counts. When no way is open any more, what was not reached cannot be
//! reached.
//!
//! Not here: processes, compilers, files. Budgets count steps, so that the same input gives the same
//! suite on every machine.

pub mod aim;
pub mod campaign;
mod climb;
mod conclude;
mod deepen;
pub mod distance;
mod endless;
pub mod facts;
pub mod guide;
pub mod humane;
pub mod humane_input;
mod leaves;
pub mod minimize;
mod polish;
mod proof;
pub mod refutation;
pub mod seeds;
pub mod solutions;
pub mod supervision;
pub mod tree;
mod valuation;
pub mod verify;

pub use campaign::{Aim, Budget, CampaignResult, FoundTest, FoundViolation, explore};
pub use refutation::{CoreCondition, Refutation};
pub use supervision::{Standing, Supervision, Watch};
pub use verify::{Question, Verification, Violation, verify};
