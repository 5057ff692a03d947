//! How much of a program goes into one graph.

use std::collections::BTreeMap;
use std::sync::Arc;

use glassbox_ir::{FuncId, Operand, PureOp, ValueId};

/// Where runs go when a check fails.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AfterErrors {
    /// Nowhere: they go on only where checks pass.
    #[default]
    End,
    /// On, as machines do: an access at null ends the run or changes nothing, and values in doubt are any number.
    GoOn(Arc<Doubts>),
}

/// Values that are what their instructions say only where no error has happened.
pub type Doubts = BTreeMap<(FuncId, ValueId), Doubt>;

/// What is left of a value when an error has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// Some number, which is the same wherever it is compared with constants.
    Steady,
    /// Some number, and another one at each use: optimizers compare operands instead of results (`x + 1 < x`).
    EachUse,
}

/// Whether an operation compares a number with a constant.
pub fn compares_with_constant(op: &PureOp) -> bool {
    matches!(
        op,
        PureOp::Compare { lhs: Operand::Int(_), .. } | PureOp::Compare { rhs: Operand::Int(_), .. }
    )
}

/// What inputs are, and which calls are expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// What inputs are and what signed overflow means, as for exploration.
    pub model: glassbox_model::Config,
    pub after_errors: AfterErrors,
    /// What pointers to different types lead to does not overlap. Otherwise memory behind pointers is one, by address.
    pub types_apart: bool,
    /// Calls that are not expanded are what their summaries say; otherwise they may do anything.
    pub call_summaries: bool,
    /// Calls within calls that are expanded.
    pub max_call_depth: u32,
    /// Activations of a function within itself that are expanded.
    pub max_recursion: usize,
    /// Blocks after expansion.
    pub max_blocks: usize,
}
