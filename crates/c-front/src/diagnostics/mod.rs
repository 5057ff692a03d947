//! What the front-end reports to the user: one problem, its place, whose limit it is, what to try.

pub mod render;
pub mod setup;
pub mod syntax;
pub mod typing;

use crate::span::Span;
pub use setup::SetupProblem;
pub use syntax::SyntaxProblem;
pub use typing::{TypeProblem, TypeWarning};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Warning,
    /// The program cannot be used.
    Error,
}

/// Where the cause lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// The program breaks a rule of C.
    Program,
    /// Files, flags or the compiler are not as they must be.
    Setup,
    /// The program is fine; this tool does not go that far.
    Tool,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    Setup(SetupProblem),
    Syntax(SyntaxProblem),
    Type(TypeProblem),
    Warning(TypeWarning),
}

/// A problem and its place in the preprocessed program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub problem: Problem,
    /// `None` where no source is involved.
    pub span: Option<Span>,
    /// Another place that explains it, such as an earlier declaration.
    pub related: Option<(Span, Related)>,
}

/// What a related place shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Related {
    PreviousDeclaration,
    PreviousDefinition,
    PreviousCase,
}

impl std::fmt::Display for Related {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Related::PreviousDeclaration => "first declared here",
            Related::PreviousDefinition => "first defined here",
            Related::PreviousCase => "the same value was used here",
        })
    }
}

impl Diagnostic {
    pub fn new(problem: Problem, span: Span) -> Diagnostic {
        Diagnostic { problem, span: Some(span), related: None }
    }

    pub fn setup(problem: SetupProblem) -> Diagnostic {
        Diagnostic { problem: Problem::Setup(problem), span: None, related: None }
    }

    pub fn severity(&self) -> Severity {
        match &self.problem {
            Problem::Setup(problem) => problem.severity(),
            Problem::Syntax(_) | Problem::Type(_) => Severity::Error,
            Problem::Warning(_) => Severity::Warning,
        }
    }

    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }

    pub fn whose(&self) -> Whose {
        match &self.problem {
            Problem::Setup(problem) => problem.whose(),
            Problem::Syntax(problem) => problem.whose(),
            Problem::Type(_) | Problem::Warning(_) => Whose::Program,
        }
    }

    /// What to try, where something can be said.
    pub fn hint(&self) -> Option<String> {
        match &self.problem {
            Problem::Setup(problem) => problem.hint(),
            Problem::Syntax(problem) => problem.hint(),
            Problem::Type(problem) => problem.hint(),
            Problem::Warning(warning) => warning.hint(),
        }
    }

    pub fn message(&self) -> String {
        match &self.problem {
            Problem::Setup(problem) => problem.to_string(),
            Problem::Syntax(problem) => problem.to_string(),
            Problem::Type(problem) => problem.to_string(),
            Problem::Warning(warning) => warning.to_string(),
        }
    }
}
