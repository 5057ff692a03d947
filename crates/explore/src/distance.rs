//! How far a block is from an open goal, in edges of the control-flow graph.

use std::collections::{BTreeSet, VecDeque};

use glassbox_coverage::{Goal, Target};
use glassbox_ir::{BlockId, Body, Terminator};

/// Far: no open goal lies ahead.
pub const UNREACHABLE: u32 = u32::MAX;

/// By block: edges to the nearest block where an open goal can be reached.
pub fn to_open_goals<'g>(body: &Body, open: impl Iterator<Item = &'g Goal>) -> Vec<u32> {
    let mut interesting = BTreeSet::new();
    for goal in open {
        interesting.extend(blocks_of(body, &goal.target));
    }
    backward(body, interesting)
}

/// By block: edges to the nearest of these blocks.
pub fn backward(body: &Body, to: impl IntoIterator<Item = BlockId>) -> Vec<u32> {
    let mut predecessors = vec![Vec::new(); body.blocks.len()];
    for block in body.block_ids() {
        for target in body.block(block).terminator.targets() {
            predecessors[target.block.index()].push(block);
        }
    }
    let mut queue: VecDeque<BlockId> = to.into_iter().collect();
    let mut distances = vec![UNREACHABLE; body.blocks.len()];
    for block in &queue {
        distances[block.index()] = 0;
    }
    while let Some(block) = queue.pop_front() {
        for &before in &predecessors[block.index()] {
            if distances[before.index()] == UNREACHABLE {
                distances[before.index()] = distances[block.index()] + 1;
                queue.push_back(before);
            }
        }
    }
    distances
}

/// Blocks that a run has to enter (or leave in a certain way) for the goal.
fn blocks_of(body: &Body, target: &Target) -> Vec<BlockId> {
    let target_of = |block: BlockId, edge: u32| {
        body.block(block).terminator.targets().get(edge as usize).map(|target| target.block)
    };
    match target {
        Target::Site(site) | Target::CheckFails(site) => vec![site.block],
        // Standing at the branch is as near as the graph can say for an edge into a join.
        Target::Edge { block, edge } => {
            target_of(*block, *edge).into_iter().chain([*block]).collect()
        }
        Target::AnyEdge(edges) => {
            edges.iter().filter_map(|&(block, edge)| target_of(block, edge)).collect()
        }
        Target::Outcome { decision, .. }
        | Target::Condition { decision, .. }
        | Target::Independence { decision, .. } => {
            let has_decision = |block: &BlockId| {
                matches!(&body.block(*block).terminator,
                    Terminator::Branch { origin: Some(origin), .. } if origin.decision == *decision)
            };
            body.block_ids().filter(has_decision).collect()
        }
        Target::DefUse { def, use_site, .. } => vec![def.block, use_site.block],
        Target::Path(edges) => edges.iter().map(|&(block, _)| block).collect(),
        Target::Killed { .. } => Vec::new(),
    }
}
