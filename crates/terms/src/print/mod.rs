//! Terms as text: SMT-LIB 2.6 for machines, infix for people.

mod export;
mod infix;
mod lower;
mod smtlib;
mod source;
mod symbol;

pub use export::{Dialect, Export, export};
pub use infix::{display, source_text};
pub use smtlib::to_smtlib;
pub use symbol::{quote_symbol, sort_to_smtlib, value_to_smtlib};
