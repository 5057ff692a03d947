//! The typed builders: one method of `Terms` per operator, which simplifies while it builds.
//!
//! The result of a builder evaluates to the same value as the raw `Terms::intern` of the same
//! operator under every model, and is never larger. Sorts must fit, as for `intern`: a misfit is a
//! bug of the caller.

mod array;
mod bitvec;
mod bitvec_derived;
mod boolean;
mod constant;
mod float;
mod generic;
