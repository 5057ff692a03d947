//! Dropping candidates until the rest is inductive.

use glassbox_terms::{BvOp, Evaluator, FpOp, Op, Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::places::match_place;
use super::{Content, selects_in, selects_of};
use crate::budget;
use crate::gated::{Formula, Inquiry, Region, Relaxing, Start};
use crate::options::Options;
use glassbox_invariants::Invariants;
use glassbox_whole::{Graph, Order};

/// A way into a head: when it is taken, and what each candidate of the head is then.
struct Way {
    guard: TermId,
    /// By position among the candidates.
    after: Vec<(usize, TermId)>,
}

/// Keeps the candidates that together hold at their heads, whatever the ghosts are.
pub(super) fn keep_inductive(
    graph: &mut Graph,
    order: &Order,
    invariants: &Invariants,
    options: &Options,
    candidates: &mut Vec<Content>,
) {
    let mut terms = std::mem::take(&mut graph.terms);
    let always = terms.bool_const(true);
    let start = Start { node: 0, guard: always, values: Default::default() };
    let region = Region::new(&mut terms, graph, order, invariants, &start, None);
    let options = Options {
        conflicts: options.conflicts.min(budget::HOUDINI_CONFLICTS),
        max_gates: options.max_gates.min(budget::HOUDINI_GATES),
        ..options.clone()
    };
    let kept = region.and_then(|region| {
        let region = &region;
        let costly = FxHashMap::default();
        Houdini { graph, order, options: &options, region, costly, n_questions: 0 }
            .run(&mut terms, candidates)
    });
    graph.terms = terms;
    let kept = kept.unwrap_or_default();
    let mut position = 0;
    candidates.retain(|_| {
        position += 1;
        kept.contains(&(position - 1))
    });
}

struct Houdini<'a> {
    graph: &'a Graph,
    order: &'a Order,
    options: &'a Options,
    region: &'a Region,
    /// What stands for terms that the solver is not asked to look into.
    costly: FxHashMap<TermId, TermId>,
    n_questions: u32,
}

