//! Propagators of bit operations on vectors of at most 64 bits.

pub(crate) mod and;
pub(crate) mod concat;
pub(crate) mod extend;
pub(crate) mod extract;
pub(crate) mod not;
pub(crate) mod or;
pub(crate) mod shift;
pub(crate) mod xor;
