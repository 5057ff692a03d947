//! The C front-end: from bytes to a fully typed, desugared tree, and from the tree to the program
//! representation.
//!
//! The walk: `cc -E` → tokens → typed tree ([`tree::Program`],
//! shared by all units, linked by name while it grows) → lowering.
//!
//! Invariants. A construct that is understood but not modelled becomes an explicit `Unsupported`
//! node with a span, never a failure of the file. Every implicit conversion of C is an explicit node
//! of the tree. Nothing a user writes can panic. Processes are started in one file only.
//!
//! Not here: constraints, coverage goals, execution, printing, exit codes.

mod check;
pub mod compdb;
pub mod compile;
pub mod diagnostics;
mod flag_lists;
pub mod flags;
pub mod front;
pub mod libc;
pub mod linemap;
pub mod lookups;
pub mod lower;
pub mod names;
mod order;
pub mod outside;
pub mod parse;
pub mod preprocess;
pub mod span;
pub mod spelling;
pub mod tree;
pub mod ty;
