//! How a run ends.

use glassbox_ir::{CheckKind, FuncId, Span, Ty};
use glassbox_testcase::Ending;

use crate::memory::{ObjectKind, ObjectState};

/// A closed list: every run ends in one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The value's bits, `None` for void.
    Returned(Option<u128>),
    /// `exit` was called with this status.
    Exited(i32),
    /// `abort`, or a signal raised by the program itself.
    Aborted,
    /// The program did what the language leaves undefined, or an assertion failed.
    Undefined(Box<UndefinedBehavior>),
    /// An assumption does not hold: the input is excluded.
    AssumptionFailed(Span),
    /// Our limit: a construct that is not modeled.
    Unsupported { what: String, span: Span },
    /// Our limit: an external function without a model.
    MissingFunction { name: String, span: Span },
    /// The step budget is used up.
    OutOfSteps,
    /// Memory or call depth is used up.
    OutOfMemory,
}

impl Outcome {
    /// What a test says of it.
    pub(crate) fn ending(&self) -> Ending {
        match self {
            Outcome::Returned(_) => Ending::Returned,
            Outcome::Exited(status) => Ending::Exited(*status),
            Outcome::Aborted => Ending::Aborted,
            Outcome::Undefined(report) => Ending::Failed { kind: report.kind, span: report.span },
            Outcome::AssumptionFailed(_) => Ending::Rejected,
            Outcome::Unsupported { what, span } => {
                Ending::Unsupported { what: what.clone(), span: *span }
            }
            Outcome::MissingFunction { name, span } => {
                Ending::Unsupported { what: format!("undefined function `{name}`"), span: *span }
            }
            Outcome::OutOfSteps | Outcome::OutOfMemory => Ending::Stopped,
        }
    }
}

/// A run-time error, in enough detail to explain it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndefinedBehavior {
    pub kind: CheckKind,
    pub span: Span,
    /// The operands that led to it.
    pub values: Vec<u128>,
    /// The types of the values.
    pub value_types: Vec<Ty>,
    pub message: Option<String>,
    /// The memory that was accessed.
    pub memory: Option<AccessedMemory>,
    /// Innermost call last.
    pub stack: Vec<StackEntry>,
}

/// The object that a failed access was about, and where in it the access was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessedMemory {
    pub kind: ObjectKind,
    pub state: ObjectState,
    pub origin: Span,
    pub size: u64,
    pub offset: i64,
    pub len: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackEntry {
    pub function: FuncId,
    /// Where the function was in its code.
    pub span: Span,
}
