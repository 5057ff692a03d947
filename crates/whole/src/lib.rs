//! A function and what it calls as one graph over terms: the whole-function model.
//!
//! Nodes are stretches of code without branches. A node with several ways in has parameters, which are
//! variables; every way in says what they become. What a node computes are terms over the parameters of the
//! nodes that dominate it and over opaque variables (inputs, results of unknown functions, memory that is not
//! followed). Memory that can be followed (scalars of known objects, arrays of scalars) has become parameters
//! and terms too.
//!
//! Invariant that every user rests on: when control is at a node, the terms of all nodes that dominate it, and
//! the conditions of the edges and events passed on the way down the dominator tree, hold for the present
//! values of the variables. (A definition cannot be repeated without passing everything it dominates again.)
//!
//! Approximation: the graph has every run of the program, and perhaps more: opaque variables may have any
//! value. `is_exact` says whether anything but inputs was made opaque.

mod access;
mod body;
mod build;
mod call;
mod check;
mod choice;
mod compare;
mod copy;
mod external;
pub mod facts;
mod forget;
pub mod formula;
mod heap;
mod initial;
mod instr;
mod join;
mod join_pointer;
mod lessons;
mod memory;
mod mentioned;
mod names;
pub mod options;
mod order;
pub mod place;
mod pure;
mod stale;
mod summarized;
pub mod summary;
mod typed;
mod unset;

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{BlockId, FuncId, Span};
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{TermId, Terms};

pub use build::build;
pub use facts::Facts;
pub use mentioned::{Mentioned, Mentions, mentioned};
pub use options::{AfterErrors, Doubt, Doubts, Options, compares_with_constant};
pub use order::Order;
pub use place::Place;
pub use pure::sort_of;
pub use summary::Quantity;

/// See the module's comment.
#[derive(Debug)]
pub struct Graph {
    pub terms: Terms,
    /// Node 0 is the entry.
    pub nodes: Vec<Node>,
    /// Where every instruction went: node and number of events before it.
    pub sites: BTreeMap<Place, Vec<(usize, usize)>>,
    /// Where every edge went: node and position among its edges.
    pub edges: BTreeMap<(FuncId, BlockId, u32), Vec<(usize, usize)>>,
    /// Functions that may run without being in the graph.
    pub hidden: BTreeSet<FuncId>,
    /// Those of them that run otherwise than by a summarized call.
    pub opaque: BTreeSet<FuncId>,
    /// Calls that summaries stand for.
    pub calls: Vec<SummarizedCall>,
    /// Functions whose summary was not there, so that their calls may do anything.
    pub missing: BTreeSet<FuncId>,
    /// More calls would be expanded if they were allowed to be deeper.
    pub is_shallow: bool,
    /// Facts that summaries give.
    pub learned: BTreeSet<TermId>,
    /// Those that are linear: the sum is at most zero whenever the term holds.
    pub rows: BTreeMap<TermId, TermSum>,
    /// In the model of a callee: its quantities where it begins, and a node for each way of returning.
    pub begin: Vec<(Quantity, TermId)>,
    pub ends: Vec<usize>,
    /// What holds where the function begins.
    pub entry: Option<Facts>,
    /// Slopes whose bounds are wanted.
    pub suggested: Vec<TermSum>,
    /// Constructs that are not modeled, with the node they are in: whatever can come after them is unknown.
    pub unsupported: Vec<(usize, String, Span)>,
    /// Nodes with calls that return twice or elsewhere, or let other code run from then on: what was folded
    /// anywhere may be wrong.
    pub out_of_order: Vec<(usize, String, Span)>,
    /// Variables that are inputs of the function under test, in order.
    pub inputs: Vec<TermId>,
    /// Nothing but inputs is opaque.
    pub is_exact: bool,
    /// By variable: the node that sets it.
    pub owners: BTreeMap<TermId, usize>,
    /// By node: the variables that it sets.
    pub owned: BTreeMap<usize, Vec<TermId>>,
}

/// A call that is not expanded.
#[derive(Debug, Clone)]
pub struct SummarizedCall {
    pub callee: FuncId,
    pub node: usize,
    /// Events of the node before it.
    pub n_events: usize,
    /// What the callee's quantities are when it begins.
    pub begin: Vec<(Quantity, TermId)>,
    /// The summary allows it to return.
    pub may_return: bool,
}

#[derive(Debug, Default)]
pub struct Node {
    /// Variables that every way in sets.
    pub params: Vec<TermId>,
    pub events: Vec<Event>,
    pub edges: Vec<Edge>,
    /// Ways in: (node, position among its edges).
    pub ways_in: Vec<(usize, usize)>,
    /// The function and the place where it begins, for people.
    pub span: Option<Span>,
    pub function: Option<FuncId>,
}

/// What happens in a node, in order.
#[derive(Debug, Clone)]
pub enum Event {
    /// Runs go on only when it holds.
    Assume(TermId),
    Check(Checked),
}

/// A check: the run ends with an error when it fails.
#[derive(Debug, Clone)]
pub struct Checked {
    pub place: Place,
    /// About what an access finds where it goes (bytes that were set, or may be changed), not about where.
    pub is_of_content: bool,
    /// What must hold for the check to pass; `None` when that is not known.
    pub holds: Option<TermId>,
    /// The negation of `holds`.
    pub fails: Option<TermId>,
    /// What holds when it has passed.
    pub passed: Option<TermId>,
}

#[derive(Debug, Clone)]
pub struct Edge {
    pub condition: TermId,
    pub target: usize,
    /// For the target's parameters.
    pub args: Vec<TermId>,
}

impl Event {
    /// What holds after it.
    pub fn after(&self) -> Option<TermId> {
        match self {
            Event::Assume(fact) => Some(*fact),
            Event::Check(checked) => checked.passed,
        }
    }
}

impl Graph {
    /// Puts assumptions at the beginning of a node.
    pub fn assume_first(&mut self, node: usize, facts: Vec<TermId>) {
        let n_facts = facts.len();
        if n_facts == 0 {
            return;
        }
        self.nodes[node].events.splice(0..0, facts.into_iter().map(Event::Assume));
        for sites in self.sites.values_mut() {
            for (at, n_events) in sites {
                if *at == node {
                    *n_events += n_facts;
                }
            }
        }
        for call in self.calls.iter_mut().filter(|call| call.node == node) {
            call.n_events += n_facts;
        }
    }

    /// The node has parameters, or several ways in.
    pub fn is_join(&self, node: usize) -> bool {
        self.nodes[node].ways_in.len() > 1 || !self.nodes[node].params.is_empty()
    }
}
