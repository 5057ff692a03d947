//! Problems of form: text that is no C program.

use super::Whose;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyntaxProblem {
    /// Something else should stand here; `found` is the token's text.
    Expected {
        what: &'static str,
        found: String,
    },
    StrayCharacter {
        found: String,
    },
    UnterminatedLiteral,
    EmptyCharacter,
    BadNumber {
        text: String,
    },
    /// A constant that no integer type holds.
    NumberTooLarge {
        text: String,
    },
    /// Brackets, statements or an operator chain go deeper than the limit.
    TooDeep {
        limit: u32,
    },
    TooManyErrors {
        limit: usize,
    },
    TooLarge,
    /// A contract on a function that cannot be called with its own parameters.
    NoHarness,
}

impl SyntaxProblem {
    pub fn whose(&self) -> Whose {
        match self {
            SyntaxProblem::TooDeep { .. } | SyntaxProblem::TooLarge | SyntaxProblem::NoHarness => {
                Whose::Tool
            }
            SyntaxProblem::Expected { .. }
            | SyntaxProblem::StrayCharacter { .. }
            | SyntaxProblem::UnterminatedLiteral
            | SyntaxProblem::EmptyCharacter
            | SyntaxProblem::BadNumber { .. }
            | SyntaxProblem::NumberTooLarge { .. }
            | SyntaxProblem::TooManyErrors { .. } => Whose::Program,
        }
    }

    pub fn hint(&self) -> Option<String> {
        let is_deep = matches!(self, SyntaxProblem::TooDeep { .. });
        is_deep.then(|| "split the expression or statement into smaller ones".into())
    }
}

impl std::fmt::Display for SyntaxProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SyntaxProblem::Expected { what, found } => write!(f, "expected {what}, found {found}"),
            SyntaxProblem::StrayCharacter { found } => write!(f, "stray `{found}` in program"),
            SyntaxProblem::UnterminatedLiteral => write!(f, "the closing quote is missing"),
            SyntaxProblem::EmptyCharacter => write!(f, "empty character constant"),
            SyntaxProblem::BadNumber { text } => write!(f, "`{text}` is not a number"),
            SyntaxProblem::NumberTooLarge { text } => {
                write!(f, "the integer `{text}` is too large for its type")
            }
            SyntaxProblem::TooDeep { limit } => {
                write!(f, "nested deeper than {limit} levels")
            }
            SyntaxProblem::TooManyErrors { limit } => {
                write!(f, "more than {limit} errors; the rest of the file is skipped")
            }
            SyntaxProblem::TooLarge => write!(f, "more than 4 GiB of preprocessed text"),
            SyntaxProblem::NoHarness => write!(
                f,
                "contracts of functions with variable arguments or parameters of variable length are \
                 not read"
            ),
        }
    }
}
