//! What gcc's programs compute, compared value for value with what this crate computes.
//!
//! Each test writes one C program, compiles it once, feeds it operands and compares the two streams
//! of results. The C programs compute only what C or gcc defines; what they skip is tested against
//! definitions elsewhere (`small_widths.rs`, `tiny_formats.rs`).

mod float_arith;
mod float_cast;
mod float_text;
mod gcc;
mod integer;
mod layout;
mod operands;
