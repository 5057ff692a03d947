//! Builders beside those of single operators: constants, operators written with others, and operators
//! that are data. The builders of single operators are in `simplify`.

mod bitvec_derived;
mod boolean;
mod constant;
mod generic;
