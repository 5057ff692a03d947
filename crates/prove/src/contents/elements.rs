//! Elements at fixed places as variables of their own, so that invariants can speak about them.
//!
//! An array that differs between the ways into a join is a parameter of the join, and nothing more is known of
//! it than of all its elements together. Where a place in it does not change (a field behind a pointer, the
//! first element), the element there becomes a parameter too: every way in says what it is, by looking through
//! the stores of its array. Reads of the place become the parameter.
//!
//! Nothing is approximated: the new parameter is the element, whatever the places of other stores are. A store
//! whose place may or may not be the same leaves the read as it is.

use crate::budget;
use std::collections::BTreeMap;

use glassbox_terms::sort::Scalar;
use glassbox_terms::{ArrayOp, Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::places::roots;
use glassbox_whole::{Event, Graph, Order};

/// By array variable and place: the variable of the element.
type Known = BTreeMap<(TermId, TermId), TermId>;

/// Makes elements at fixed places parameters.
pub(crate) fn split_elements(graph: &mut Graph, order: &Order) {
    let is_array = |graph: &Graph, term: TermId| matches!(graph.terms.sort(term), Sort::Array { element: Scalar::Bv(width), .. } if width <= 64);
    let joins: Vec<usize> = order
        .sequence
        .iter()
        .copied()
        .filter(|&node| graph.nodes[node].params.iter().any(|&param| is_array(graph, param)))
        .collect();
    if joins.is_empty() {
        return;
    }
    let places = read_places(graph, order);
    let mut known = Known::new();
    let mut added: Vec<(usize, usize, TermId, TermId)> = Vec::new();
    for node in joins {
        for (position, array) in graph.nodes[node].params.clone().into_iter().enumerate() {
            if !is_array(graph, array) {
                continue;
            }
            let fixed: Vec<TermId> = places
                .iter()
                .copied()
                .filter(|&(sort, place)| {
                    sort == graph.terms.sort(array) && is_fixed(graph, order, node, place)
                })
                .map(|(_, place)| place)
                .take(budget::PLACES)
                .collect();
            for place in fixed {
                if added.len() >= budget::ELEMENT_PARAMS {
                    break;
                }
                let element = new_element(graph, node, array, place);
                known.insert((array, place), element);
                added.push((node, position, place, element));
            }
        }
    }
    if added.is_empty() {
        return;
    }
    let mut terms = std::mem::take(&mut graph.terms);
    rewrite(graph, &mut terms, &known);
    for &(node, position, place, _) in &added {
        for (from, edge) in graph.nodes[node].ways_in.clone() {
            let array = graph.nodes[from].edges[edge].args[position];
            let element = read(&mut terms, array, place, &known, budget::READ_DEPTH);
            graph.nodes[from].edges[edge].args.push(element);
        }
    }
    for &((array, place), element) in &known.iter().map(|(k, v)| (*k, *v)).collect::<Vec<_>>() {
        let owner = graph.owners[&element];
        let at_place = terms.select(array, place);
        let same = terms.eq(at_place, element);
        graph.assume_first(owner, vec![same]);
    }
    graph.terms = terms;
}

/// Places that are read anywhere, with the sorts of their arrays.
fn read_places(graph: &Graph, order: &Order) -> Vec<(Sort, TermId)> {
    let roots: Vec<TermId> = order.sequence.iter().flat_map(|&node| roots(graph, node)).collect();
    let terms = &graph.terms;
    let mut places = Vec::new();
    for term in terms.subterms(&roots) {
        if terms.op(term) == Op::Array(ArrayOp::Select) {
            let place = (terms.sort(terms.arg(term, 0)), terms.arg(term, 1));
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places
}

/// Everything the place is made of was there before the join, on every way in.
fn is_fixed(graph: &Graph, order: &Order, node: usize, place: TermId) -> bool {
    let variables = graph.terms.vars_of(&[place]);
    variables.into_iter().all(|var| {
        let owner = graph.owners.get(&graph.terms.var_term(var));
        owner.is_some_and(|&owner| owner != node && order.dominates(owner, node))
    })
}

fn new_element(graph: &mut Graph, node: usize, array: TermId, place: TermId) -> TermId {
    let sort = match graph.terms.sort(array) {
        Sort::Array { element: Scalar::Bv(width), .. } => Sort::Bv(width),
        sort @ (Sort::Array { .. } | Sort::Bool | Sort::Bv(_) | Sort::Float(_)) => sort,
    };
    let name = match graph.terms.as_var(array) {
        Some(var) => graph.terms.var_name(var).to_owned(),
        None => "array".to_owned(),
    };
    let name = format!("{name}[{}]", glassbox_terms::display(&graph.terms, place));
    let element = graph.terms.fresh_var(name, sort);
    graph.owners.insert(element, node);
    graph.owned.entry(node).or_default().push(element);
    graph.nodes[node].params.push(element);
    element
}

/// Reads everywhere look through stores.
fn rewrite(graph: &mut Graph, terms: &mut Terms, known: &Known) {
    let mut replacements: FxHashMap<TermId, TermId> = FxHashMap::default();
    for node in &mut graph.nodes {
        for event in &mut node.events {
            match event {
                Event::Assume(fact) => rewrite_term(terms, fact, known, &mut replacements),
                Event::Check(checked) => {
                    let parts = [&mut checked.holds, &mut checked.fails, &mut checked.passed];
                    for part in parts.into_iter().flatten() {
                        rewrite_term(terms, part, known, &mut replacements);
                    }
                }
            }
        }
        for edge in &mut node.edges {
            rewrite_term(terms, &mut edge.condition, known, &mut replacements);
            for arg in &mut edge.args {
                rewrite_term(terms, arg, known, &mut replacements);
            }
        }
    }
}

fn rewrite_term(
    terms: &mut Terms,
    term: &mut TermId,
    known: &Known,
    replacements: &mut FxHashMap<TermId, TermId>,
) {
    let selects: Vec<TermId> = terms
        .subterms(&[*term])
        .into_iter()
        .filter(|&t| terms.op(t) == Op::Array(ArrayOp::Select))
        .collect();
    if selects.is_empty() {
        return;
    }
    for select in selects {
        replacements.entry(select).or_insert_with(|| {
            let (array, place) = (terms.arg(select, 0), terms.arg(select, 1));
            read(terms, array, place, known, budget::READ_DEPTH)
        });
    }
    *term = terms.substitute(*term, replacements);
}

/// The element of an array term at a place.
fn read(terms: &mut Terms, array: TermId, place: TermId, known: &Known, depth: u32) -> TermId {
    let mut at = array;
    loop {
        match terms.op(at) {
            Op::Array(ArrayOp::Store) => {
                let (before, stored_at) = (terms.arg(at, 0), terms.arg(at, 1));
                if stored_at == place {
                    return terms.arg(at, 2);
                }
                let distance = terms.bv_sub(stored_at, place);
                if terms.as_bv_const(distance).is_some_and(|bits| bits.unsigned() != 0) {
                    at = before;
                } else {
                    break;
                }
            }
            Op::Array(ArrayOp::Const { .. }) => return terms.arg(at, 0),
            Op::Ite if depth > 0 => {
                let (condition, yes, no) = (terms.arg(at, 0), terms.arg(at, 1), terms.arg(at, 2));
                let yes = read(terms, yes, place, known, depth - 1);
                let no = read(terms, no, place, known, depth - 1);
                return terms.ite(condition, yes, no);
            }
            Op::Var(_) => {
                return match known.get(&(at, place)) {
                    Some(&element) => element,
                    None => terms.select(at, place),
                };
            }
            Op::True
            | Op::False
            | Op::BvConst(_)
            | Op::FloatConst(_)
            | Op::Bool(_)
            | Op::Eq
            | Op::Ite
            | Op::Bv(_)
            | Op::Fp(_)
            | Op::Array(_) => break,
        }
    }
    terms.select(at, place)
}
