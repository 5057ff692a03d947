//! Who decided what when, counted in runs and paths: nothing in a result depends on it but what people see of the search.

use std::fmt;

/// Who looks for tests and proofs, turn by turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Worker {
    /// Inputs that are drawn.
    Seeds,
    /// Runs that come nearer to an edge.
    Climbing,
    /// Symbolic paths.
    Paths,
    /// Questions about the whole function.
    Proofs,
    /// Paths over longer memory.
    Deepening,
    /// Paths through several calls.
    Sequences,
}

impl fmt::Display for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Worker::Seeds => "seeds",
            Worker::Climbing => "climbing",
            Worker::Paths => "paths",
            Worker::Proofs => "proofs",
            Worker::Deepening => "deepening",
            Worker::Sequences => "sequences",
        })
    }
}

/// A goal was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// By position.
    pub goal: usize,
    pub by: Worker,
    /// A run reached it; else it was refuted.
    pub is_reached: bool,
    /// Runs and paths until then.
    pub runs: usize,
    pub paths: usize,
}

/// By goal: how many runs it took to reach it first.
pub fn reached_after(history: &[Step], n_goals: usize) -> Vec<Option<usize>> {
    let mut all = vec![None; n_goals];
    for step in history.iter().filter(|step| step.is_reached) {
        if let Some(runs) = all.get_mut(step.goal) {
            *runs = Some(step.runs);
        }
    }
    all
}
