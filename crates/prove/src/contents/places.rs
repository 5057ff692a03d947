//! Places in arrays: where nodes read and write, and which value of a variable leads to a place.

use glassbox_terms::{ArrayOp, BvOp, Op, TermId, Terms};
use rustc_hash::FxHashMap;

use glassbox_whole::{Event, Graph, Order};

/// All terms that a node evaluates.
pub(super) fn roots(graph: &Graph, node: usize) -> Vec<TermId> {
    let mut roots = Vec::new();
    for event in &graph.nodes[node].events {
        match event {
            Event::Assume(fact) => roots.push(*fact),
            Event::Check(checked) => roots.extend(checked.holds.iter().chain(&checked.passed)),
        }
    }
    for edge in &graph.nodes[node].edges {
        roots.push(edge.condition);
        roots.extend(&edge.args);
    }
    roots
}

/// Elements that a node reads.
pub(super) fn selects(graph: &Graph, node: usize) -> impl Iterator<Item = TermId> + '_ {
    let terms = &graph.terms;
    terms
        .subterms(&roots(graph, node))
        .into_iter()
        .filter(|&t| terms.op(t) == Op::Array(ArrayOp::Select))
}

/// The nodes of the loops with this head.
pub(super) fn loop_nodes(graph: &Graph, order: &Order, head: usize) -> Vec<usize> {
    let mut nodes = vec![head];
    let mut open: Vec<usize> = graph.nodes[head]
        .ways_in
        .iter()
        .map(|&(from, _)| from)
        .filter(|&from| order.is_back(from, head) && order.dominates(head, from))
        .collect();
    while let Some(node) = open.pop() {
        if !nodes.contains(&node) {
            nodes.push(node);
            let before = graph.nodes[node].ways_in.iter().map(|&(from, _)| from);
            open.extend(before.filter(|&from| order.is_reachable(from)));
        }
    }
    nodes.sort_unstable();
    nodes
}

/// The value of `variable` for which `pattern` is `place`, if it can be read off.
pub(super) fn match_place(
    terms: &mut Terms,
    pattern: TermId,
    variable: TermId,
    place: TermId,
) -> Option<TermId> {
    let mut value = None;
    if unify(terms, pattern, variable, place, &mut value) {
        return value;
    }
    // A constant place: the quotients by sizes of elements.
    let constant = terms.as_bv_const(place)?.unsigned();
    let width = terms.width(variable);
    for size in [1, 2, 4, 8, 16] {
        let quotient = constant / size;
        if width < 128 && quotient >> width != 0 {
            continue;
        }
        let value = terms.bv_u(quotient, width);
        let bound: FxHashMap<TermId, TermId> = [(variable, value)].into_iter().collect();
        if terms.substitute(pattern, &bound) == place {
            return Some(value);
        }
    }
    None
}

/// Binds `variable` so that `pattern` becomes `term`.
fn unify(
    terms: &Terms,
    pattern: TermId,
    variable: TermId,
    term: TermId,
    value: &mut Option<TermId>,
) -> bool {
    if pattern == variable {
        // Extensions of a short and of an int have the same sort, what they extend has not.
        if terms.sort(term) != terms.sort(variable) {
            return false;
        }
        return match value {
            Some(known) => *known == term,
            None => {
                *value = Some(term);
                true
            }
        };
    }
    let (op, args) = (terms.op(pattern), terms.args(pattern));
    let others = terms.args(term);
    if pattern == term && !terms.subterms(&[pattern]).contains(&variable) {
        return true;
    }
    if args.is_empty() || op != terms.op(term) || args.len() != others.len() {
        return false;
    }
    let before = *value;
    let in_order = args.iter().zip(others).all(|(&a, &b)| unify(terms, a, variable, b, value));
    if in_order {
        return true;
    }
    *value = before;
    let swaps =
        matches!(op, Op::Bv(BvOp::Add | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor) | Op::Eq);
    if swaps && args.len() == 2 {
        let swapped = unify(terms, args[0], variable, others[1], value)
            && unify(terms, args[1], variable, others[0], value);
        if !swapped {
            *value = before;
        }
        return swapped;
    }
    false
}
