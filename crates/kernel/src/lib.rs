//! The constraint kernel: domains, store, trail, queue, reasons, probing and search.
//!
//! A `Store` holds one domain per variable and records every narrowing on a trail, with its reason;
//! undoing restores it exactly. A `Network` holds propagators as plain records (kind and arguments)
//! and who watches whom. `Kernel` brings both together with a `Dispatch`, the table of what each
//! kind does, which the `propagators` room supplies. Failure is a value (`Conflict`), and a conflict
//! can be traced back to the assertions that caused it.
//!
//! Not here: terms as constraints (that is `propagators`), programs, clocks, files. Nothing is ever
//! claimed that was not derived: running out of budget is an outcome of its own.

pub mod analysis;
pub mod budget;
pub mod domain;
pub mod kernel;
pub mod network;
pub mod probe;
pub mod propagator;
pub mod queue;
pub mod reason;
pub mod search;
pub mod store;

pub use budget::Budget;
pub use domain::{BitsDomain, Domain, FloatInterval, Truth, WideBits};
pub use kernel::Kernel;
pub use network::{Network, PropIdx};
pub use propagator::{Dispatch, Priority, Status};
pub use reason::{AssertId, Premises, Reason};
pub use store::{Conflict, Narrowed, Store, VarIdx};
