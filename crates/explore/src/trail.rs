//! The way from the root of the tree to the choice that was added last, by places: how often a choice has come before is
//! asked of every choice of every path, and paths may have thousands.

use std::mem::Discriminant;

use glassbox_ir::{BlockId, FuncId, Span};
use glassbox_model::{ChoiceKind, ChoicePoint};
use rustc_hash::FxHashMap;

use crate::tree::{Node, NodeId};

/// What is called elsewhere in the function under test is another place there: a scan of a text for other letters is not the
/// same scan once more.
type Place = (FuncId, BlockId, BlockId, bool);

/// The same question at the same place; a block may ask several.
type Question = (FuncId, BlockId, Span, Discriminant<ChoiceKind>);

fn place(point: &ChoicePoint) -> Place {
    let is_branch = matches!(point.kind, ChoiceKind::Branch);
    (point.function, point.block, point.entry_block, is_branch)
}

fn question(point: &ChoicePoint) -> Question {
    (point.function, point.block, point.span, std::mem::discriminant(&point.kind))
}

pub(crate) fn is_same_choice(a: &ChoicePoint, b: &ChoicePoint) -> bool {
    question(a) == question(b)
}

#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// One at each depth.
    path: Vec<NodeId>,
    places: FxHashMap<Place, Vec<NodeId>>,
    visits: FxHashMap<(u32, Question), Vec<NodeId>>,
}

impl Trail {
    /// Goes to where `last` is the last choice.
    pub(crate) fn go_to(&mut self, nodes: &[Node], last: Option<NodeId>) {
        let node = |id: NodeId| &nodes[id.index()];
        let mut missing = Vec::new();
        let mut at = last;
        while let Some(id) = at {
            if self.path.get(node(id).depth as usize) == Some(&id) {
                break;
            }
            missing.push(id);
            at = node(id).parent.map(|(parent, _)| parent);
        }
        let n_common = at.map_or(0, |id| node(id).depth as usize + 1);
        for id in self.path.drain(n_common..).rev() {
            let point = &node(id).point;
            self.places.get_mut(&place(point)).and_then(Vec::pop);
            self.visits.get_mut(&(point.activation, question(point))).and_then(Vec::pop);
        }
        for id in missing.into_iter().rev() {
            let point = &node(id).point;
            self.path.push(id);
            self.places.entry(place(point)).or_default().push(id);
            self.visits.entry((point.activation, question(point))).or_default().push(id);
        }
    }

    /// The last choice on the way at the place of this one.
    pub(crate) fn at_place(&self, point: &ChoicePoint) -> Option<NodeId> {
        self.places.get(&place(point))?.last().copied()
    }

    /// The last time that the same activation came to this choice.
    pub(crate) fn visit(&self, point: &ChoicePoint) -> Option<NodeId> {
        self.visits.get(&(point.activation, question(point)))?.last().copied()
    }
}
