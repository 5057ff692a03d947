//! Goals: what they ask, what is known, and what supports that.

use glassbox_coverage::{McdcFlavor, PropertyKind};
use glassbox_testcase::{Assumption, ProofMethod};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{InWords, Words};

/// A block and the position of an edge among the block's edges.
pub type EdgeOf = (usize, u32);

/// What a suite should reach, or a property that should hold, and what is known about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Goal {
    /// Function, criterion, place and outcome: stable while the place is.
    pub id: String,
    /// The criterion, or the kind of the property.
    #[cfg_attr(test, schemars(with = "String"))]
    pub kind: Words<GoalKind>,
    pub file: Option<String>,
    pub line: u32,
    pub column: u32,
    /// What to reach, in words.
    pub text: String,
    #[serde(flatten)]
    pub outcome: Outcome,
    pub end_line: u32,
    pub end_column: u32,
    pub at: Anchor,
    /// MC/DC: the two tests that show independence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pair: Option<(Option<String>, Option<String>)>,
    /// Runs until the goal was reached first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached_after: Option<usize>,
    /// Positions in the function's refutations that close the goal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refutations: Vec<usize>,
    /// Why a property that is violated or not decided does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dismissed: Option<String>,
}

/// What is known about a goal, with what supports it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Outcome {
    Covered {
        /// The id of the test.
        test: Option<String>,
    },
    Infeasible {
        /// How it was proved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        method: Option<Method>,
        /// The same for people.
        proof: String,
    },
    InfeasibleWithin {
        /// What the proof takes as bounded.
        #[cfg_attr(test, schemars(with = "Vec<String>"))]
        bounds: Vec<Words<Assumption>>,
    },
    Unknown {
        reason: Reason,
    },
    Violated {
        /// The id of the test.
        test: Option<String>,
    },
    Holds {
        /// How it was proved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        method: Option<Method>,
        /// The same for people.
        proof: String,
    },
    HoldsWithin {
        /// What the proof takes as bounded.
        #[cfg_attr(test, schemars(with = "Vec<String>"))]
        bounds: Vec<Words<Assumption>>,
    },
}

/// How something was proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    ControlFlow,
    PathEnumeration,
    WholeFunction,
    LoopSummary,
    Induction,
    Covering,
    CallSummaries,
}

impl From<ProofMethod> for Method {
    fn from(method: ProofMethod) -> Method {
        match method {
            ProofMethod::ControlFlow => Method::ControlFlow,
            ProofMethod::PathEnumeration => Method::PathEnumeration,
            ProofMethod::WholeFunction => Method::WholeFunction,
            ProofMethod::LoopSummary => Method::LoopSummary,
            ProofMethod::Induction => Method::Induction,
            ProofMethod::Covering => Method::Covering,
            ProofMethod::CallSummaries => Method::CallSummaries,
        }
    }
}

/// Nothing is known of what a file does not say.
impl Default for Outcome {
    fn default() -> Outcome {
        Outcome::Unknown { reason: Reason::default() }
    }
}

/// Why nothing is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
pub struct Reason {
    pub code: ReasonCode,
    pub text: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReasonCode {
    #[default]
    Budget,
    Unsupported,
    Disagreement,
    Unconfirmed,
    UndefinedBehavior,
    InternalError,
}

impl ReasonCode {
    pub fn name(self) -> &'static str {
        match self {
            ReasonCode::Budget => "budget",
            ReasonCode::Unsupported => "unsupported",
            ReasonCode::Disagreement => "disagreement",
            ReasonCode::Unconfirmed => "unconfirmed",
            ReasonCode::UndefinedBehavior => "undefined-behavior",
            ReasonCode::InternalError => "internal-error",
        }
    }

    pub(crate) const ALL: [ReasonCode; 6] = [
        ReasonCode::Budget,
        ReasonCode::Unsupported,
        ReasonCode::Disagreement,
        ReasonCode::Unconfirmed,
        ReasonCode::UndefinedBehavior,
        ReasonCode::InternalError,
    ];

    /// What a reader can do about it.
    pub(crate) fn advice(self) -> &'static str {
        match self {
            ReasonCode::Budget => {
                "Try a larger --max-paths, --timeout or --memory, or narrow the inputs with a contract in \
                 glassbox.toml."
            }
            ReasonCode::Unsupported => {
                "This is a limit of glassbox. In C, move the construct into a function that is declared only: \
                 it becomes a stub, whose results are inputs."
            }
            ReasonCode::Disagreement => {
                "The real program contradicts us: this is a bug in glassbox, please report it."
            }
            ReasonCode::Unconfirmed => {
                "No run of the real program confirms a test. Check the compiler and its flags (after `--`); if the \
                 generated test itself is wrong, please report it."
            }
            ReasonCode::InternalError => {
                "This is a bug of glassbox: please report it with the input."
            }
            ReasonCode::UndefinedBehavior => {
                "Tests with undefined behavior are not kept; `glassbox check` shows the error itself."
            }
        }
    }
}

