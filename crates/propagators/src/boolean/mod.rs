//! Propagators of the boolean connectives and of the conditional.

pub mod conjunction;
pub mod equivalence;
pub mod ite;
pub mod negation;
