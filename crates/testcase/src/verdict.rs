//! Verdicts of goals and properties: a closed list.

use glassbox_ir::Span;

/// What is known about a goal. "Not found" is never told as "impossible".
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A test reaches it.
    Covered {
        test: usize,
    },
    /// Nothing reaches it.
    Infeasible(ProofMethod),
    /// Nothing reaches it within these bounds.
    InfeasibleWithin {
        bounds: Vec<String>,
    },
    Unknown(UnknownReason),
    /// For assertions and checks.
    Violated {
        test: usize,
    },
    Holds(ProofMethod),
    HoldsWithin {
        bounds: Vec<String>,
    },
}

/// How something was proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProofMethod {
    /// The control-flow graph has no way there.
    ControlFlow,
    /// All paths were enumerated and refuted by the solver.
    PathEnumeration,
    /// The whole-function model is unsatisfiable.
    WholeFunction,
    /// Loop summaries (abstract interpretation) exclude it.
    LoopSummary,
    Induction,
    /// Runs over boxes of inputs that together are all inputs.
    Covering,
    /// What calls do was taken from models of their functions alone.
    CallSummaries,
}

/// Why nothing is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnknownReason {
    /// Steps or time used up; which one.
    Budget(String),
    /// A construct that no one has modeled stands in the way.
    Unsupported { what: String, span: Span },
    /// The real program behaved differently from the interpreter: our bug, with its story.
    Disagreement(String),
    /// Every run that reaches it goes on to undefined behavior.
    OnlyUndefined(String),
    /// The work on the function broke: our bug, with its message.
    Internal(String),
}
