//! The solver manager: assertions in, models and cores out, through layers from cheap to complete.
//!
//! A `Solver` holds a stack of boolean terms. A check goes through the layers of `layer/`, each in one
//! file, each with counters and an off switch: rewriting, splitting, reuse, propagation, relaxation,
//! labelling, bit-blasting. Every model is evaluated against the original assertions before it leaves:
//! a layer whose model fails is left out of that question and counted, and the next one runs.
//!
//! What was learned about a prefix of the stack stays until that prefix is popped, so that a client
//! that walks over paths pays for what is new only.
//!
//! `enumerate` lists solutions, `sample` draws them uniformly and counts them. `script` executes SMT-LIB, with this solver or with another one behind the pipe of `external`;
//! `reduce` makes cores smaller for those who want to read them.
//!
//! Not here: programs, goals, files. Processes are started in `external` only. Clocks are read only for
//! the emergency stop and, with `Options::timing`, for the statistics; answers do not depend on them unless the stop ends a check.

mod answer;
pub mod enumerate;
pub mod external;
mod layer;
mod limits;
mod options;
mod patience;
pub mod reduce;
pub mod sample;
pub mod script;
mod second_opinion;
mod solver;
mod stack;
mod stage;
mod statistics;
mod vars;

pub use answer::{Answer, AssertionId, Core, Why};
pub use options::{Layer, Layers, Options, Steps};
pub use patience::{Allowance, StopFlag};
pub use second_opinion::{Opinions, SecondOpinion};
pub use solver::Solver;
pub use statistics::{LayerStatistics, Statistics};
