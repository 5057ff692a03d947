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
//!
//! The visits of a head are the same for all questions: their formulas are made once, and a question only adds
//! what it asks about. Steps come first, because a step that does not hold is refuted quickly by a model; the
//! base is needed for what has a step, or for loops that end soon.

use glassbox_terms::{BvOp, Op, TermId, Terms};
use glassbox_whole::Graph;
use glassbox_whole::formula::state_terms;

use crate::answer::Method;
use crate::budget;
use crate::gated::{Formula, Inquiry, Region, Relaxing, Start};
use crate::model::{Model, Target};
use crate::options::Options;

/// The visits of one head, for all questions.
#[derive(Debug)]
pub(crate) struct Unfolding {
    head: usize,
    /// From the entry: the region before the first visit, then the visits.
    base: Chain,
    /// From any state that the invariants allow.
    step: Chain,
    /// Looked for a visit after which there is none; which one it is.
    last_visit: Option<Option<usize>>,
    /// Questions that the solver gave up.
    n_unknown: u32,
    /// Questions that may still end without a proof.
    n_left: u32,
}

/// Regions one after the other, each from where the one before came back to the head.
#[derive(Debug)]
struct Chain {
    inquiry: Inquiry,
    regions: Vec<Region>,
    /// Where the next region begins.
    next: Start,
    n_nodes: usize,
}

/// A question about one target.
struct Asking<'a> {
    terms: &'a mut Terms,
    model: &'a Model,
    target: Target,
    options: &'a Options,
}

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
    let mut found = None;
    for head in heads {
        let mut unfolding = match model.unfoldings.remove(&head) {
            Some(unfolding) => unfolding,
            None => Unfolding::new(&mut terms, model, head, options),
        };
        let asking = Asking { terms: &mut terms, model, target, options };
        found = unfolding.refute(asking);
        model.unfoldings.insert(head, unfolding);
        if found.is_some() {
            break;
        }
    }
    model.graph.terms = terms;
    found
}

impl Unfolding {
    fn new(terms: &mut Terms, model: &Model, head: usize, options: &Options) -> Unfolding {
        let always = terms.bool_const(true);
        let relaxing = relaxing(terms, &model.graph);
        let chain = |node: usize| Chain {
            inquiry: Inquiry::new(options, relaxing),
            regions: Vec::new(),
            next: Start { node, guard: always, values: Default::default() },
            n_nodes: 0,
        };
        let (base, mut step) = (chain(0), chain(head));
        let known = model.known_at(terms, head);
        step.inquiry.assert(terms, &known);
        let n_left = match relaxing {
            Relaxing::On => budget::HEAD_FAILED,
            Relaxing::Off => budget::HEAD_FAILED_WITH_PRODUCTS,
        };
        Unfolding { head, base, step, last_visit: None, n_unknown: 0, n_left }
    }

    fn refute(&mut self, mut asking: Asking<'_>) -> Option<Method> {
        if self.n_unknown >= budget::HEAD_GIVEN_UP || self.n_left == 0 {
            return None;
        }
        let found = self.try_all(&mut asking);
        if found.is_none() {
            self.n_left -= 1;
        }
        found
    }

    fn try_all(&mut self, asking: &mut Asking<'_>) -> Option<Method> {
        let max_k = usize::try_from(asking.options.max_k).unwrap_or(usize::MAX);
        for k in 1..=max_k {
            if self.step_holds(asking, k)? {
                self.base_holds(asking, k)?;
                let k = u32::try_from(k).unwrap_or(u32::MAX);
                return Some(Method::Induction { k });
            }
        }
        let last = match self.last_visit {
            Some(known) => known,
            None => {
                let found = self.find_last_visit(asking);
                self.last_visit = Some(found);
                found
            }
        }?;
        self.base_holds(asking, last)?;
        Some(Method::Unfolding { turns: u32::try_from(last).unwrap_or(u32::MAX) })
    }

