//! From text to tokens, and the grammar that drives the checker.
//!
//! A hand-written recursive descent parser for C11 with GNU extensions. It needs no syntax tree: C is
//! declared before use, so each construct is checked as soon as it is read (as clang does with its
//! actions). After a syntax error it continues at the next statement or declaration.
//!
//! Why not the crate lang-c: it stops at the first error, its error positions are sets of grammar
//! rules, what it refuses (packed unions, empty initializers, attributes in odd places) would need
//! rewriting of the text, and its tree would be built only to be walked once.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the grammar asks for a few of a hundred tokens; every other one means that the construct is not there"
)]

mod assembly;
mod attribute;
mod cursor;
mod declaration;
mod declarator;
mod definition;
mod expr;
pub mod harness;
mod initializer;
pub mod lex;
mod postfix;
mod pragma;
mod primary;
pub mod scan;
mod specifier;
mod statement;
mod tag;
pub mod token;
mod type_name;
mod unary;

pub(crate) use cursor::Parser;
