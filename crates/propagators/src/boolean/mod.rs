//! Propagators of the boolean connectives and of the conditional.

pub(crate) mod conjunction;
pub(crate) mod equivalence;
pub(crate) mod ite;
pub(crate) mod negation;
