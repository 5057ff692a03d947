//! Floats as circuits: encodings in, an exact result with unbounded exponent, one rounding out.
//!
//! Words of float terms are IEEE encodings with the canonical NaN. An operation unpacks its operands
//! into normalized numbers, computes an exact (or sticky) result, and rounds it once. The shape
//! follows Brain, Schanda and Sun, "Building better bit-blasting for floating-point problems"
//! (TACAS 2019); unlike theirs, words stay packed between operations and rounding modes are fixed.

pub(crate) mod exponent;
pub(crate) mod normalize;
pub(crate) mod number;
pub(crate) mod round;
pub(crate) mod special;
pub(crate) mod sticky;
pub(crate) mod sum;
