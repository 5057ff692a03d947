//! Mutants: a function with one small change.
//!
//! Where something can be changed, and into what, is said by the typed tree (`places`), so that nearly every mutant
//! compiles; the change is made in the preprocessed text (`variant`), which the front-end reads in the scope of the
//! unit. So one program has the function and all its mutants, and no compiler is started for any of them. Methods of the JVM have
//! mutants in their code (`bytecode`).
//!
//! Not here: running mutants, deciding about them.

mod bytecode;
mod operator;
mod places;
mod variant;

pub use bytecode::{CodeMutant, code_mutants};
pub use operator::Operator;
pub use places::mutants;
pub use variant::{body, body_range, file_of, marker};

use std::ops::Range;

use glassbox_c_front::span::Span;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    pub operator: Operator,
    /// What is replaced, in all preprocessed text.
    pub span: Span,
    /// The same in the text of the unit.
    pub range: Range<usize>,
    pub original: String,
    pub replacement: String,
}

/// The text of a unit.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// Preprocessed.
    pub bytes: &'a [u8],
    /// Where it begins in all text.
    pub base: u32,
}

impl Text<'_> {
    fn range(&self, span: Span) -> Option<Range<usize>> {
        let at = |offset: u32| usize::try_from(offset.checked_sub(self.base)?).ok();
        let range = at(span.start)?..at(span.end)?;
        (range.start <= range.end && range.end <= self.bytes.len()).then_some(range)
    }

    fn of(&self, range: Range<usize>) -> String {
        String::from_utf8_lossy(&self.bytes[range]).into_owned()
    }
}
