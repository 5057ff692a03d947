//! Tests as source text that people keep: from data to files, nothing else.
//!
//! A test file includes the source under test, so that static functions and variables can be reached,
//! and has one function per test: typed inputs under the parameters' own names, one call, assertions on
//! the result and on memory that changed. The plain framework needs nothing but a C compiler.
//!
//! To add a framework: a file with its `TESTS`, and a variant of [`Framework`]. The bodies
//! of tests are the same everywhere; a framework says what `CHECK` and `CHECK_FLOAT` mean.
//!
//! Not here: processes, files, the solver. The same data gives the same text.

mod allocation;
pub mod assembly;
mod c_check;
mod c_input;
pub mod c_literal;
mod c_names;
mod c_object_names;
pub mod c_obstacle;
pub mod c_runtime;
pub mod c_test;
pub mod c_type;
mod calls;
pub mod check_framework;
pub mod cmocka;
mod declared;
pub mod excerpt;
mod file;
pub mod flags;
pub mod framework;
pub mod framework_runtime;
pub mod gtest;
pub mod java_framework;
pub mod java_imports;
mod java_instance;
pub mod java_literal;
mod java_making;
pub mod java_naming;
pub mod java_object;
pub mod java_probe;
mod java_stand_in;
mod java_static;
pub mod java_test;
mod java_values;
pub mod makefile;
pub mod naming;
pub mod outcome;
pub mod plain;
pub mod replaced;
mod runtime_support;
mod shared_state;
pub mod spelling;
mod standard_input;
pub mod stub;
pub mod stub_file;
pub mod unit_names;
pub mod unity;
mod variadic;

pub use c_names::{MOST_SAME, sees_addresses};
pub use c_test::TestFile;
pub use framework::Framework;
pub use spelling::Spellings;
pub use unit_names::UnitNames;
