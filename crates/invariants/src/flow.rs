//! One round of the analysis: down the dominator tree with everything that holds there, and along each edge.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{AssertId, BitsDomain, Budget, Domain};
use glassbox_propagators::{Engine, Propagation};
use glassbox_relax::bounds::Bounds;
use glassbox_relax::optimum::{Knowledge, Maxima, TermSum, maximize};
use glassbox_relax::relaxation::{Limits, Shaving};
use glassbox_relax::simplex::Steps;
use glassbox_terms::{ArrayOp, Op, Sort, TermId, Terms};
use glassbox_values::Signedness;

use super::Invariants;
use super::elements::{ArrayFacts, elements_of};
use super::options::Options;
use super::templates::Templates;
use super::widen::{Thresholds, widen};
use glassbox_whole::{Facts, Graph, Order};

/// Runs of propagators for one node.
const PROPAGATION: u64 = 4_000;

/// Work of one linear program, see `glassbox_relax`.
const LINEAR_WORK: u64 = 1_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Ascending,
    Descending,
}

/// What an edge brings to its target, and when that was found out.
#[derive(Debug, Clone)]
struct Brought {
    /// `None`: the edge is not taken.
    state: Option<Facts>,
    at: u64,
}

pub(super) struct Flow<'a> {
    graph: &'a Graph,
    order: &'a Order,
    options: &'a Options,
    templates: &'a Templates,
    thresholds: Thresholds,
    context: Context<'a>,
    states: Vec<Option<Facts>>,
    is_reached: Vec<bool>,
    brought: Vec<Vec<Option<Brought>>>,
    /// When the state of a node last changed.
    changed_at: Vec<u64>,
    n_widened: Vec<u32>,
    clock: u64,
    has_changed: bool,
}

