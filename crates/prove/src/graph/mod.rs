//! A function and what it calls as one graph over terms: the whole-function model.
//!
//! Nodes are stretches of code without branches. A node with several ways in has parameters, which are
//! variables; every way in says what they become. What a node computes are terms over the parameters of the
//! nodes that dominate it and over opaque variables (inputs, results of unknown functions, memory that nobody
//! follows). Memory that can be followed (scalars of known objects, arrays of scalars) has become parameters
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
mod contract;
mod copy;
mod elements;
mod external;
mod float;
mod heap;
mod initial;
mod instr;
mod join;
mod join_pointer;
mod layout;
mod memory;
mod names;
mod order;
mod pure;
mod typed;
mod unset;

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{BlockId, CheckKind, FuncId, Span};
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{TermId, Terms};

use crate::calls::Quantity;
use crate::question::Place;
use crate::summary::State;

pub(crate) use build::build;
pub(crate) use elements::split_elements;
pub(crate) use order::Order;
pub(crate) use pure::sort_of;

/// See the module's comment.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) terms: Terms,
    /// Node 0 is the entry.
    pub(crate) nodes: Vec<Node>,
    /// Where every instruction went: node and number of events before it.
    pub(crate) sites: BTreeMap<Place, Vec<(usize, usize)>>,
    /// Where every edge went: node and position among its edges.
    pub(crate) edges: BTreeMap<(FuncId, BlockId, u32), Vec<(usize, usize)>>,
    /// Functions that may run without being in the graph.
    pub(crate) hidden: BTreeSet<FuncId>,
    /// Those of them that run otherwise than by a summarized call.
    pub(crate) opaque: BTreeSet<FuncId>,
    /// Calls that contracts stand for.
    pub(crate) calls: Vec<SummarizedCall>,
    /// Functions whose contract was not there, so that their calls may do anything.
    pub(crate) missing: BTreeSet<FuncId>,
    /// More calls would be expanded if they were allowed to be deeper.
    pub(crate) is_shallow: bool,
    /// Facts that contracts give.
    pub(crate) learned: BTreeSet<TermId>,
    /// Those that are linear: the sum is at most zero whenever the term holds.
    pub(crate) rows: BTreeMap<TermId, TermSum>,
    /// In the model of a callee: its quantities where it begins, and the node where it returns.
    pub(crate) begin: Vec<(Quantity, TermId)>,
    pub(crate) end: Option<usize>,
    /// What holds where the function begins.
    pub(crate) entry: Option<State>,
    /// Slopes that somebody wants to know bounds of.
    pub(crate) suggested: Vec<TermSum>,
    /// Constructs that nobody models, with the node they are in: whatever can come after them is unknown.
    pub(crate) unsupported: Vec<(usize, String, Span)>,
    /// Variables that are inputs of the function under test, in order.
    pub(crate) inputs: Vec<TermId>,
    /// Nothing but inputs is opaque.
    pub(crate) is_exact: bool,
    /// By variable: the node that sets it.
    pub(crate) owners: BTreeMap<TermId, usize>,
    /// By node: the variables that it sets.
    pub(crate) owned: BTreeMap<usize, Vec<TermId>>,
}

/// A call that is not expanded.
#[derive(Debug, Clone)]
pub(crate) struct SummarizedCall {
    pub(crate) callee: FuncId,
    pub(crate) node: usize,
    /// Events of the node before it.
    pub(crate) n_events: usize,
    /// What the callee's quantities are when it begins.
    pub(crate) begin: Vec<(Quantity, TermId)>,
    /// The contract allows it to return.
    pub(crate) may_return: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Node {
    /// Variables that every way in sets.
    pub(crate) params: Vec<TermId>,
    pub(crate) events: Vec<Event>,
    pub(crate) edges: Vec<Edge>,
    /// Ways in: (node, position among its edges).
    pub(crate) ways_in: Vec<(usize, usize)>,
    /// The function and the place where it begins, for people.
    pub(crate) span: Option<Span>,
    pub(crate) function: Option<FuncId>,
}

/// What happens in a node, in order.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    /// Runs go on only when it holds.
    Assume(TermId),
    Check(Checked),
}

/// A check: the run ends with an error when it fails.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    pub(crate) place: Place,
    #[allow(dead_code, reason = "printed by `dump`, kept for the readers of a graph")]
    pub(crate) kind: CheckKind,
    /// About what an access finds where it goes (bytes that were set, or may be changed), not about where.
    pub(crate) is_of_content: bool,
    /// What must hold for the check to pass; `None` when that is not known.
    pub(crate) holds: Option<TermId>,
    /// The negation of `holds`.
    pub(crate) fails: Option<TermId>,
    /// What holds when it has passed.
    pub(crate) passed: Option<TermId>,
}

#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub(crate) condition: TermId,
    pub(crate) target: usize,
    /// For the target's parameters.
    pub(crate) args: Vec<TermId>,
}

impl Event {
    /// What holds after it.
    pub(crate) fn after(&self) -> Option<TermId> {
        match self {
            Event::Assume(fact) => Some(*fact),
            Event::Check(checked) => checked.passed,
        }
    }
}

impl Graph {
    /// Puts assumptions at the beginning of a node.
    pub(crate) fn assume_first(&mut self, node: usize, facts: Vec<TermId>) {
        let n_facts = facts.len();
        if n_facts == 0 {
            return;
        }
        let _ = self.nodes[node].events.splice(0..0, facts.into_iter().map(Event::Assume));
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
    pub(crate) fn is_join(&self, node: usize) -> bool {
        self.nodes[node].ways_in.len() > 1 || !self.nodes[node].params.is_empty()
    }
}
