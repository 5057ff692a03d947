//! A function's control flow: blocks, decisions, ways that are closed, what holds at lines.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::goal::EdgeOf;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Decision {
    pub kind: DecisionKind,
    pub line: u32,
    pub column: u32,
    /// `c1 && (c2 || !c3)`: conditions counted from 1.
    pub formula: String,
    pub conditions: Vec<Condition>,
    pub evaluations: Vec<Evaluation>,
    /// The other ways to evaluate it; absent where there are too many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Unseen>,
    /// Pairs of evaluations that show a condition's independence, where MC/DC is asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<Pair>,
}

/// A way to evaluate a decision that no test takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Unseen {
    /// By condition; null where it is skipped.
    pub values: Vec<Option<bool>>,
    pub outcome: bool,
    /// Why no run takes it, where that is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impossible: Option<Impossible>,
}

/// A verdict that excludes an evaluation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Impossible {
    /// Position in the function's goals: one that is infeasible, or infeasible within bounds.
    pub goal: usize,
    /// Position in evaluations: one that together with this one would reach the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<usize>,
}

/// Two evaluations in which a condition alone changes the outcome; positions in evaluations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Pair {
    pub condition: u16,
    pub first: usize,
    pub second: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DecisionKind {
    If,
    While,
    Do,
    For,
    #[serde(rename = "?:")]
    Ternary,
    Value,
    Assertion,
    Throws,
    #[default]
    Branch,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Condition {
    pub text: String,
    pub line: u32,
    pub column: u32,
}

/// One evaluation of a decision, and the tests that show it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Evaluation {
    /// By condition; null where it was skipped.
    pub values: Vec<Option<bool>>,
    pub outcome: bool,
    pub tests: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Graph {
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Block {
    pub lines: Vec<u32>,
    pub kind: BlockKind,
    /// The condition that is tested at its end, as the source spells it.
    pub text: Option<String>,
    pub edges: Vec<Edge>,
}

/// How a block ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BlockKind {
    #[default]
    Jump,
    Branch,
    /// Whether the machine throws: no branch of the source.
    Throws,
    Switch,
    Return,
    End,
}

impl BlockKind {
    pub fn name(self) -> &'static str {
        match self {
            BlockKind::Jump => "jump",
            BlockKind::Branch => "branch",
            BlockKind::Throws => "throws",
            BlockKind::Switch => "switch",
            BlockKind::Return => "return",
            BlockKind::End => "end",
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Edge {
    pub to: usize,
    /// What has to be so for control to go this way, in words.
    pub label: Option<String>,
}

/// What holds at a line for every input.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Invariant {
    pub line: u32,
    pub known: Known,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// No run comes there.
    Dead,
    /// Ranges and relations.
    Facts(Vec<String>),
}

impl Default for Known {
    fn default() -> Known {
        Known::Facts(Vec::new())
    }
}

/// A way that is closed, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Refutation {
    pub edge: EdgeOf,
    /// Conditions that cannot hold together.
    pub core: Vec<CoreCondition>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct CoreCondition {
    pub text: String,
    pub line: Option<u32>,
}