    /// From any k visits that do not do it follows that the next does not. `None` when it is too large, or too
    /// hard: more visits make it harder.
    fn step_holds(&mut self, asking: &mut Asking<'_>, k: usize) -> Option<bool> {
        self.step.grow(asking, self.head, k + 1)?;
        let Asking { terms, model, target, options } = asking;
        let mut asked = Vec::new();
        for (visit, region) in self.step.regions.iter().take(k + 1).enumerate() {
            let done = region.guard(terms, &model.graph, *target);
            // That the last visit happens says that all before it do.
            asked.push(if visit == k { done } else { terms.not(done) });
        }
        match self.step.inquiry.ask(terms, &asked, options) {
            Formula::Impossible => Some(true),
            Formula::Possible(_) => Some(false),
            Formula::Unknown => {
                self.n_unknown += 1;
                None
            }
        }
    }

    /// Neither what comes before the first visit nor the first k visits do it.
    fn base_holds(&mut self, asking: &mut Asking<'_>, k: usize) -> Option<()> {
        for visit in 0..=k {
            self.base.grow(asking, self.head, visit + 1)?;
            let Asking { terms, model, target, options } = asking;
            let done = self.base.regions[visit].guard(terms, &model.graph, *target);
            match self.base.inquiry.ask(terms, &[done], options) {
                Formula::Impossible => {}
                Formula::Possible(_) => return None,
                Formula::Unknown => {
                    self.n_unknown += 1;
                    return None;
                }
            }
        }
        Some(())
    }

    /// The visit after which there is none.
    fn find_last_visit(&mut self, asking: &mut Asking<'_>) -> Option<usize> {
        let max_turns = usize::try_from(asking.options.max_turns).unwrap_or(usize::MAX);
        for k in 1..=max_turns {
            self.base.grow(asking, self.head, k + 1)?;
            let further = self.base.next.guard;
            match self.base.inquiry.ask(asking.terms, &[further], asking.options) {
                Formula::Impossible => return Some(k),
                Formula::Possible(_) => {}
                // It will not get easier.
                Formula::Unknown => return None,
            }
        }
        None
    }
}

/// Whether the relaxation is worth its time: not where the function multiplies or divides by something that is no
/// constant.
pub(crate) fn relaxing(terms: &Terms, graph: &Graph) -> Relaxing {
    if has_products(terms, graph) { Relaxing::Off } else { Relaxing::On }
}

fn has_products(terms: &Terms, graph: &Graph) -> bool {
    let mut roots = Vec::new();
    for node in &graph.nodes {
        roots.extend(node.events.iter().filter_map(glassbox_whole::Event::after));
        for edge in &node.edges {
            roots.push(edge.condition);
            roots.extend(&edge.args);
        }
    }
    terms.subterms(&roots).into_iter().any(|term| {
        let is_costly = matches!(
            terms.op(term),
            Op::Bv(
                BvOp::Mul
                    | BvOp::Udiv
                    | BvOp::Urem
                    | BvOp::Sdiv
                    | BvOp::Srem
                    | BvOp::MulOverflow(_)
            )
        );
        is_costly && terms.args(term).iter().all(|&arg| terms.as_bv_const(arg).is_none())
    })
}

impl Chain {
    /// Makes regions until there are so many. `None` when they are too large.
    fn grow(&mut self, asking: &mut Asking<'_>, head: usize, n_regions: usize) -> Option<()> {
        let Asking { terms, model, .. } = asking;
        while self.regions.len() < n_regions {
            if self.n_nodes > budget::CHAIN_NODES {
                return None;
            }
            let (graph, order, invariants) = (&model.graph, &model.order, &model.invariants);
            let start = &self.next;
            let region = Region::new(terms, graph, order, invariants, start, Some(head))?;
            self.n_nodes += region.n_nodes();
            let mut facts: Vec<TermId> = region.facts.clone();
            if start.node == head
                && let Some(state) = &invariants.states[head]
            {
                // The invariant of the head holds at every visit.
                for fact in state_terms(terms, state) {
                    let fact = terms.substitute(fact, &start.values);
                    facts.push(terms.implies(start.guard, fact));
                }
            }
            self.inquiry.assert(terms, &facts);
            self.next = region.next(terms, graph, order, head);
            self.regions.push(region);
        }
        Some(())
    }
}
