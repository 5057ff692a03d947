//! Naive truth of every relation: independent evidence for propagators and explanations.
//!
//! Written from the definitions of the operators, sharing no code with the kernel, the propagators or
//! the evaluator. Slow and obvious on purpose.

pub mod float;
