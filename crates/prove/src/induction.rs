//! k-induction over the visits of a loop head, and unfolding where the visits come to an end.
//!
//! A run that does what the question says has a last visit of the head before it, or none. *Without a visit*:
//! the region from the entry to the head does not do it. *Base*: the regions after the first k visits do not.
//! *Step*: from any state that the invariants allow, k visits whose regions do not do it are followed by one
//! whose region does not either. When a further visit after the base is impossible, no step is needed: the
//! function is unfolded completely.
//!
//! Regions cut the other loops at their invariants. That the hypothesis "the region does not do it" is used
//! with the region's own opaque values is sound: a run that does it first in visit k gives values under which
//! the earlier regions do not.

use glassbox_terms::{TermId, Terms};

use crate::answer::Method;
use crate::gated::{Formula, Region, Start, ask, state_terms};
use crate::options::Options;
use crate::prover::{Model, Target};

/// Nodes of all regions that one head may cost.
const MAX_NODES: usize = 400;

/// Tries the loop heads that lead to the target, the nearest first.
pub(crate) fn refute(model: &mut Model, target: Target, options: &Options) -> Option<Method> {
    let heads: Vec<usize> = model
        .order
        .sequence
        .iter()
        .rev()
        .copied()
        .filter(|&node| model.order.is_head(&model.graph, node))
        .filter(|&node| model.leads_to(node, target.node()))
        .take(2)
        .collect();
    let mut terms = std::mem::take(&mut model.graph.terms);
    let found = heads.iter().find_map(|&head| at_head(&mut terms, model, head, target, options));
    model.graph.terms = terms;
    found
}

fn at_head(
    terms: &mut Terms,
    model: &Model,
    head: usize,
    target: Target,
    options: &Options,
) -> Option<Method> {
    let always = terms.bool_const(true);
    let entry = Start { node: 0, guard: always, values: Default::default() };
    let before = region(terms, model, &entry, head)?;
    is_excluded(terms, model, &before, target, &before.facts, options)?;
    let mut facts = before.facts.clone();
    let mut start = before.next(terms, &model.graph, &model.order, head);
    let mut n_nodes = before.n_nodes();
    for k in 1..=options.max_turns.max(options.max_k) {
        // Visit number k from the entry.
        facts.push(start.guard);
        let visit = region(terms, model, &start, head)?;
        n_nodes += visit.n_nodes();
        if n_nodes > MAX_NODES {
            return None;
        }
        let mut all = facts.clone();
        all.extend(&visit.facts);
        is_excluded(terms, model, &visit, target, &all, options)?;
        facts = all;
        start = visit.next(terms, &model.graph, &model.order, head);
        let mut further = facts.clone();
        further.push(start.guard);
        match ask(terms, &further, options) {
            Formula::Impossible => return Some(Method::Unfolding { turns: k }),
            Formula::Possible(_) => {}
            // It will not get easier.
            Formula::Unknown => return None,
        }
        if k <= options.max_k && step(terms, model, head, target, k, options).is_some() {
            return Some(Method::Induction { k });
        }
    }
    None
}

fn region(terms: &mut Terms, model: &Model, start: &Start, head: usize) -> Option<Region> {
    Region::new(terms, &model.graph, &model.order, &model.invariants, start, Some(head))
}

fn is_excluded(
    terms: &mut Terms,
    model: &Model,
    region: &Region,
    target: Target,
    facts: &[TermId],
    options: &Options,
) -> Option<()> {
    let mut all = facts.to_vec();
    all.push(region.guard(terms, &model.graph, target));
    matches!(ask(terms, &all, options), Formula::Impossible).then_some(())
}

/// From any k visits that do not do it follows that the next does not.
fn step(
    terms: &mut Terms,
    model: &Model,
    head: usize,
    target: Target,
    k: u32,
    options: &Options,
) -> Option<()> {
    let always = terms.bool_const(true);
    let mut start = Start { node: head, guard: always, values: Default::default() };
    let mut facts = model.known_at(terms, head);
    for visit in 0..=k {
        facts.push(start.guard);
        if visit > 0 {
            // The invariant of the head holds at every visit.
            if let Some(state) = &model.invariants.states[head] {
                for fact in state_terms(terms, state) {
                    let fact = terms.substitute(fact, &start.values);
                    facts.push(fact);
                }
            }
        }
        let region = region(terms, model, &start, head)?;
        facts.extend(&region.facts);
        let done = region.guard(terms, &model.graph, target);
        if visit == k {
            facts.push(done);
            return matches!(ask(terms, &facts, options), Formula::Impossible).then_some(());
        }
        facts.push(terms.not(done));
        start = region.next(terms, &model.graph, &model.order, head);
    }
    None
}
