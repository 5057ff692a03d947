//! What a function depends on: digests of all that may run on its behalf (`coverage::running`) say whether it is the same.
//!
//! `exact` has all numbers and lines in it, because results that are kept name them. `moved` has neither, so that a
//! function which stands elsewhere keeps its verdicts while somebody writes.

mod exact;
mod moved;

pub use exact::dependencies;
pub(crate) use exact::{Dependence, dependences, named};
pub(crate) use moved::Contents;
