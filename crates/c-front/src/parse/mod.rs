//! From text to tokens, and the grammar that drives the checker.
//!
//! A hand-written recursive descent parser for C11 with GNU extensions. It needs no syntax tree: C is
//! declared before use, so each construct is checked as soon as it is read (as clang does with its
//! actions). After a syntax error it continues at the next statement or declaration.

mod attribute;
mod cursor;
mod declaration;
mod declarator;
mod definition;
mod expr;
mod initializer;
pub mod lex;
mod postfix;
mod primary;
pub mod scan;
mod specifier;
mod statement;
mod tag;
pub mod token;
mod type_name;
mod unary;

pub(crate) use cursor::Parser;
