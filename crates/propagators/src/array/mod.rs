//! Propagators of reads from arrays.

pub mod congruence;
pub mod element;
