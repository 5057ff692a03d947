//! The constraint tree: what is known about the choices that paths have.

use std::collections::BTreeSet;

use glassbox_model::{Alternative, ChoicePoint};
use glassbox_terms::{TermId, Value};

use crate::detours::Detours;
use crate::meetings::Meetings;
use crate::ranking::Ranking;
use crate::trail::Trail;

/// A choice that some path came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// One way of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    pub condition: TermId,
    pub state: WayState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WayState {
    /// Not tried yet.
    Open,
    /// A path went there; the next choice on it, if it had one.
    Taken(Option<NodeId>),
    /// The conditions up to here contradict this way.
    Infeasible,
    /// The solver gave up.
    Unknown,
    /// Ends in a run-time error: no valid test goes there.
    Failure,
}

#[derive(Debug, Clone)]
pub struct Node {
    pub point: ChoicePoint,
    /// The choice before, and the way taken there.
    pub parent: Option<(NodeId, usize)>,
    /// Facts about inputs that the path assumed between the previous choice and this one.
    pub assumed: Vec<TermId>,
    pub ways: Vec<Way>,
    pub depth: u32,
    /// How often this place of the program occurs on the way from the root.
    pub repetitions: u32,
    /// For a split by value: the value that the first way is about. Later paths split in the same way.
    pub suggested: Option<Value>,
    /// Earlier visits of this place by the same activation.
    pub visits: u32,
    /// The most turns that a loop or a recursion took on the way from the root: visits, or activations
    /// of one function on the stack.
    pub turns: u32,
}

/// All choices seen so far.
#[derive(Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    open: BTreeSet<OpenWay>,
    /// Open ways in order, as far as somebody asked.
    pub(crate) ranking: Ranking,
    pub(crate) meetings: Meetings,
    pub(crate) detours: Detours,
    /// The way to the choice that was added last.
    trail: Trail,
}

/// A way that was not tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenWay {
    pub node: NodeId,
    pub way: usize,
}

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    #[cfg(test)]
    pub(crate) fn new(number: u32) -> NodeId {
        NodeId(number)
    }
}

impl Tree {
    pub fn new() -> Tree {
        Tree::default()
    }

    /// The conditions from a way back to the root, each with its choice.
    pub fn places(&self, last: Option<(NodeId, usize)>) -> Vec<(TermId, &ChoicePoint)> {
        let mut places = Vec::new();
        let mut at = last;
        while let Some((node, way)) = at {
            let node = self.node(node);
            places.push((node.ways[way].condition, &node.point));
            at = node.parent;
        }
        places
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then_some(NodeId(0))
    }

    pub fn set_state(&mut self, id: NodeId, way: usize, state: WayState) {
        self.nodes[id.0 as usize].ways[way].state = state;
        let entry = OpenWay { node: id, way };
        if state == WayState::Open {
            // It may have been passed over.
            if self.open.insert(entry) {
                self.ranking.forget();
            }
        } else {
            self.open.remove(&entry);
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All choices, oldest first.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        let n_nodes = u32::try_from(self.nodes.len()).expect("fewer than 2^32 choices");
        (0..n_nodes).map(NodeId)
    }

    /// Adds the choice that a path comes to after taking `parent`.
    pub fn add(
        &mut self,
        point: ChoicePoint,
        parent: Option<(NodeId, usize)>,
        assumed: Vec<TermId>,
        alternatives: &[Alternative],
        suggested: Option<Value>,
    ) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 choices"));
        let ways = alternatives.iter().map(|alternative| Way {
            condition: alternative.condition,
            state: if alternative.is_failure { WayState::Failure } else { WayState::Open },
        });
        let depth = parent.map_or(0, |(parent, _)| self.node(parent).depth + 1);
        self.trail.go_to(&self.nodes, parent.map(|(parent, _)| parent));
        let before = self.trail.at_place(&point);
        let repetitions = before.map_or(0, |before| self.node(before).repetitions + 1);
        let visits = self.trail.visit(&point).map_or(0, |visit| self.node(visit).visits + 1);
        let ways: Vec<Way> = ways.collect();
        let is_open = |(_, way): &(usize, &Way)| way.state == WayState::Open;
        let open = ways.iter().enumerate().filter(is_open);
        self.open.extend(open.map(|(way, _)| OpenWay { node: id, way }));
        let before = parent.map_or(0, |(parent, _)| self.node(parent).turns);
        let turns = before.max(visits).max(point.recursion);
        self.nodes.push(Node {
            point,
            parent,
            assumed,
            ways,
            depth,
            repetitions,
            suggested,
            visits,
            turns,
        });
        if let Some((parent, way)) = parent {
            self.set_state(parent, way, WayState::Taken(Some(id)));
        }
        id
    }

    /// The ways taken from the root to a node.
    pub fn choices(&self, id: NodeId) -> Vec<usize> {
        let mut choices = Vec::new();
        let mut at = self.node(id).parent;
        while let Some((node, way)) = at {
            choices.push(way);
            at = self.node(node).parent;
        }
        choices.reverse();
        choices
    }

    /// What holds when a path comes to a node: conditions and assumed facts, in order.
    pub fn conditions(&self, id: NodeId) -> Vec<TermId> {
        let mut conditions: Vec<TermId> = self.node(id).assumed.iter().rev().copied().collect();
        let mut at = self.node(id).parent;
        while let Some((node, way)) = at {
            let node = self.node(node);
            conditions.push(node.ways[way].condition);
            conditions.extend(node.assumed.iter().rev());
            at = node.parent;
        }
        conditions.reverse();
        conditions
    }

    /// Ways that were not tried, oldest choice first.
    pub fn open_ways(&self) -> impl Iterator<Item = OpenWay> + '_ {
        self.open.iter().copied()
    }

    /// Ways that were not tried of the choices from number `first` on.
    pub fn open_ways_from(&self, first: usize) -> impl Iterator<Item = OpenWay> + '_ {
        let first = NodeId(u32::try_from(first).expect("fewer than 2^32 choices"));
        self.open.range(OpenWay { node: first, way: 0 }..).copied()
    }

    /// Ways that paths took last, oldest choice first.
    pub fn ends(&self) -> Vec<(NodeId, usize)> {
        let ends = self.ids().flat_map(|id| {
            let ways = self.node(id).ways.iter().enumerate();
            let is_end = |way: &Way| way.state == WayState::Taken(None);
            ways.filter(move |(_, way)| is_end(way)).map(move |(way, _)| (id, way))
        });
        ends.collect()
    }

    /// Whether a way was not tried.
    pub(crate) fn is_open(&self, way: OpenWay) -> bool {
        self.node(way.node).ways.get(way.way).is_some_and(|it| it.state == WayState::Open)
    }

    /// Whether every way was taken or refuted.
    pub fn is_complete(&self) -> bool {
        let is_decided = |way: &Way| !matches!(way.state, WayState::Open | WayState::Unknown);
        self.nodes.iter().all(|node| node.ways.iter().all(is_decided))
    }
}
