//! Exact machine values.
//!
//! The shared trust root: what `+`, `>>`, a cast or a division mean is defined here once and used
//! by the term evaluator, the interpreter and the tests. Every operation names its width and, where
//! it matters, its signedness; nothing relies on the host's integer widths. C and JVM meanings that
//! differ (shift amounts, float to integer, remainder) are separate, named functions.
//!
//! Not here: memory, types of a language, symbolic anything.

pub mod bits;
pub mod float;
pub mod layout;

pub use bits::{Bits, Signedness};
pub use float::{Float, FloatClass, Format, RoundingMode, Sign};
