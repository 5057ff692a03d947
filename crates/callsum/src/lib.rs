//! Calls that are not expanded: what a call of a function does, whatever calls it.
//!
//! A *summary* says what holds whenever a function returns: domains and linear relations over its arguments,
//! its result, and the scalar globals it mentions, before and after (`schema`); and which memory it may have
//! written (`effects`). A call that is too deep, recursive or repeated becomes a fresh result of which the
//! summary is assumed, and only what the function may write is forgotten.
//!
//! In functions that call themselves the ways of returning are kept apart: what ends the recursion and what goes on are
//! in different relations, and a call is one of them, with what it tells about the arguments. So the summary of McCarthy's function
//! is "above 100 ten less, else 91", where both together are in no linear relation but bounds.
//!
//! Two methods to find summaries. *Bottom-up* (`bottom_up`): from a model of the function alone, its arguments and
//! memory anything, the functions it calls first; recursive functions together, from "does not return" upward
//! with delayed widening until nothing changes, then downward. *In context* (`context`): the same, where the
//! arguments are what the calls seen in the models can give, so that questions about places inside such functions
//! can be answered too.
//!
//! **Why it is sound**: a summary is checked to be inductive: under the hypothesis that every call inside
//! keeps its summary, and that every entry is within what was assumed of entries, the analysis of the body gives
//! no more than the summary. By induction over the steps of a run, every call that returns keeps it. Going
//! downward replaces a hypothesis by what the analysis derives from it, which holds as well.
//!
//! **Not seen**: relations that are not linear within one way of returning, the contents of arrays and of memory behind pointers after the
//! call, which are forgotten.
//!
//! Source: docs/papers/calls.md, rule 1.10 (`rel_call` of Euclide: calls are introduced one level after the other, breadth first).
//! Deviation: a call that is not yet introduced is bounded by its summary instead of its type.

mod bottom_up;
mod context;
mod effects;
pub mod options;
mod order;
mod schema;
mod text;

pub use bottom_up::Summaries;
pub use context::{Effort, InContext, in_context};
pub use effects::writing;
pub use glassbox_whole::summary::Writes;
pub use options::Options;
pub use order::may_recur;
