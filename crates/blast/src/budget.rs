//! How much a blaster may use: gates over its life, steps per question.

use crate::sat::Stop;

/// Limits of a blaster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Gates of all circuits together; default three million, about 150 megabytes with their
    /// clauses. Beyond it a question is `Unknown(TooLarge)`.
    pub max_gates: usize,
    /// Conflicts that the incremental solver, which keeps what it learned for the next question,
    /// spends before a fresh solver with full preprocessing takes over; default 1000.
    pub quick_conflicts: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_gates: 3_000_000, quick_conflicts: 1_000 }
    }
}

/// What one question may cost.
#[derive(Clone)]
pub struct Budget {
    /// Conflicts of the SAT search: the deterministic measure.
    pub max_conflicts: u64,
    /// The emergency stop, called now and then.
    pub stop: Option<Stop>,
}

impl Budget {
    /// So many conflicts and no emergency stop.
    pub fn conflicts(max_conflicts: u64) -> Budget {
        Budget { max_conflicts, stop: None }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop())
    }
}

impl std::fmt::Debug for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Budget")
            .field("max_conflicts", &self.max_conflicts)
            .field("stop", &self.stop.is_some())
            .finish()
    }
}
