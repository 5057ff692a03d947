//! The concrete interpreter of the IR: the reference semantics of a program.
//!
//! A `Machine` runs functions of one program on concrete values, within a step budget, and ends in an
//! `Outcome`, never in a panic. It notices every undefined behavior that the IR checks for and says
//! what, where, with which values, and where the memory came from.
//!
//! Code is compiled once per function into a flat register code (`compile`), because tests run the
//! same functions many times. Memory is byte-exact: a pointer is an address whose high half names the
//! object and whose low half is the offset, so pointer arithmetic is integer arithmetic and an
//! address is never mistaken for one of another object.
//!
//! The library that programs call (`libc`) is modeled on memory and given streams.
//!
//! Not here: constraints, coverage goals, processes, files.

mod activation;
mod address;
pub mod allocation;
pub mod code;
pub mod compile;
pub mod coverage;
pub mod external;
pub mod follow;
pub mod frame;
pub mod java;
pub mod java_observe;
mod leap;
pub mod machine;
mod made;
pub mod memory;
pub mod nearness;
pub mod outcome;
pub mod pure;
mod slow;
pub mod started;
mod step;
pub mod stubbed;
pub mod test_run;
mod undefined;
mod written;

pub use allocation::LostMemory;
pub use coverage::{Coverage, Event};
pub use external::{ExternalCall, ExternalResult, Externals, NoExternals};
pub use follow::{Followed, Moment, follow_test};
pub use machine::{Machine, Options};
pub use memory::{Address, Memory, MemoryError, Object, ObjectId, ObjectKind, ObjectState};
pub use outcome::{Outcome, StackEntry, UndefinedBehavior};
pub use started::{Initializers, Started};
pub use stubbed::{StubbedExternals, Stubs};
pub use test_run::{TestRun, run_only, run_test, run_test_elsewhere};
