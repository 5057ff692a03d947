//! Tests as source text that people keep: from data to files, nothing else.
//!
//! A test file includes the source under test, so that static functions and variables can be reached,
//! and has one function per test: typed inputs under the parameters' own names, one call, assertions on
//! the result and on memory that changed. The plain framework needs nothing but a C compiler.
//!
//! Not here: processes, files, the solver. The same data gives the same text.

pub mod c_literal;
pub mod c_runtime;
pub mod c_test;
pub mod c_type;
pub mod makefile;
pub mod naming;
pub mod plain;
pub mod stub;

pub use c_test::TestFile;