/// The part of the graph or the decision that a goal is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(untagged)]
pub enum Anchor {
    Block {
        block: usize,
        /// The block of the definition that has to reach it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        definition: Option<usize>,
    },
    Edges {
        edges: Vec<EdgeOf>,
    },
    Decision {
        decision: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<u16>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<bool>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        flavor: Option<Flavor>,
    },
}

impl Default for Anchor {
    fn default() -> Anchor {
        Anchor::Edges { edges: Vec::new() }
    }
}

/// What "independently" means in an MC/DC goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Flavor {
    UniqueCause,
    Masking,
}

impl From<McdcFlavor> for Flavor {
    fn from(flavor: McdcFlavor) -> Flavor {
        match flavor {
            McdcFlavor::UniqueCause => Flavor::UniqueCause,
            McdcFlavor::Masking => Flavor::Masking,
        }
    }
}

/// What a goal belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalKind {
    Statement,
    Instruction,
    Branch,
    Decision,
    Condition,
    Mcdc(Flavor),
    DefUse,
    Path,
    Exception,
    Boundary,
    Assert,
    Mutation,
    WeakMutation,
    /// Of a specification.
    Rule,
    /// What `check` asks.
    Property(PropertyKind),
}

impl GoalKind {
    /// Criteria, by the names that goals have.
    const CRITERIA: &'static [(GoalKind, &'static str)] = &[
        (GoalKind::Statement, "statement"),
        (GoalKind::Instruction, "instruction"),
        (GoalKind::Branch, "branch"),
        (GoalKind::Decision, "decision"),
        (GoalKind::Condition, "condition"),
        (GoalKind::Mcdc(Flavor::Masking), "mcdc"),
        (GoalKind::Mcdc(Flavor::UniqueCause), "mcdc:unique-cause"),
        (GoalKind::DefUse, "def-use"),
        (GoalKind::Path, "path"),
        (GoalKind::Exception, "exception"),
        (GoalKind::Boundary, "boundary"),
        (GoalKind::Assert, "assert"),
        (GoalKind::Mutation, "mutation"),
        (GoalKind::WeakMutation, "mutation:weak"),
        (GoalKind::Rule, "rule"),
    ];
}

impl InWords for GoalKind {
    fn words(&self) -> String {
        if let GoalKind::Property(kind) = self {
            return kind.name().to_owned();
        }
        let found = GoalKind::CRITERIA.iter().find(|(kind, _)| kind == self);
        found.map_or(String::new(), |(_, name)| (*name).to_owned())
    }

    fn from_words(words: &str) -> Option<GoalKind> {
        let criterion = GoalKind::CRITERIA.iter().find(|(_, name)| *name == words);
        let property = || PropertyKind::ALL.iter().find(|kind| kind.name() == words);
        criterion.map(|(kind, _)| *kind).or_else(|| property().copied().map(GoalKind::Property))
    }
}

impl Default for Words<GoalKind> {
    fn default() -> Words<GoalKind> {
        Words::Other(String::new())
    }
}

impl InWords for Assumption {
    fn words(&self) -> String {
        self.to_string()
    }

    fn from_words(words: &str) -> Option<Assumption> {
        Assumption::from_words(words)
    }
}

impl Outcome {
    /// As files spell it.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Covered { .. } => "covered",
            Outcome::Infeasible { .. } => "infeasible",
            Outcome::InfeasibleWithin { .. } => "infeasible-within",
            Outcome::Unknown { .. } => "unknown",
            Outcome::Violated { .. } => "violated",
            Outcome::Holds { .. } => "holds",
            Outcome::HoldsWithin { .. } => "holds-within",
        }
    }

    /// The test that shows it.
    pub fn test(&self) -> Option<&str> {
        match self {
            Outcome::Covered { test } | Outcome::Violated { test } => test.as_deref(),
            Outcome::Infeasible { .. }
            | Outcome::InfeasibleWithin { .. }
            | Outcome::Unknown { .. }
            | Outcome::Holds { .. }
            | Outcome::HoldsWithin { .. } => None,
        }
    }
}

impl Anchor {
    /// The edges that are the goal, if it is about edges.
    pub fn edges(&self) -> &[EdgeOf] {
        match self {
            Anchor::Edges { edges } => edges,
            Anchor::Block { .. } | Anchor::Decision { .. } => &[],
        }
    }

    /// The block where the goal is, or the first one.
    pub fn block(&self) -> Option<usize> {
        match self {
            Anchor::Block { block, .. } => Some(*block),
            Anchor::Edges { edges } => edges.first().map(|edge| edge.0),
            Anchor::Decision { .. } => None,
        }
    }
}

impl Goal {
    /// Proved that nothing reaches it, without bounds.
    pub fn is_infeasible(&self) -> bool {
        matches!(self.outcome, Outcome::Infeasible { .. })
    }

    pub fn is_covered(&self) -> bool {
        matches!(self.outcome, Outcome::Covered { .. })
    }

    /// The tests that show it: two for independence.
    pub fn tests(&self) -> impl Iterator<Item = &str> {
        let (first, second) = match &self.pair {
            Some((first, second)) => (first.as_deref(), second.as_deref()),
            None => (self.outcome.test(), None),
        };
        first.into_iter().chain(second)
    }
}
