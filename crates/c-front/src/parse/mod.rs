//! From text to tokens, and the grammar that drives the checker.

pub mod lex;
pub mod scan;
pub mod token;
