//! What a prover may do: ingredients on and off, depths, steps.

use glassbox_solver::{SecondOpinion, StopFlag};
use glassbox_whole::AfterErrors;

/// How a prover works. Each ingredient can be switched off, so that its worth can be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What inputs are, as for exploration.
    pub model: glassbox_model::Config,
    /// Whether proofs rest on errors that do not happen. By default they do.
    pub after_errors: AfterErrors,
    /// Whether proofs rest on types of pointers to keep memory apart. By default they do.
    pub types_apart: bool,
    /// Linear relations between values, beside their ranges. Default on.
    pub linear: bool,
    /// Invariants of loops by abstract interpretation. Default on; off, loops are unfolded only.
    pub summaries: bool,
    /// What loops put into arrays, or have seen in them. Default on.
    pub contents: bool,
    /// Trying both sides of undecided conditions. Default on.
    pub probing: bool,
    /// k-induction. Default on.
    pub induction: bool,
    /// The whole-function model and its unfoldings. Default on.
    pub whole_function: bool,
    /// Instructions of the runs over boxes of float inputs in one question; 0 is off. Default 4 million.
    pub covering: u64,
    /// What a call does from a model of its function alone, where it is not expanded. Default on; off, such
    /// calls may do anything.
    pub call_summaries: bool,
    /// Every call is expanded, whether or not the question needs it. Default off.
    pub eager_calls: bool,
    /// Calls within calls that are expanded; deeper ones may do anything. Default 6.
    pub max_call_depth: u32,
    /// Activations of a function within itself that are expanded. Default 0.
    pub max_recursion: usize,
    /// Blocks after expansion. Default 4000.
    pub max_blocks: usize,
    /// The largest k of k-induction. Default 4.
    pub max_k: u32,
    /// Visits of a loop head that are unfolded, when the loop ends by then. Default 20.
    pub max_turns: u32,
    /// Turns of the analysis before bounds are widened. Default 3.
    pub widen_after: u32,
    /// Work of all linear programs for the invariants, and again for each question, counted as in
    /// `glassbox_relax` (thirty to the microsecond). Default 40 million.
    pub linear_work: u64,
    /// Conflicts of the SAT solver in one question to it. Default 20 000.
    pub conflicts: u64,
    /// Gates of the circuit of one question. Default 250 000.
    pub max_gates: usize,
    /// The emergency stop of one question by the wall clock. Default none.
    pub time_limit: Option<std::time::Duration>,
    /// The emergency stop of the caller, looked at inside a question. Default none.
    pub stop: StopFlag,
    /// Another solver that is asked about every refutation. Default none.
    pub second_opinion: Option<SecondOpinion>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            model: glassbox_model::Config::default(),
            after_errors: AfterErrors::End,
            types_apart: true,
            linear: true,
            summaries: true,
            contents: true,
            probing: true,
            induction: true,
            whole_function: true,
            covering: 4_000_000,
            call_summaries: true,
            eager_calls: false,
            max_call_depth: 6,
            max_recursion: 0,
            max_blocks: 4000,
            max_k: 4,
            max_turns: 20,
            widen_after: 3,
            linear_work: 40_000_000,
            conflicts: 20_000,
            max_gates: 250_000,
            time_limit: None,
            stop: StopFlag::default(),
            second_opinion: None,
        }
    }
}

impl Options {
    /// How far graphs go.
    pub fn graph(&self) -> glassbox_whole::Options {
        glassbox_whole::Options {
            model: self.model,
            after_errors: self.after_errors.clone(),
            types_apart: self.types_apart,
            call_summaries: self.call_summaries,
            max_call_depth: self.max_call_depth,
            max_recursion: self.max_recursion,
            max_blocks: self.max_blocks,
        }
    }

    /// What the analysis of loops may do.
    pub fn invariants(&self) -> glassbox_invariants::Options {
        glassbox_invariants::Options {
            is_on: self.summaries,
            linear: self.linear,
            probing: self.probing,
            widen_after: self.widen_after,
            linear_work: self.linear_work,
            stop: self.stop.clone(),
        }
    }

    /// How summaries of calls are looked for.
    pub fn calls(&self) -> glassbox_callsum::Options {
        glassbox_callsum::Options { graph: self.graph(), invariants: self.invariants() }
    }
}
