//! Random formulas, the ways to solve them, and the judges: z3, evaluation, and solving again.

#![allow(dead_code, reason = "every user takes another part of it")]

pub(crate) mod compare;
pub(crate) mod formula;
#[path = "../../../terms/tests/random_terms/mod.rs"]
pub(crate) mod random_terms;
pub(crate) mod reduce;
pub(crate) mod z3;
