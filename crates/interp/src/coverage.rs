//! What a run touched: blocks, edges, and how each decision was evaluated.

use std::collections::BTreeMap;

use glassbox_ir::{BlockId, DecisionId, FuncId};

use crate::nearness::Nearest;
use crate::outcome::StackEntry;

/// Counters of one program, filled by runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Coverage {
    pub functions: BTreeMap<FuncId, FunctionCoverage>,
    /// In order, if the options ask for a trace.
    pub trace: Vec<Event>,
    /// How near the watched function came to each of its edges, if the options name one.
    pub nearest: Nearest,
    /// Where each function stood when the run ended inside of a call, the first one first.
    pub ended_in: Vec<StackEntry>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FunctionCoverage {
    /// How often each block was entered.
    pub blocks: Vec<u64>,
    /// How often each edge was taken: by block, then by position among its terminator's targets.
    pub edges: BTreeMap<(BlockId, u32), u64>,
    /// Every distinct evaluation of every decision.
    pub decisions: BTreeMap<DecisionId, Vec<Evaluation>>,
}

/// One way a decision was evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Evaluation {
    /// By condition: its value, or `None` where short-circuiting skipped it.
    pub conditions: Vec<Option<bool>>,
    pub outcome: bool,
}

/// A step of a trace: control took this edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event {
    pub function: FuncId,
    /// Numbers the calls of one run, so that recursive ones can be distinguished.
    pub activation: u32,
    pub block: BlockId,
    /// Position among the terminator's targets.
    pub edge: u32,
}

impl FunctionCoverage {
    pub fn add_evaluation(&mut self, decision: DecisionId, evaluation: Evaluation) {
        let known = self.decisions.entry(decision).or_default();
        if !known.contains(&evaluation) {
            known.push(evaluation);
        }
    }
}
