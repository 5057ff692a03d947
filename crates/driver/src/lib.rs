//! From a plan to reports: reading, preparing, searching, reviewing, writing, one way for every command and
//! every language.
//!
//! `drive` is that way. What differs between languages is behind [`Language`]: a new one is an implementation
//! and a line in [`language::LANGUAGES`]. Verdicts come from `explore`; what may take one back afterwards is in
//! one ordered list, `review::ORDER`.
//!
//! Not here: the command line, printing, exit codes. Progress and results go to a [`Listener`].

#![allow(clippy::disallowed_methods, reason = "it keeps the limits of time and writes the reports")]

pub mod audit;
pub mod c;
pub mod cache;
mod compared;
mod contract;
mod crew;
mod deadline;
pub mod depends;
mod dismiss;
mod draws;
pub mod drive;
mod earlier;
pub mod equiv;
mod evidence;
mod forbid;
pub mod function_report;
pub mod guard;
pub mod jvm;
mod kept;
pub mod language;
pub mod listener;
pub mod live;
mod memory;
pub mod mutate;
pub mod output;
pub mod plan;
mod premises;
mod prepare;
mod promises;
pub mod quality;
mod relation;
pub mod report_files;
mod review;
pub mod revision;
pub mod rules;
pub mod run;
mod save;
mod search;
pub mod shard;
pub mod since;
pub mod specification;
pub mod stamps;
pub mod stopwatch;
mod test_sources;
mod through;
mod verify;
pub mod wanted;

pub use drive::{Finished, drive, search_only};
pub use function_report::FunctionReport;
pub use language::{Language, Purpose, Refusal, read};
pub use listener::Listener;
pub use plan::{Plan, Task};
