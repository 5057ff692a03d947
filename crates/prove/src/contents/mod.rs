//! What loops put into arrays, or have seen in them: "for all g that the loop has passed, `P(g)`".
//!
//! **Relation**: at every node that a loop head dominates, `passed(g) => P(g)` for every value of the *ghost* `g`,
//! where `passed` says that the loop's index variable has gone by `g`, and `P` compares the element at the
//! place that belongs to `g` with what was stored there, or with what the loop compared it with.
//! **How**: candidates are read off the stores and comparisons of a loop. The formula of the whole function,
//! loops cut at their invariants, then asks of every edge into a head whether the candidates of the head hold
//! after it, given that all candidates hold at all heads, for one unconstrained `g`. Candidates that a
//! model refutes are dropped until the rest is inductive (Houdini: Flanagan and Leino, FME 2001). A ghost that
//! stays the same during the run replaces the quantifier; the solver sees scalars only.
//! **Use**: where an element is read, the facts for its place become assumptions of the node, so that ranges,
//! linear relations, induction and the whole-function model all know them.
//! **Wrap-around, aliasing**: places are terms over machine arithmetic, and the solver decides when two are the
//! same; nothing is assumed about either.
//! **Not found**: relations between elements at different places (sortedness), and elements that a loop changes
//! twice. **Source**: array predicates after Flanagan and Qadeer (POPL 2002, "predicate abstraction for software
//! verification", indexed predicates); segments as in Cousot, Cousot and Logozzo (POPL 2011). Deviation: no
//! abstract domain of segments; one segment per loop, with its predicates checked by the solver.

mod candidates;
mod elements;
mod houdini;
mod places;

use glassbox_terms::{ArrayOp, Op, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::budget;
use crate::options::Options;
use candidates::candidates;
pub(crate) use elements::split_elements;
use glassbox_invariants::Invariants;
use glassbox_whole::{Graph, Order};
pub(crate) use houdini::is_costly;
use places::{match_place, selects};

/// For all values of `ghost`: `formula`, at every node that `head` dominates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) head: usize,
    pub(crate) ghost: TermId,
    pub(crate) formula: TermId,
    /// The place that belongs to the ghost.
    pub(crate) place: TermId,
}

impl Content {
    /// The formula for one value of the ghost.
    fn instance(&self, terms: &mut Terms, value: TermId) -> TermId {
        let ghost: FxHashMap<TermId, TermId> = [(self.ghost, value)].into_iter().collect();
        terms.substitute(self.formula, &ghost)
    }
}

/// Finds contents and adds what they say to the nodes that read elements. True when there was anything.
pub(crate) fn add_facts(
    graph: &mut Graph,
    order: &Order,
    invariants: &Invariants,
    options: &Options,
) -> bool {
    let has_arrays = |graph: &Graph, node: usize| selects(graph, node).next().is_some();
    if !(0..graph.nodes.len()).any(|node| order.is_reachable(node) && has_arrays(graph, node)) {
        return false;
    }
    let mut found = candidates(graph, order, invariants, &options.invariants());
    if found.is_empty() {
        return false;
    }
    houdini::keep_inductive(graph, order, invariants, options, &mut found);
    if found.is_empty() {
        return false;
    }
    let mut has_any = false;
    for node in 0..graph.nodes.len() {
        if !order.is_reachable(node) {
            continue;
        }
        let facts = facts_at(graph, order, node, &found);
        has_any |= !facts.is_empty();
        graph.assume_first(node, facts);
    }
    has_any
}

/// What the contents say about the elements that a node reads.
fn facts_at(graph: &mut Graph, order: &Order, node: usize, contents: &[Content]) -> Vec<TermId> {
    let mut terms = std::mem::take(&mut graph.terms);
    let mut open: Vec<TermId> = selects_of(&terms, graph, node);
    let mut facts: Vec<TermId> = Vec::new();
    let mut next = 0;
    while next < open.len() && facts.len() < budget::FACTS {
        let place = terms.arg(open[next], 1);
        next += 1;
        for content in contents {
            if !order.dominates(content.head, node) {
                continue;
            }
            let Some(value) = match_place(&mut terms, content.place, content.ghost, place) else {
                continue;
            };
            let fact = content.instance(&mut terms, value);
            if terms.as_bool_const(fact) == Some(true) || facts.contains(&fact) {
                continue;
            }
            facts.push(fact);
            // What a fact says of other elements may need facts about them.
            for select in selects_in(&terms, &[fact]) {
                if !open.contains(&select) && open.len() < budget::FACTS {
                    open.push(select);
                }
            }
        }
    }
    graph.terms = terms;
    facts
}

fn selects_of(terms: &Terms, graph: &Graph, node: usize) -> Vec<TermId> {
    selects_in(terms, &places::roots(graph, node))
}

fn selects_in(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    terms
        .subterms(roots)
        .into_iter()
        .filter(|&term| terms.op(term) == Op::Array(ArrayOp::Select))
        .collect()
}
