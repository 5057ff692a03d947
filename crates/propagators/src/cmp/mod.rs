//! Propagators of comparisons, reified: the first argument says whether the comparison holds.

pub(crate) mod equal;
pub(crate) mod gap;
pub(crate) mod member;
pub(crate) mod order;