impl<'a> Flow<'a> {
    pub(super) fn new(
        graph: &'a Graph,
        order: &'a Order,
        options: &'a Options,
        templates: &'a Templates,
    ) -> Flow<'a> {
        let n_nodes = graph.nodes.len();
        let mut states = vec![None; n_nodes];
        if let Some(first) = states.first_mut() {
            first.clone_from(&graph.entry);
        }
        Flow {
            graph,
            order,
            options,
            templates,
            thresholds: Thresholds::new(graph),
            context: Context::new(graph, options),
            states,
            is_reached: vec![false; n_nodes],
            brought: graph.nodes.iter().map(|node| vec![None; node.edges.len()]).collect(),
            changed_at: vec![0; n_nodes],
            n_widened: vec![0; n_nodes],
            clock: 1,
            has_changed: false,
        }
    }

    /// The work that was allowed is done: what comes now is not worth waiting for.
    pub(super) fn is_exhausted(&self) -> bool {
        self.context.work.is_spent() || self.options.stop.is_set()
    }

    pub(super) fn finish(self) -> Invariants {
        Invariants { states: self.states, is_reached: self.is_reached, is_stable: true }
    }

    /// One pass over all nodes. True when a state changed, or an edge had to be looked at again.
    pub(super) fn round(&mut self, direction: Direction) -> bool {
        self.has_changed = false;
        if !self.graph.nodes.is_empty() {
            self.is_reached = vec![false; self.graph.nodes.len()];
            self.visit(0, direction);
        }
        self.has_changed
    }

    /// An explicit stack of steps: graphs may be deeper than the host's stack.
    fn visit(&mut self, root: usize, direction: Direction) {
        enum Step {
            Enter(usize, u64),
            Leave,
        }
        let mut steps = vec![Step::Enter(root, 0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Leave => self.context.pop(),
                Step::Enter(node, version) => {
                    if self.graph.is_join(node) {
                        self.update(node, direction);
                        if self.states[node].is_none() {
                            self.forget_edges(node);
                            continue;
                        }
                    }
                    let version = version.max(self.changed_at[node]);
                    self.context.push();
                    steps.push(Step::Leave);
                    if !self.enter(node) {
                        self.forget_edges(node);
                        continue;
                    }
                    self.is_reached[node] = true;
                    if !self.pass_events(node) {
                        self.forget_edges(node);
                        continue;
                    }
                    self.edges(node, version);
                    for &child in self.order.children[node].iter().rev() {
                        steps.push(Step::Enter(child, version));
                    }
                }
            }
        }
    }

    /// What a node and all that it dominates bring is nothing while control does not come there.
    fn forget_edges(&mut self, root: usize) {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            for edge in 0..self.brought[node].len() {
                self.brought[node][edge] = None;
            }
            open.extend(&self.order.children[node]);
        }
    }

    /// Brings the context to a node. False when control does not come here.
    fn enter(&mut self, node: usize) -> bool {
        let graph = self.graph;
        if let [(from, edge)] = graph.nodes[node].ways_in[..] {
            match &self.brought[from][edge] {
                Some(Brought { state: None, .. }) | None => return false,
                Some(_) => {}
            }
            self.context.assume(graph.nodes[from].edges[edge].condition);
        }
        if let Some(state) = &self.states[node] {
            self.context.assume_state(state);
        }
        self.context.settle()
    }

    /// Goes through a node. False when control does not come to its end.
    fn pass_events(&mut self, node: usize) -> bool {
        for event in &self.graph.nodes[node].events {
            if let Some(fact) = event.after() {
                self.context.assume(fact);
            }
        }
        self.context.settle()
    }

    fn edges(&mut self, node: usize, version: u64) {
        for edge in 0..self.graph.nodes[node].edges.len() {
            if let Some(known) = &self.brought[node][edge]
                && known.at > version
            {
                continue;
            }
            self.clock += 1;
            self.has_changed = true;
            if self.options.stop.is_set() {
                // What was known of the edge before holds as well; a round that is cut short is not the last.
                return;
            }
            let at = self.clock;
            let state = self.follow(node, edge);
            self.brought[node][edge] = Some(Brought { state, at });
        }
    }

    /// What holds after an edge, for the parameters of its target.
    fn follow(&mut self, node: usize, edge: usize) -> Option<Facts> {
        let graph = self.graph;
        let edge = &graph.nodes[node].edges[edge];
        let target = edge.target;
        self.context.push();
        self.context.assume(edge.condition);
        for &arg in &edge.args {
            self.context.notice(arg);
        }
        let state = if self.context.settle() {
            self.context.carry(
                &graph.nodes[target].params,
                &edge.args,
                &self.templates.slopes[target],
                self.options,
            )
        } else {
            None
        };
        self.context.pop();
        state
    }

    /// The state of a join from what its ways in bring.
    fn update(&mut self, node: usize, direction: Direction) {
        let mut new: Option<Facts> = None;
        for &(from, edge) in &self.graph.nodes[node].ways_in {
            if let Some(Brought { state: Some(state), .. }) = &self.brought[from][edge] {
                new = Some(new.map_or_else(|| state.clone(), |all| all.join(state)));
            }
        }
        let next = match (&self.states[node], new, direction) {
            (_, None, _) => None,
            (None, Some(new), _) => Some(new),
            (Some(old), Some(new), Direction::Ascending) => {
                if self.order.is_head(self.graph, node) {
                    let joined = old.join(&new);
                    if joined == *old {
                        Some(joined)
                    } else {
                        self.n_widened[node] += 1;
                        let n_widened = self.n_widened[node];
                        Some(match n_widened.checked_sub(self.options.widen_after) {
                            Some(count) if count > 0 => {
                                widen(old, &new, count - 1, &self.thresholds)
                            }
                            _ => joined,
                        })
                    }
                } else {
                    Some(new)
                }
            }
            (Some(old), Some(new), Direction::Descending) => Some(old.meet(&new)),
        };
        if next != self.states[node] {
            self.states[node] = next;
            self.clock += 1;
            self.changed_at[node] = self.clock;
            self.has_changed = true;
        }
    }
}

/// How a context was shown to be impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refuted {
    ByRanges,
    ByLinear,
}

/// What holds at one point of the graph: asserted terms, domains, linear facts, elements of arrays.
#[derive(Debug)]
pub struct Context<'a> {
    graph: &'a Graph,
    engine: Engine,
    assertions: Vec<TermId>,
    facts: ArrayFacts,
    levels: Vec<(usize, usize, usize)>,
    /// Work that linear programs may still do.
    pub work: Steps,
}

