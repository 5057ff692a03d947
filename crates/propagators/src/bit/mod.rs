//! Propagators of bit operations on vectors of at most 64 bits.

pub mod and;
pub mod concat;
pub mod extend;
pub mod extract;
pub mod not;
pub mod or;
pub mod shift;
pub mod xor;
