//! The SMT-LIB 2.6 reader: a script as a sequence of commands, its terms built in a `Terms` arena.
//!
//! `Front` reads the text and gives one `Command` after the other as plain data; a solver executes
//! them. `answer` prints what the solver found. Everything a reader can be fed ends in a command or
//! an `Error` with its place: no input panics, and nesting costs memory, not stack.
//!
//! Exactness where `terms` and SMT-LIB differ:
//! - functions that SMT-LIB leaves open (`fp.to_ubv` out of range, `fp.min` of two zeros, the
//!   encoding of NaN) get free variables for the open values, so that neither `sat` nor `unsat`
//!   depends on the choice made here;
//! - a `RoundingMode` is a number below 5; operators on a symbolic one choose between five;
//! - an `Int` variable is a 64-bit number, and all integer arithmetic is exact: operands are widened
//!   until the result fits. What is missing are the integers beyond 64 bits, so an `unsat` counts
//!   only when the script itself bounds every integer it mentions: `Command::CheckSat` lists those
//!   that it does not.
//!
//! Not here: solving, files, printing to anywhere.

pub mod answer;
mod apply;
pub mod command;
pub mod error;
mod expr;
pub mod front;
mod integer;
pub mod reply;
mod rounding;
mod scope;
mod sexp;
mod sort;
mod term;
mod undefined;

pub use command::{Command, Constant, Kind, Query};
pub use error::{Error, ErrorKind};
pub use front::Front;
