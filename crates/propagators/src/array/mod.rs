//! Propagators of reads from arrays.

pub(crate) mod congruence;
pub(crate) mod element;
