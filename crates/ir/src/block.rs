//! Blocks and how they end.

use glassbox_values::{Bits, Signedness};

use crate::id::{BlockId, DecisionId, ValueId};
use crate::instr::{Instr, Operand};
use crate::source::Span;

/// Instructions without branches, then one terminator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Values that predecessors pass in.
    pub params: Vec<ValueId>,
    pub instrs: Vec<Instr>,
    pub terminator: Terminator,
    pub terminator_span: Span,
}

/// Where control goes, with arguments for the block's parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub block: BlockId,
    pub args: Vec<Operand>,
}

impl Target {
    pub fn new(block: BlockId) -> Target {
        Target { block, args: Vec::new() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Terminator {
    Jump(Target),
    /// `condition` is an `Int(1)`.
    Branch {
        condition: Operand,
        if_true: Target,
        if_false: Target,
        /// The condition of the source that this branch evaluates, if there is one.
        origin: Option<BranchOrigin>,
    },
    /// Cases are disjoint; the first listed is the first in the source.
    Switch {
        value: Operand,
        cases: Vec<SwitchCase>,
        default: Target,
    },
    Return(Option<Operand>),
    /// Control does not come here: the instruction before never returns, or a check forbids it.
    Unreachable,
}

/// Equal values `low..=high` as the switched type's unsigned or signed order, whichever the source
/// has: both bounds are inclusive and `low` reaches `high` by counting up without wrapping around.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchCase {
    pub low: Bits,
    pub high: Bits,
    pub target: Target,
    pub span: Span,
}

impl SwitchCase {
    /// As C writes it: `case 5`, `case 5 ... 7`. Numbers are signed, unless the range shows that the source's
    /// are not.
    pub fn label(&self) -> String {
        let is_signed = self.low.sle(self.high);
        let signedness = if is_signed { Signedness::Signed } else { Signedness::Unsigned };
        let low = self.low.to_decimal(signedness);
        if self.low == self.high {
            return format!("case {low}");
        }
        format!("case {low} ... {}", self.high.to_decimal(signedness))
    }
}

/// The condition that a branch evaluates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BranchOrigin {
    pub decision: DecisionId,
    pub condition: u16,
    /// True: `if_true` is taken when the condition holds. False: the branch tests the negation.
    pub is_positive: bool,
    /// The decision's outcome when the edge settles it.
    pub outcome_if_true: Option<bool>,
    pub outcome_if_false: Option<bool>,
}

impl Terminator {
    /// Successors in order: true before false, cases before default.
    pub fn targets(&self) -> Vec<&Target> {
        match self {
            Terminator::Jump(target) => vec![target],
            Terminator::Branch { if_true, if_false, .. } => vec![if_true, if_false],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|case| &case.target).chain([default]).collect()
            }
            Terminator::Return(_) | Terminator::Unreachable => vec![],
        }
    }

    pub fn targets_mut(&mut self) -> Vec<&mut Target> {
        match self {
            Terminator::Jump(target) => vec![target],
            Terminator::Branch { if_true, if_false, .. } => vec![if_true, if_false],
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().map(|case| &mut case.target).chain([default]).collect()
            }
            Terminator::Return(_) | Terminator::Unreachable => vec![],
        }
    }
}
