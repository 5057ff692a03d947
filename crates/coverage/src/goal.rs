//! Goals: what a test suite should reach.

use glassbox_ir::{BlockId, DecisionId, FuncId, Span, VarRef};

use crate::facts::Site;

/// One goal of one function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// Stable: made of function, criterion, place and outcome, never of addresses or counters that
    /// change when an unrelated line does.
    pub id: String,
    /// The criterion it belongs to.
    pub criterion: &'static str,
    pub function: FuncId,
    pub span: Span,
    /// What to reach, in words: `n > 0 is true`.
    pub text: String,
    pub target: Target,
    /// For boundary values: how the operands of the comparison stand to each other.
    pub relation: Option<Relation>,
}

/// How the left operand stands to the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// The left operand is the neighbor below the right one.
    Below,
    Equal,
    Above,
}

impl Relation {
    pub const ALL: [Relation; 3] = [Relation::Below, Relation::Equal, Relation::Above];

    /// The last part of a goal's id.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Below => "below",
            Relation::Equal => "equal",
            Relation::Above => "above",
        }
    }
}

/// What reaching the goal means, on the IR.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// The instruction is executed.
    Site(Site),
    /// The edge, by position among the terminator's targets, is taken.
    Edge { block: BlockId, edge: u32 },
    /// Any of these edges is taken.
    AnyEdge(Vec<(BlockId, u32)>),
    /// The decision is evaluated to this outcome.
    Outcome { decision: DecisionId, outcome: bool },
    /// The condition is evaluated to this value.
    Condition { decision: DecisionId, condition: u16, value: bool },
    /// Two evaluations of the decision show that the condition alone changes the outcome.
    Independence { decision: DecisionId, condition: u16, flavor: McdcFlavor },
    /// A definition reaches a use without another definition between.
    DefUse { var: VarRef, def: Site, use_site: Site },
    /// The edges are taken one after the other in one activation.
    Path(Vec<(BlockId, u32)>),
    /// The check fails.
    CheckFails(Site),
    /// A run shows that a mutant of the function does something else. Facts about the function do not show that: whoever runs
    /// both says so.
    Killed { mutant: FuncId },
}

/// What "independently" means in MC/DC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum McdcFlavor {
    /// Only this condition differs between the two evaluations; conditions that short-circuiting
    /// skipped count as equal to anything.
    UniqueCause,
    /// Other conditions may differ where they are masked: they cannot influence the outcome.
    Masking,
}

impl McdcFlavor {
    pub fn name(self) -> &'static str {
        match self {
            McdcFlavor::UniqueCause => "unique-cause",
            McdcFlavor::Masking => "masking",
        }
    }
}
