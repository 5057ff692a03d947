//! What instructions without effects mean, as terms: one place for all engines that reason.
//!
//! The interpreter's `pure` is the same for numbers; tests compare the two. Not here: memory, pointers, control.

pub mod cast;
pub mod float;
pub mod integer;
