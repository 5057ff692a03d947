//! The builders of operators: one method of `Terms` each, which simplifies while it builds. Sorts must fit,
//! as for `Terms::intern`; see `Op` for the meaning of operators at the edges.
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
//! Recipe for a rule: (1) put it into the family's file, in the method of the outermost operator;
//! (2) make it end in builders on strictly smaller terms or in `intern`; (3) the exhaustive tests
//! must reach it: extend the generator in `tests/` if its pattern is out of reach.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rule names the operators it rewrites; a term without a rule stays as it is"
)]

mod array;
mod bitwise;
mod bounds;
mod choice;
mod compare;
mod connective;
mod divide;
mod equality;
mod float_arith;
mod float_class;
mod float_compare;
mod float_convert;
mod float_of_int;
mod fold;
mod linear;
mod multiply;
mod overflow;
mod pattern;
mod shift;
mod slice;
mod square;
