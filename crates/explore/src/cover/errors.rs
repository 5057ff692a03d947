//! Errors that "infeasible" rests on.
//!
//! A path goes on only where no check fails, so a goal behind an error (a shift too far, a division by zero) has no
//! path, as dead code has none. Compilers define some of these errors, and people want to know about the others: a
//! verdict that needs one of them not to happen names its line. A path that ended in an error excludes what may come
//! after it; a way that cannot be taken rests on the checks that its refutation needs.

use std::collections::BTreeSet;

use glassbox_coverage::Target;
use glassbox_ir::{BlockId, Body};
use glassbox_testcase::Assumption;

/// Where control was, in the function under test, when something excluded what comes after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum From {
    /// In this block.
    Block(BlockId),
    /// At this edge, which was not taken.
    Edge(BlockId, u32),
    /// Somewhere else.
    Anywhere,
}

/// The errors that paths of one function met.
#[derive(Debug, Default)]
pub(super) struct Errors {
    found: BTreeSet<(Assumption, From)>,
}

impl Errors {
    pub(super) fn note(&mut self, errors: &[Assumption], from: From) {
        self.found.extend(errors.iter().map(|&error| (error, from)));
    }

    /// Those without which control might come to a target.
    pub(super) fn before(&self, body: &Body, target: &Target) -> Vec<Assumption> {
        let comes_to = |from: From| may_come_to(body, from, target);
        let found = self.found.iter().filter(|(_, from)| comes_to(*from));
        found.map(|(error, _)| *error).collect()
    }
}

fn may_come_to(body: &Body, from: From, target: &Target) -> bool {
    let after = match from {
        From::Block(block) => blocks_after(body, block),
        From::Edge(block, edge) => {
            let targets = body.block(block).terminator.targets();
            targets
                .get(edge as usize)
                .map(|target| blocks_after(body, target.block))
                .unwrap_or_default()
        }
        From::Anywhere => return true,
    };
    let is_edge =
        |block: BlockId, edge: u32| after.contains(&block) || from == From::Edge(block, edge);
    match target {
        Target::Site(site) | Target::CheckFails(site) => after.contains(&site.block),
        Target::Edge { block, edge } => is_edge(*block, *edge),
        Target::AnyEdge(edges) => edges.iter().any(|&(block, edge)| is_edge(block, edge)),
        // Several places: one of them is enough.
        Target::Outcome { .. }
        | Target::Condition { .. }
        | Target::Independence { .. }
        | Target::DefUse { .. }
        | Target::Path(_)
        | Target::Killed { .. } => true,
    }
}

/// The block and whatever control may come to from it.
fn blocks_after(body: &Body, block: BlockId) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    let mut queue = vec![block];
    while let Some(block) = queue.pop() {
        if found.insert(block) {
            let targets = body.block(block).terminator.targets();
            queue.extend(targets.iter().map(|target| target.block));
        }
    }
    found
}