impl<'a> Context<'a> {
    pub fn new(graph: &'a Graph, options: &Options) -> Context<'a> {
        Context {
            work: Steps::new(options.linear_work),
            graph,
            engine: Engine::new(),
            assertions: Vec::new(),
            facts: ArrayFacts::default(),
            levels: Vec::new(),
        }
    }

    pub fn push(&mut self) {
        self.engine.push();
        let lengths = (self.assertions.len(), self.facts.sums.len(), self.facts.elements.len());
        self.levels.push(lengths);
    }

    pub fn pop(&mut self) {
        self.engine.pop();
        if let Some((assertions, sums, elements)) = self.levels.pop() {
            self.assertions.truncate(assertions);
            self.facts.sums.truncate(sums);
            self.facts.elements.truncate(elements);
        }
    }

    pub fn assume(&mut self, fact: TermId) {
        if self.graph.terms.op(fact) == Op::True {
            return;
        }
        self.engine.assert(&self.graph.terms, fact, AssertId(0));
        match self.graph.rows.get(&fact) {
            Some(row) => self.facts.sums.push(row.clone()),
            None => self.assertions.push(fact),
        }
        self.read_arrays(fact);
    }

    pub fn assume_state(&mut self, state: &Facts) {
        for (param, domain) in &state.domains {
            if !domain.is_full() {
                self.engine.narrow(&self.graph.terms, *param, domain, &[]);
            }
        }
        self.facts.sums.extend(state.sums());
        self.facts.elements.extend(state.elements.iter().copied());
    }

    /// Makes the engine look at a term.
    pub fn notice(&mut self, term: TermId) {
        let full = Domain::full(self.graph.terms.sort(term));
        self.engine.narrow(&self.graph.terms, term, &full, &[]);
        self.read_arrays(term);
    }

    /// Elements that are read are what all elements of their array are.
    fn read_arrays(&mut self, root: TermId) {
        let terms = &self.graph.terms;
        for term in terms.subterms(&[root]) {
            if terms.op(term) != Op::Array(ArrayOp::Select) {
                continue;
            }
            let engine = &self.engine;
            let domain = |term: TermId| bits_of(terms, engine, term);
            let elements = elements_of(terms, terms.arg(term, 0), &self.facts.elements, &domain);
            if !elements.is_full()
                && matches!(terms.sort(term), Sort::Bv(w) if w == elements.width())
            {
                self.engine.narrow(terms, term, &Domain::Bits(elements), &[]);
            }
        }
    }

    /// Propagates domains. False when nothing is left.
    pub fn settle(&mut self) -> bool {
        let answer = self.engine.propagate(&mut Budget::steps(PROPAGATION));
        !matches!(answer, Propagation::Conflict(_))
    }

    /// Like `settle`, trying both sides of undecided conditions.
    pub fn probe(&mut self) -> bool {
        let answer = self.engine.probe(1, &mut Budget::steps(4 * PROPAGATION));
        !matches!(answer, Propagation::Conflict(_))
    }

    /// The domain of any term, as far as propagation knows it.
    pub fn look(&mut self, term: TermId) -> Option<Domain> {
        if let Some(value) = self.graph.terms.as_value(term) {
            return Some(Domain::point(&value));
        }
        self.notice(term);
        if self.settle() { self.engine.domain(term).copied() } else { None }
    }

    pub fn domain(&self, term: TermId) -> Option<&Domain> {
        self.engine.domain(term)
    }

    /// The least and greatest value of a variable, in a reading.
    pub fn range_or_type(&self, term: TermId, signedness: Signedness) -> (i128, i128) {
        let known = Ranges(&self.engine).range(term, signedness);
        known.unwrap_or_else(|| {
            let width = u32::from(self.graph.terms.width(term)).min(100);
            match signedness {
                Signedness::Signed => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
                Signedness::Unsigned => (0, (1 << width) - 1),
            }
        })
    }

    /// Tries to show that what was assumed is impossible.
    pub fn refute(&mut self, options: &Options) -> Option<Refuted> {
        if !self.settle() || (options.probing && !self.probe()) {
            return Some(Refuted::ByRanges);
        }
        if !options.linear {
            return None;
        }
        let limits = Limits { steps: LINEAR_WORK, polynomial_boxes: 50, ..Limits::default() };
        let found = maximize(
            &self.graph.terms,
            &Ranges(&self.engine),
            Knowledge { assertions: &self.assertions, facts: &self.facts.sums },
            &[],
            &limits,
            &mut self.work,
        );
        (found == Maxima::Infeasible).then_some(Refuted::ByLinear)
    }

    /// The state that `args` bring to `params`; `None` when it is impossible to get there.
    pub fn carry(
        &mut self,
        params: &[TermId],
        args: &[TermId],
        slopes: &[TermSum],
        options: &Options,
    ) -> Option<Facts> {
        let terms = &self.graph.terms;
        let mut domains = Vec::new();
        let mut elements = Vec::new();
        for (&param, &arg) in params.iter().zip(args) {
            let sort = terms.sort(arg);
            if let Sort::Array { .. } = sort {
                let engine = &self.engine;
                let domain = |term: TermId| bits_of(terms, engine, term);
                elements.push((param, elements_of(terms, arg, &self.facts.elements, &domain)));
                continue;
            }
            let domain = match terms.as_value(arg) {
                Some(value) => Domain::point(&value),
                None => self.engine.domain(arg).copied().unwrap_or(Domain::full(sort)),
            };
            domains.push((param, domain));
        }
        let bounds = if options.linear {
            self.bounds(params, args, slopes, &mut domains)?
        } else {
            Vec::new()
        };
        Some(Facts { domains, bounds, elements })
    }

    /// The largest values of the slopes after the edge; ranges of the parameters get sharper on the way.
    fn bounds(
        &mut self,
        params: &[TermId],
        args: &[TermId],
        slopes: &[TermSum],
        domains: &mut [(TermId, Domain)],
    ) -> Option<Vec<(TermSum, Option<i128>)>> {
        let after = |slope: &TermSum| {
            let terms = slope
                .terms
                .iter()
                .map(|&(variable, signedness, c)| {
                    let position = params.iter().position(|param| *param == variable);
                    (position.map_or(variable, |position| args[position]), signedness, c)
                })
                .collect();
            TermSum { terms, constant: slope.constant }
        };
        let mut sums: Vec<TermSum> = slopes.iter().map(after).collect();
        // Single parameters too, where the domain leaves something to find.
        let mut singles = Vec::new();
        for (position, (param, domain)) in domains.iter().enumerate() {
            if let Domain::Bits(bits) = domain
                && !bits.is_fixed()
                && bits.width() >= 4
            {
                for signedness in [Signedness::Signed, Signedness::Unsigned] {
                    if is_read(slopes, *param, signedness) {
                        singles.push((position, signedness, sums.len()));
                        for sign in [1, -1] {
                            let terms = vec![(*param, signedness, sign)];
                            sums.push(after(&TermSum { terms, constant: 0 }));
                        }
                    }
                }
            }
        }
        if sums.is_empty() && self.facts.sums.is_empty() {
            return Some(Vec::new());
        }
        let limits = Limits {
            rounds: 2,
            steps: LINEAR_WORK,
            branch_nodes: 0,
            polynomial_boxes: 0,
            shaving: Shaving::Nonlinear,
        };
        let found = maximize(
            &self.graph.terms,
            &Ranges(&self.engine),
            Knowledge { assertions: &self.assertions, facts: &self.facts.sums },
            &sums,
            &limits,
            &mut self.work,
        );
        let values = match found {
            Maxima::Infeasible => return None,
            Maxima::Values(values) => values,
        };
        for (position, signedness, index) in singles {
            sharpen(&mut domains[position].1, signedness, values[index + 1], values[index])?;
        }
        Some(slopes.iter().cloned().zip(values).collect())
    }
}

fn is_read(slopes: &[TermSum], param: TermId, signedness: Signedness) -> bool {
    slopes.iter().any(|slope| {
        slope.terms.iter().any(|(variable, s, _)| *variable == param && *s == signedness)
    })
}

/// Cuts a domain to `-low..=high` in a reading. `None` when nothing is left.
fn sharpen(
    domain: &mut Domain,
    signedness: Signedness,
    negated_low: Option<i128>,
    high: Option<i128>,
) -> Option<()> {
    let Domain::Bits(bits) = domain else { return Some(()) };
    let width = bits.width();
    let (least, greatest) = match signedness {
        Signedness::Signed => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
        Signedness::Unsigned => (0, (1_i128 << width) - 1),
    };
    let low = negated_low.map_or(least, |value| (-value).max(least));
    let high = high.map_or(greatest, |value| value.min(greatest));
    if low > high {
        return None;
    }
    *bits = bits.meet_interval(Clockwise::from_integers(low, high, width))?;
    Some(())
}

fn bits_of(terms: &Terms, engine: &Engine, term: TermId) -> Option<BitsDomain> {
    if let Some(bits) = terms.as_bv_const(term) {
        return (bits.width() <= 64).then(|| BitsDomain::of(bits));
    }
    match engine.domain(term)? {
        Domain::Bits(bits) => Some(*bits),
        Domain::Bool(_) | Domain::Wide(_) | Domain::Float(_) | Domain::Opaque => None,
    }
}

/// The domains of an engine as bounds for the linear relaxation.
struct Ranges<'a>(&'a Engine);

impl Bounds for Ranges<'_> {
    fn range(&self, term: TermId, signedness: Signedness) -> Option<(i128, i128)> {
        self.0.domain(term)?.range(signedness)
    }
}
