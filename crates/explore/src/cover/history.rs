//! Who decided what when, counted in runs and paths: nothing in a result depends on it but what people see of the search.

use std::collections::BTreeMap;
use std::fmt;

use glassbox_ir::FuncId;
use glassbox_model::ChoiceKind;

use crate::tree::{Tree, WayState};

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

/// A place where paths part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fork {
    pub function: FuncId,
    pub line: u32,
    pub kind: ChoiceKind,
    /// Choices there on all paths, and how many of their ways were taken, are open and were refuted.
    pub n_choices: usize,
    pub n_taken: usize,
    pub n_open: usize,
    pub n_refuted: usize,
}

/// Places that are shown.
const MOST_FORKS: usize = 15;

/// The places where paths part most often.
pub(crate) fn forks(tree: &Tree) -> Vec<Fork> {
    let mut all: BTreeMap<(FuncId, u32, String), Fork> = BTreeMap::new();
    for id in tree.ids() {
        let node = tree.node(id);
        let (function, line, kind) = (node.point.function, node.point.span.line, node.point.kind);
        let fork = all.entry((function, line, format!("{kind:?}"))).or_insert(Fork {
            function,
            line,
            kind,
            n_choices: 0,
            n_taken: 0,
            n_open: 0,
            n_refuted: 0,
        });
        fork.n_choices += 1;
        for way in &node.ways {
            match way.state {
                WayState::Taken(_) => fork.n_taken += 1,
                WayState::Open => fork.n_open += 1,
                WayState::Infeasible | WayState::Unknown | WayState::Failure => fork.n_refuted += 1,
            }
        }
    }
    let mut all: Vec<Fork> = all.into_values().collect();
    all.sort_by_key(|fork| std::cmp::Reverse(fork.n_choices));
    all.truncate(MOST_FORKS);
    all
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