impl Houdini<'_> {
    /// Positions of the candidates that are left; `None` when the work does not come to an end.
    fn run(mut self, terms: &mut Terms, candidates: &[Content]) -> Option<Vec<usize>> {
        let mut inquiry = Inquiry::new(self.options, Relaxing::Off);
        let facts: Vec<TermId> =
            self.region.facts.iter().map(|&fact| self.coarse(terms, fact)).collect();
        inquiry.assert(terms, &facts);
        // Each candidate has a switch, so that the same formula serves every round.
        let mut switches = Vec::new();
        for position in 0..candidates.len() {
            let switch = terms.fresh_var("candidate", Sort::Bool);
            for instance in self.instances(terms, candidates, position) {
                let instance = self.coarse(terms, instance);
                let fact = terms.implies(switch, instance);
                inquiry.assert(terms, &[fact]);
            }
            switches.push(switch);
        }
        let ways = self.ways(terms, candidates);
        let mut alive: Vec<usize> = (0..candidates.len()).collect();
        for _ in 0..budget::HOUDINI_ROUNDS {
            let before = alive.len();
            for way in &ways {
                self.drop_refuted(terms, &mut inquiry, way, &switches, &mut alive);
            }
            if self.n_questions > budget::HOUDINI_QUESTIONS {
                return None;
            }
            if alive.len() == before || alive.is_empty() {
                return Some(alive);
            }
        }
        None
    }

    /// The term with a variable in place of every product, quotient and float operation: it says less, so that
    /// what it excludes is excluded.
    fn coarse(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        for part in terms.subterms(&[term]) {
            if is_costly(terms, part) && !self.costly.contains_key(&part) {
                let sort = terms.sort(part);
                let variable = terms.fresh_var("coarse", sort);
                self.costly.insert(part, variable);
            }
        }
        terms.substitute(term, &self.costly)
    }

    /// Drops what does not hold after a way into its head, with the candidates that are alive now.
    fn drop_refuted(
        &mut self,
        terms: &mut Terms,
        inquiry: &mut Inquiry,
        way: &Way,
        switches: &[TermId],
        alive: &mut Vec<usize>,
    ) {
        loop {
            let open: Vec<(usize, TermId)> =
                way.after.iter().copied().filter(|(at, _)| alive.contains(at)).collect();
            if open.is_empty() {
                return;
            }
            let mut asked: Vec<TermId> = alive.iter().map(|&at| switches[at]).collect();
            asked.push(way.guard);
            let fails: Vec<TermId> = open.iter().map(|&(_, after)| terms.not(after)).collect();
            let some_fails = terms.or(&fails);
            asked.push(some_fails);
            self.n_questions += 1;
            if self.n_questions > budget::HOUDINI_QUESTIONS {
                return;
            }
            match inquiry.ask(terms, &asked, self.options) {
                Formula::Impossible => return,
                Formula::Possible(model) => {
                    let mut evaluator = Evaluator::new();
                    let mut evaluation = evaluator.under(terms, &model);
                    let before = alive.len();
                    let refuted: Vec<usize> = open
                        .iter()
                        .filter(|(_, after)| !evaluation.truth(*after))
                        .map(|&(at, _)| at)
                        .collect();
                    alive.retain(|at| !refuted.contains(at));
                    if alive.len() == before {
                        // A model that refutes nothing would go on for ever.
                        alive.retain(|at| open.iter().all(|(other, _)| other != at));
                    }
                }
                Formula::Unknown => {
                    // Too hard together: one by one.
                    self.drop_one_by_one(terms, inquiry, way, switches, alive);
                    return;
                }
            }
        }
    }

    fn drop_one_by_one(
        &mut self,
        terms: &mut Terms,
        inquiry: &mut Inquiry,
        way: &Way,
        switches: &[TermId],
        alive: &mut Vec<usize>,
    ) {
        for &(at, after) in &way.after {
            if !alive.contains(&at) {
                continue;
            }
            let mut asked: Vec<TermId> = alive.iter().map(|&at| switches[at]).collect();
            asked.push(way.guard);
            asked.push(terms.not(after));
            self.n_questions += 1;
            if !matches!(inquiry.ask(terms, &asked, self.options), Formula::Impossible) {
                alive.retain(|other| *other != at);
            }
        }
    }

    /// What a candidate says at nodes that its head dominates: for the ghost itself, and for the places that the
    /// nodes and the other candidates speak of.
    fn instances(&self, terms: &mut Terms, candidates: &[Content], position: usize) -> Vec<TermId> {
        let content = &candidates[position];
        let mut found: Vec<(usize, TermId)> = vec![(content.head, content.formula)];
        for node in 0..self.graph.nodes.len() {
            if !self.order.is_reachable(node) || !self.order.dominates(content.head, node) {
                continue;
            }
            let mut reads = selects_of(terms, self.graph, node);
            let about: Vec<TermId> =
                candidates.iter().filter(|c| c.head == node).map(|c| c.formula).collect();
            reads.extend(selects_in(terms, &about));
            for select in reads {
                let place = terms.arg(select, 1);
                if let Some(value) = match_place(terms, content.place, content.ghost, place) {
                    let instance = (node, content.instance(terms, value));
                    if !found.contains(&instance) && found.len() < budget::INSTANCES {
                        found.push(instance);
                    }
                }
            }
        }
        let mut facts = Vec::new();
        for (node, instance) in found {
            let Some((entered, values)) = self.region.at(node) else { continue };
            let instance = terms.substitute(instance, values);
            facts.push(terms.implies(entered, instance));
        }
        facts
    }

    /// All ways into heads with candidates.
    fn ways(&mut self, terms: &mut Terms, candidates: &[Content]) -> Vec<Way> {
        let mut heads: Vec<usize> = candidates.iter().map(|content| content.head).collect();
        heads.dedup();
        let mut ways = Vec::new();
        for head in heads {
            for &(from, edge) in &self.graph.nodes[head].ways_in {
                let Some((_, values)) = self.region.at(from) else { continue };
                let guard = self.region.edge(terms, self.graph, from, edge);
                let guard = self.coarse(terms, guard);
                // The head's parameters become the arguments; everything else keeps its value.
                let args = self.graph.nodes[from].edges[edge].args.clone();
                let args = terms.substitute_all(&args, values);
                let mut then: FxHashMap<TermId, TermId> = values.clone();
                for (&param, arg) in self.graph.nodes[head].params.iter().zip(args) {
                    then.insert(param, arg);
                }
                let mut after = Vec::new();
                for (position, content) in candidates.iter().enumerate() {
                    if content.head == head {
                        let formula = terms.substitute(content.formula, &then);
                        after.push((position, self.coarse(terms, formula)));
                    }
                }
                ways.push(Way { guard, after });
            }
        }
        ways
    }
}

/// Whether a circuit of the operation is much larger than its operands.
pub(crate) fn is_costly(terms: &Terms, term: TermId) -> bool {
    let op = terms.op(term);
    if matches!(op, Op::Bv(BvOp::Mul | BvOp::MulOverflow(_))) {
        return terms.args(term).iter().all(|&arg| terms.as_bv_const(arg).is_none());
    }
    if matches!(op, Op::Bv(BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem | BvOp::Smod)) {
        return terms.as_bv_const(terms.arg(term, 1)).is_none();
    }
    matches!(
        op,
        Op::Fp(
            FpOp::Add(_)
                | FpOp::Sub(_)
                | FpOp::Mul(_)
                | FpOp::Div(_)
                | FpOp::Fma(_)
                | FpOp::Sqrt(_)
                | FpOp::Rem
                | FpOp::Fmod
                | FpOp::RoundToIntegral(_)
                | FpOp::ToFp { .. }
                | FpOp::FromInt { .. }
                | FpOp::ToInt { .. }
        )
    )
}
