//! Directed simplification: what the builders do instead of interning the operator as it is.
//!
//! Laws, checked in `tests/simplify_*.rs`:
//! - the result evaluates as the raw operator does, under every model;
//! - rules go one way: fewer operators, or the same number with constants further out and narrower
//!   operands. Four rules add an operator to remove an expensive one: a product that overflows a constant
//!   factor becomes two comparisons, equalities are taken apart along concatenations, and a square
//!   that equals a constant becomes its roots. Nothing is commuted, distributed or associated in
//!   general: the arguments of commutative operators are ordered (constants last, then by id), and
//!   constants are collected;
//! - arguments are taken as already simplified, so a rule looks one or two levels down and never
//!   walks a term: building costs a bounded number of steps.
//!
//! Recipe for a rule: (1) put it into the family's file, in the function of the outermost operator;
//! (2) make it end in builders on strictly smaller terms or in `intern`; (3) the exhaustive tests
//! must reach it: extend the generator in `tests/` if its pattern is out of reach.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rule names the operators it rewrites; a term without a rule stays as it is"
)]

pub(crate) mod array;
pub(crate) mod bitwise;
pub(crate) mod bounds;
pub(crate) mod choice;
pub(crate) mod compare;
pub(crate) mod connective;
pub(crate) mod divide;
pub(crate) mod equality;
pub(crate) mod float_arith;
pub(crate) mod float_class;
pub(crate) mod float_compare;
pub(crate) mod float_convert;
mod float_of_int;
pub(crate) mod fold;
pub(crate) mod linear;
pub(crate) mod multiply;
pub(crate) mod overflow;
mod pattern;
pub(crate) mod shift;
pub(crate) mod slice;
mod square;
