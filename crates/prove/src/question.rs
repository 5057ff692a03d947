//! Questions: what should be shown to be impossible.

use glassbox_coverage::Target;
use glassbox_coverage::facts::Site;
use glassbox_ir::{BlockId, Body, FuncId, Terminator};

/// An instruction of some function that runs on behalf of the function under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub function: FuncId,
    pub block: BlockId,
    pub instr: u32,
}

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
    /// The check at this place fails. Signed overflow as `model::Config::overflow` says.
    CheckFails(Place),
}

impl Question {
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
            Target::Independence { .. } | Target::DefUse { .. } | Target::Path(_) => None,
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
