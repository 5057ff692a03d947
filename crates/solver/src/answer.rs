//! Answers: a model, a core, or why there is neither.

use glassbox_terms::{Model, TermId};

/// An assertion of one solver. Never used twice, even when the assertion was popped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssertionId(pub u32);

/// The answer of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Every assertion and assumption holds under this model. Variables it does not mention may have
    /// any value; evaluation gives them zero.
    Sat(Model),
    /// No model exists, and none of these alone.
    Unsat(Core),
    Unknown(Why),
}

/// Assertions and assumptions that together have no model. Not necessarily minimal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Core {
    /// In the order they were asserted.
    pub assertions: Vec<AssertionId>,
    /// In the order they were given.
    pub assumptions: Vec<TermId>,
}

/// Why a check has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Why {
    /// The steps of the layers were used up.
    Budget,
    /// The emergency stop on the wall clock ended the check.
    Stopped,
    /// The formula does not fit the memory bound.
    TooLarge,
    /// The layer that could decide it is switched off.
    Incomplete,
    /// The last layer that could decide it gave a model that does not hold: a bug, kept in the
    /// statistics as `wrong`.
    Disagreement,
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    pub fn model(&self) -> Option<&Model> {
        if let Answer::Sat(model) = self { Some(model) } else { None }
    }
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Why::Budget => "the step budget is used up",
            Why::Stopped => "the time limit ended the check",
            Why::TooLarge => "the formula does not fit the memory bound",
            Why::Incomplete => "the layers that could decide it are switched off",
            Why::Disagreement => "a layer gave a model that does not hold",
        })
    }
}
