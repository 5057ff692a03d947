//! Propagators of comparisons, reified: the first argument says whether the comparison holds.

pub mod equal;
pub mod gap;
pub mod member;
pub mod order;
