//! Verdicts of goals and properties: a closed list.

use std::fmt;

use glassbox_ir::Span;

use crate::assumption::Assumption;

/// What is known about a goal. "Not found" is never reported as "impossible".
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
        bounds: Vec<Assumption>,
    },
    Unknown(UnknownReason),
    /// For assertions and checks.
    Violated {
        test: usize,
    },
    Holds(ProofMethod),
    HoldsWithin {
        bounds: Vec<Assumption>,
    },
}

impl Verdict {
    pub fn is_covered(&self) -> bool {
        matches!(self, Verdict::Covered { .. })
    }

    /// Whether it says that something never happens.
    pub fn is_proof(&self) -> bool {
        match self {
            Verdict::Infeasible(_)
            | Verdict::InfeasibleWithin { .. }
            | Verdict::Holds(_)
            | Verdict::HoldsWithin { .. } => true,
            Verdict::Covered { .. } | Verdict::Unknown(_) | Verdict::Violated { .. } => false,
        }
    }

    /// Whether nothing is known because steps or time were used up.
    pub fn is_out_of_budget(&self) -> bool {
        match self {
            Verdict::Unknown(reason) => match reason {
                UnknownReason::Budget(_) => true,
                UnknownReason::Unsupported { .. }
                | UnknownReason::Disagreement(_)
                | UnknownReason::Unconfirmed(_)
                | UnknownReason::OnlyUndefined
                | UnknownReason::Internal(_) => false,
            },
            Verdict::Covered { .. }
            | Verdict::Infeasible(_)
            | Verdict::InfeasibleWithin { .. }
            | Verdict::Violated { .. }
            | Verdict::Holds(_)
            | Verdict::HoldsWithin { .. } => false,
        }
    }

    /// Whether it holds only if some error of the program does not happen.
    pub fn rests_on_errors(&self) -> bool {
        match self {
            Verdict::InfeasibleWithin { bounds } | Verdict::HoldsWithin { bounds } => {
                bounds.iter().any(|bound| bound.is_about_errors())
            }
            Verdict::Infeasible(_)
            | Verdict::Holds(_)
            | Verdict::Covered { .. }
            | Verdict::Unknown(_)
            | Verdict::Violated { .. } => false,
        }
    }

    /// A proof rests on these assumptions, too; other verdicts stay as they are.
    /// The verdict if these need not be assumed.
    #[must_use]
    pub fn without(&self, accepted: &[Assumption]) -> Verdict {
        let rest = |bounds: &[Assumption]| -> Vec<Assumption> {
            bounds.iter().copied().filter(|bound| !accepted.contains(bound)).collect()
        };
        match self {
            Verdict::HoldsWithin { bounds } => match rest(bounds) {
                bounds if bounds.is_empty() => Verdict::Holds(ProofMethod::PathEnumeration),
                bounds => Verdict::HoldsWithin { bounds },
            },
            Verdict::InfeasibleWithin { bounds } => match rest(bounds) {
                bounds if bounds.is_empty() => Verdict::Infeasible(ProofMethod::PathEnumeration),
                bounds => Verdict::InfeasibleWithin { bounds },
            },
            Verdict::Infeasible(_)
            | Verdict::Holds(_)
            | Verdict::Covered { .. }
            | Verdict::Unknown(_)
            | Verdict::Violated { .. } => self.clone(),
        }
    }

    pub fn rest_on(&mut self, more: &[Assumption]) {
        let listed = |known: &mut Vec<Assumption>| {
            Assumption::listed(std::mem::take(known).into_iter().chain(more.iter().copied()))
        };
        match self {
            Verdict::InfeasibleWithin { bounds } | Verdict::HoldsWithin { bounds } => {
                *bounds = listed(bounds);
            }
            Verdict::Infeasible(_) if !more.is_empty() => {
                *self = Verdict::InfeasibleWithin { bounds: listed(&mut Vec::new()) };
            }
            Verdict::Holds(_) if !more.is_empty() => {
                *self = Verdict::HoldsWithin { bounds: listed(&mut Vec::new()) };
            }
            Verdict::Infeasible(_)
            | Verdict::Holds(_)
            | Verdict::Covered { .. }
            | Verdict::Unknown(_)
            | Verdict::Violated { .. } => {}
        }
    }
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
    /// Steps, time or memory used up.
    Budget(Spent),
    /// A construct that is not modeled stands in the way.
    Unsupported { what: String, span: Span },
    /// The real program behaved differently from the interpreter: our bug, with what was seen.
    Disagreement(String),
    /// No run of the real program confirms it: the tests do not compile, cannot be started, or do not end.
    Unconfirmed(String),
    /// Every run that reaches it goes on to undefined behavior.
    OnlyUndefined,
    /// The work on the function broke: our bug, with its message.
    Internal(String),
}

/// What was used up before anything was known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    Paths {
        n_paths: usize,
    },
    Time {
        n_paths: usize,
    },
    Memory {
        n_paths: usize,
    },
    /// The effort that one question to the solver may cost.
    QuestionOfSolver {
        n_paths: usize,
    },
    /// The steps that one path may have.
    LengthOfPath {
        n_paths: usize,
    },
    /// Everything that a search for runs without failing checks may cost: it looks for no failure.
    AvoidingFailures,
    /// The steps of runs that reach the goal: they do not end.
    StepsOfEndlessRuns {
        max_steps: u64,
    },
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spent::Paths { n_paths } => write!(f, "{n_paths} paths"),
            Spent::Time { n_paths } => write!(f, "the time limit ({n_paths} paths)"),
            Spent::Memory { n_paths } => write!(f, "the memory limit ({n_paths} paths)"),
            Spent::QuestionOfSolver { n_paths } => {
                write!(f, "the solver's budget for one question ({n_paths} paths)")
            }
            Spent::LengthOfPath { n_paths } => {
                write!(f, "the longest path allowed ({n_paths} paths)")
            }
            Spent::AvoidingFailures => f.write_str("a search that avoids failing checks"),
            Spent::StepsOfEndlessRuns { max_steps } => write!(
                f,
                "{max_steps} steps of a run that reaches it: such runs do not end, or very late, and \
                 are no tests"
            ),
        }
    }
}
