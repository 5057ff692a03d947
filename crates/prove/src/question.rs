//! Questions: what should be shown to be impossible.

use glassbox_coverage::Target;
use glassbox_coverage::facts::Site;
use glassbox_ir::{BlockId, Body, FuncId, Terminator};
pub use glassbox_whole::Place;

/// Something that runs of the function under test might do. Questions about other functions mean all their
/// activations in runs of the function under test.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Question {
    /// The instruction is executed; position 0 of an empty block is its terminator.
    Reached(Place),
    /// The edge, by position among the terminator's targets, is taken.
    Edge { function: FuncId, block: BlockId, edge: u32 },
    /// Any of these edges is taken.
    AnyEdge { function: FuncId, edges: Vec<(BlockId, u32)> },
    /// The check at this place fails.
    CheckFails(Place),
    /// The same, whatever an access finds where it goes: the pointer is null, points outside of its object, or
    /// to an object that has ended. That the bytes were never set, or are constant, does not count.
    AccessFails(Place),
}

impl Question {
    /// Whose activations it is about.
    pub fn function(&self) -> FuncId {
        match self {
            Question::Reached(place)
            | Question::CheckFails(place)
            | Question::AccessFails(place) => place.function,
            Question::Edge { function, .. } | Question::AnyEdge { function, .. } => *function,
        }
    }

    /// What has to happen, in one run or another, for a goal's target to be reached: if one of these is
    /// impossible, so is the target.
    pub fn needed_by(function: FuncId, body: &Body, target: &Target) -> Vec<Question> {
        let question = |target: &Target| Question::from_target(function, body, target);
        match target {
            Target::Site(_)
            | Target::Edge { .. }
            | Target::AnyEdge(_)
            | Target::Outcome { .. }
            | Target::Condition { .. }
            | Target::CheckFails(_)
            | Target::Killed { .. } => question(target).into_iter().collect(),
            // A pair of evaluations differs in the condition and in the outcome.
            Target::Independence { decision, condition, .. } => {
                let (decision, condition) = (*decision, *condition);
                let sides = [true, false].into_iter().flat_map(|value| {
                    [
                        Target::Outcome { decision, outcome: value },
                        Target::Condition { decision, condition, value },
                    ]
                });
                sides.filter_map(|side| question(&side)).collect()
            }
            Target::DefUse { def, use_site, .. } => {
                let sites = [def, use_site].map(|site| Target::Site(*site));
                sites.iter().filter_map(question).collect()
            }
            Target::Path(edges) => {
                let edge = |&(block, edge)| Question::Edge { function, block, edge };
                edges.iter().map(edge).collect()
            }
        }
    }

    /// The question whether a goal's target can be reached, where it is one place or one edge. Paths,
    /// definitions with their uses and pairs of evaluations are not.
    pub fn from_target(function: FuncId, body: &Body, target: &Target) -> Option<Question> {
        let place = |site: &Site| Place { function, block: site.block, instr: site.instr };
        match target {
            Target::Site(site) => Some(Question::Reached(place(site))),
            Target::Edge { block, edge } => {
                Some(Question::Edge { function, block: *block, edge: *edge })
            }
            Target::AnyEdge(edges) => Some(Question::AnyEdge { function, edges: edges.clone() }),
            Target::Outcome { decision, outcome } => {
                let edges = edges_where(body, |origin, taken| {
                    let settled =
                        if taken { origin.outcome_if_true } else { origin.outcome_if_false };
                    origin.decision == *decision && settled == Some(*outcome)
                });
                (!edges.is_empty()).then_some(Question::AnyEdge { function, edges })
            }
            Target::Condition { decision, condition, value } => {
                let edges = edges_where(body, |origin, taken| {
                    origin.decision == *decision
                        && origin.condition == *condition
                        && (taken == origin.is_positive) == *value
                });
                (!edges.is_empty()).then_some(Question::AnyEdge { function, edges })
            }
            Target::CheckFails(site) => Some(Question::CheckFails(place(site))),
            Target::Independence { .. }
            | Target::DefUse { .. }
            | Target::Path(_)
            | Target::Killed { .. } => None,
        }
    }
}

/// Edges of branches that a decision's condition made: 0 is taken when the branch holds.
fn edges_where(
    body: &Body,
    wanted: impl Fn(&glassbox_ir::BranchOrigin, bool) -> bool,
) -> Vec<(BlockId, u32)> {
    let mut edges = Vec::new();
    for block in body.block_ids() {
        if let Terminator::Branch { origin: Some(origin), .. } = &body.block(block).terminator {
            for (edge, taken) in [(0, true), (1, false)] {
                if wanted(origin, taken) {
                    edges.push((block, edge));
                }
            }
        }
    }
    edges
}
