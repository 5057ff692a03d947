//! Answers: impossible with its proof, possible, or unknown with the reason.

use glassbox_ir::Span;
use glassbox_testcase::Assumption;

/// What is known about a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// No run does it, within `Proof::bounds` (without any when they are empty).
    Impossible(Proof),
    /// The model of the function has a run that does it. The model is an over-approximation where it says
    /// so in `Hint::is_exact`; either way only a run of the program settles it.
    Possible(Hint),
    Unknown(Reason),
}

/// How something was shown to be impossible, and within which bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    pub method: Method,
    /// Bounds that the proof rests on; empty: it holds for all runs.
    pub bounds: Vec<Assumption>,
}

/// The method of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// The control-flow graph has no way there.
    ControlFlow,
    /// Ranges and known bits of the values exclude it.
    Ranges,
    /// Linear relations between the values exclude it.
    LinearInvariants,
    /// From any `k` turns without it follows that the next turn does not do it either.
    Induction { k: u32 },
    /// The model of the whole function, loops replaced by their invariants, has no such run.
    WholeFunction,
    /// Every input lies in a box of which no run does it.
    Covering,
    /// What calls do was taken from models of their functions alone; with that, any of the methods above.
    CallSummaries,
    /// No run of at most this many turns of each loop does it; longer ones do not exist or are excluded by
    /// a bound.
    Unfolding { turns: u32 },
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Method::ControlFlow => f.write_str("control flow"),
            Method::Ranges => f.write_str("ranges of values"),
            Method::LinearInvariants => f.write_str("linear invariants"),
            Method::Induction { k } => write!(f, "k-induction, k={k}"),
            Method::WholeFunction => f.write_str("whole-function model"),
            Method::Covering => f.write_str("runs over boxes of inputs"),
            Method::CallSummaries => f.write_str("call summaries"),
            Method::Unfolding { turns: 1 } => f.write_str("unfolding 1 turn"),
            Method::Unfolding { turns } => write!(f, "unfolding {turns} turns"),
        }
    }
}

/// A model of the function in which it happens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hint {
    /// Nothing was approximated on the way: the inputs should do it.
    pub is_exact: bool,
    /// Values of inputs by name, as bits of their width, in order of appearance.
    pub inputs: Vec<(String, glassbox_values::Bits)>,
}

/// Why nothing is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The methods that are switched on do not suffice.
    TooWeak,
    /// The steps were used up; in which part.
    Budget(&'static str),
    /// Something that is not modeled stands in the way.
    Unsupported { what: String, span: Span },
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::TooWeak => f.write_str("neither reached nor excluded by invariants"),
            Reason::Budget(part) => write!(f, "the budget of {part} is used up"),
            Reason::Unsupported { what, .. } => write!(f, "{what} is not modeled"),
        }
    }
}
