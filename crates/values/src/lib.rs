//! Exact machine values.
//!
//! The shared trust root: what `+`, `>>`, a cast or a division mean is defined here once and used
//! by the term evaluator, the interpreter and the tests. Every operation names its width and, where
//! it matters, its signedness; nothing relies on the host's integer widths. C and JVM meanings that
//! differ (shift amounts, float to integer, minimum) are separate, named functions.
//!
//! [`bits`] has integers of 1 to 128 bits, [`float`] has IEEE-754 floats of any format up to binary64 in
//! all five rounding directions, [`layout`] has the places of members in structures and unions.
//!
//! Invariants: an operation is total unless its name or type says otherwise; operands of unequal width
//! or format are a caller's bug and panic; text from outside never panics.
//!
//! Not here: memory, types of a language, symbolic anything, floating-point exception flags.

pub mod bits;
pub mod character;
pub mod float;
pub mod layout;
pub mod machine;

pub use bits::{Bits, Signedness};
pub use character::character;
pub use float::{Float, FloatClass, Format, RoundingMode, Sign};
pub use machine::Machine;
