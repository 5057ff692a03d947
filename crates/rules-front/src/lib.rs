//! Specifications by rewriting rules (`*.rules`): typed functions that are given by guarded conditional rules, as in
//! Gouraud and Gotlieb's "Using CHRs to generate functional test cases for the Java Card Virtual Machine" (PADL 2006).
//!
//! [`read`] turns a text into a typed [`Spec`], with the place of everything that is wrong. [`rewrite`] is the
//! reference meaning: it applies rules to terms. [`lower()`](lower::lower) makes a program of it that every engine understands: no
//! memory, only numbers, with the parts of inputs that some rule looks at as parameters.
//!
//! Not here: files, the search, how implementations are called.

pub mod check;
pub mod disjoint;
pub mod lex;
pub mod lower;
mod parse;
pub mod problem;
pub mod rewrite;
pub mod spec;
pub mod term;
pub mod tree;
mod well_founded;

pub use problem::Problem;
pub use spec::Spec;

/// A specification, or all that is wrong with the text.
pub fn read(text: &str) -> Result<Spec, Vec<Problem>> {
    let tokens = lex::tokens(text).map_err(|problem| vec![problem])?;
    let items = parse::items(&tokens).map_err(|problem| vec![problem])?;
    let spec = check::check(&items)?;
    let problems = well_founded::problems(&spec);
    if problems.is_empty() { Ok(spec) } else { Err(problems) }
}
