//! Ways around a refutation: where a path cannot go on to a goal, the conditions that forbid it say which earlier choices would
//! have to be different.
//!
//! A loop was left after one turn, and behind it a text of seven letters is asked for: the core names the condition under
//! which the loop was left, and the way to try next is the one that stays in it. Without this, seven turns would come after everything
//! that takes fewer (conflict-directed backjumping, as in solvers for constraints and for SAT).

use glassbox_terms::TermId;

use crate::tree::{Node, NodeId, OpenWay, Tree, WayState};

/// Ways that refutations asked for, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Detours {
    ways: Vec<OpenWay>,
}

impl Tree {
    /// A way was refuted by these conditions: other ways of the choices that they come from may lead around it, the latest
    /// first.
    pub(crate) fn note_detours(&mut self, refuted: OpenWay, core: &[TermId]) {
        let mut found = Vec::new();
        let mut at = self.node(refuted.node).parent;
        while let Some((id, taken)) = at {
            let node = self.node(id);
            if core.contains(&node.ways[taken].condition) {
                found.extend(others(id, node));
            }
            at = node.parent;
        }
        self.detours.ways.extend(found.into_iter().rev());
    }

    /// The detour that was asked for last, of those that are still open.
    pub(crate) fn next_detour(&mut self) -> Option<OpenWay> {
        while let Some(way) = self.detours.ways.pop() {
            if self.is_open(way) {
                return Some(way);
            }
        }
        None
    }
}

fn others(id: NodeId, node: &Node) -> impl Iterator<Item = OpenWay> {
    let open = node.ways.iter().enumerate().filter(|(_, way)| way.state == WayState::Open);
    open.map(move |(way, _)| OpenWay { node: id, way })
}
