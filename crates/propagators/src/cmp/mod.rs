//! Propagators of comparisons, reified: the first argument says whether the comparison holds.

pub(crate) mod equal;
pub(crate) mod order;
