//! The model of one function: its graph, what is known of it, and where questions point in it.

use std::collections::BTreeMap;

use glassbox_invariants::{Invariants, Refuted, analyze, context_at};
use glassbox_terms::{TermId, Terms};
use glassbox_whole::formula::state_terms;
use glassbox_whole::{Event, Graph, Order};

use crate::answer::{Answer, Hint, Method, Proof, Reason};
use crate::contents;
use crate::gated::{Formula, Inquiry, Region, Start, with_patience};
use crate::induction::{self, Unfolding};
use crate::options::Options;
use crate::portfolio::{Outcome, Stage};
use crate::question::Question;

/// The function as a graph, and what is known of it.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) graph: Graph,
    pub(crate) order: Order,
    pub(crate) invariants: Invariants,
    /// The formula of the whole function, made when first needed; the inner `None` when it is too large.
    whole: Option<Option<(Region, Inquiry)>>,
    /// By loop head: its visits, made when first needed.
    pub(crate) unfoldings: BTreeMap<usize, Unfolding>,
}

/// A point of the graph and what happens there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// Control is in the node, after this many events.
    Point {
        node: usize,
        n_events: usize,
    },
    Edge {
        node: usize,
        edge: usize,
    },
    /// The check that is this event fails.
    Failure {
        node: usize,
        event: usize,
    },
}

impl Target {
    pub(crate) fn node(self) -> usize {
        match self {
            Target::Point { node, .. }
            | Target::Edge { node, .. }
            | Target::Failure { node, .. } => node,
        }
    }
}

impl Model {
    pub(crate) fn new(mut graph: Graph, options: &Options) -> Model {
        let order = Order::new(&graph);
        if options.contents {
            contents::split_elements(&mut graph, &order);
        }
        let mut invariants = analyze(&graph, &order, &options.invariants());
        let learns = options.contents && options.summaries && invariants.is_stable;
        if learns && contents::add_facts(&mut graph, &order, &invariants, options) {
            // What is known of elements may say more about everything else.
            let sharper = analyze(&graph, &order, &options.invariants());
            if sharper.is_stable {
                invariants = sharper;
            }
        }
        Model { graph, order, invariants, whole: None, unfoldings: BTreeMap::new() }
    }

    /// Asks the stages about every place that the question points to.
    pub(crate) fn decide(
        &mut self,
        question: &Question,
        stages: &[Stage],
        options: &Options,
    ) -> Answer {
        let targets = match self.targets(question) {
            Ok(targets) => targets,
            Err(reason) => return Answer::Unknown(reason),
        };
        if let Some(reason) = self.out_of_order() {
            return Answer::Unknown(reason);
        }
        if targets.is_empty()
            && let Some(reason) = self.unmodeled()
        {
            return Answer::Unknown(reason);
        }
        let mut method = Method::ControlFlow;
        for target in targets {
            if let Some(reason) = self.obstacle(target) {
                return Answer::Unknown(reason);
            }
            match self.exclude(target, stages, options) {
                Outcome::Excluded(found) => method = method.max(found),
                Outcome::Found(hint) => return Answer::Possible(hint),
                Outcome::Open => return Answer::Unknown(Reason::TooWeak),
            }
        }
        Answer::Impossible(Proof { method: self.credited(method), bounds: Vec::new() })
    }

    fn exclude(&mut self, target: Target, stages: &[Stage], options: &Options) -> Outcome {
        for stage in stages {
            if !stage.applies(self, target, options) {
                continue;
            }
            match stage.ask(self, target, options) {
                Outcome::Open => {}
                decided @ (Outcome::Excluded(_) | Outcome::Found(_)) => return decided,
            }
        }
        Outcome::Open
    }

    /// A proof that rests on summaries says so.
    fn credited(&self, method: Method) -> Method {
        let calls = &self.graph.calls;
        let needs_returns = method != Method::ControlFlow;
        let rests_on_none = calls.iter().all(|call| !needs_returns && call.may_return);
        if rests_on_none { method } else { Method::CallSummaries }
    }

    /// Where in the graph the question points.
    fn targets(&self, question: &Question) -> Result<Vec<Target>, Reason> {
        let graph = &self.graph;
        let function = question.function();
        if graph.hidden.contains(&function) {
            return Err(Reason::Budget("expanding calls"));
        }
        let edges_of = |block, edge| {
            let found = graph.edges.get(&(function, block, edge)).into_iter().flatten();
            found.map(|&(node, edge)| Target::Edge { node, edge })
        };
        Ok(match question {
            Question::Reached(place) => {
                let sites = graph.sites.get(place).into_iter().flatten();
                sites.map(|&(node, n_events)| Target::Point { node, n_events }).collect()
            }
            Question::Edge { block, edge, .. } => edges_of(*block, *edge).collect(),
            Question::AnyEdge { edges, .. } => {
                edges.iter().flat_map(|&(block, edge)| edges_of(block, edge)).collect()
            }
            Question::CheckFails(place) | Question::AccessFails(place) => {
                let is_access = matches!(question, Question::AccessFails(_));
                let sites = graph.sites.get(place).into_iter().flatten();
                sites
                    .flat_map(|&(node, from)| {
                        // What its operands assume may stand before it. Under some options there is no check.
                        let events = graph.nodes[node].events.iter().enumerate().skip(from);
                        let asked = events.filter(|(_, event)| match event {
                            Event::Check(checked) => {
                                checked.place == *place && !(is_access && checked.is_of_content)
                            }
                            Event::Assume(_) => false,
                        });
                        asked.map(move |(event, _)| Target::Failure { node, event })
                    })
                    .collect()
            }
        })
    }

    /// Something unmodeled that a run may come to: what is not in the graph may come after it.
    fn unmodeled(&self) -> Option<Reason> {
        let mut unsupported = self.graph.unsupported.iter();
        let found = unsupported.find(|(node, _, _)| self.invariants.is_reached[*node]);
        found.map(|(_, what, span)| Reason::Unsupported { what: what.clone(), span: *span })
    }

    /// A call that breaks the order of instructions. Values that are constant in the graph need not be so
    /// behind it, so that not even the absence of an edge says anything.
    fn out_of_order(&self) -> Option<Reason> {
        let mut calls = self.graph.out_of_order.iter();
        let found = calls.find(|(node, _, _)| self.invariants.is_reached[*node]);
        found.map(|(_, what, span)| Reason::Unsupported { what: what.clone(), span: *span })
    }

    /// Something unmodeled that may come before the target.
    fn obstacle(&self, target: Target) -> Option<Reason> {
        let found = self.graph.unsupported.iter().find(|(node, _, _)| {
            self.invariants.is_reached[*node] && self.leads_to(*node, target.node())
        });
        found.map(|(_, what, span)| Reason::Unsupported { what: what.clone(), span: *span })
    }

    pub(crate) fn leads_to(&self, from: usize, to: usize) -> bool {
        let mut is_seen = vec![false; self.graph.nodes.len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            for edge in &self.graph.nodes[node].edges {
                if !std::mem::replace(&mut is_seen[edge.target], true) {
                    open.push(edge.target);
                }
            }
        }
        false
    }

    /// The formula of the whole function, loops cut at their invariants.
    pub(crate) fn ask_formula(&mut self, target: Target, options: &Options) -> Outcome {
        let mut terms = std::mem::take(&mut self.graph.terms);
        if self.whole.is_none() {
            let always = terms.bool_const(true);
            let start = Start { node: 0, guard: always, values: Default::default() };
            let (graph, order) = (&self.graph, &self.order);
            let region = Region::new(&mut terms, graph, order, &self.invariants, &start, None);
            let relaxing = induction::relaxing(&terms, graph);
            self.whole = Some(region.map(|region| {
                let options = with_patience(&terms, &region.facts, options);
                let mut inquiry = Inquiry::new(&options, relaxing);
                inquiry.assert(&mut terms, &region.facts);
                (region, inquiry)
            }));
        }
        let mut whole = self.whole.take();
        let found = match whole.as_mut().and_then(Option::as_mut) {
            None => Outcome::Open,
            Some((region, inquiry)) => {
                let guard = region.guard(&mut terms, &self.graph, target);
                match inquiry.ask(&mut terms, &[guard], options) {
                    Formula::Impossible => Outcome::Excluded(Method::WholeFunction),
                    Formula::Possible(found) if !region.is_cut => {
                        Outcome::Found(self.hint(&terms, &found))
                    }
                    Formula::Possible(_) | Formula::Unknown => Outcome::Open,
                }
            }
        };
        self.whole = whole;
        self.graph.terms = terms;
        found
    }

    fn hint(&self, terms: &Terms, found: &glassbox_terms::Model) -> Hint {
        let mut inputs = Vec::new();
        for &input in &self.graph.inputs {
            let Some(var) = terms.as_var(input) else { continue };
            let bits = match found.value(terms, var) {
                glassbox_terms::Value::Bool(truth) => glassbox_values::Bits::from_bool(truth),
                glassbox_terms::Value::Bv(bits) => bits,
                glassbox_terms::Value::Float(float) => {
                    glassbox_values::Bits::new(float.to_bits().into(), float.format().width())
                }
                glassbox_terms::Value::Array(_) => continue,
            };
            inputs.push((terms.var_name(var).to_owned(), bits));
        }
        Hint { is_exact: self.graph.is_exact, inputs }
    }

    /// What holds whenever control enters a join: invariants, and conditions on the way down the dominator
    /// tree.
    pub(crate) fn known_at(&self, terms: &mut Terms, node: usize) -> Vec<TermId> {
        let mut facts = Vec::new();
        for &at in &self.order.chain(node) {
            if let [(from, edge)] = self.graph.nodes[at].ways_in[..] {
                facts.push(self.graph.nodes[from].edges[edge].condition);
            }
            if let Some(state) = &self.invariants.states[at] {
                facts.extend(state_terms(terms, state));
            }
            if at != node {
                facts.extend(self.graph.nodes[at].events.iter().filter_map(Event::after));
            }
        }
        facts
    }

    /// Invariants and what holds on the way down the dominator tree exclude the target.
    pub(crate) fn refute(&self, target: Target, options: &Options) -> Option<Method> {
        let node = target.node();
        if self.invariants.is_stable && !self.invariants.is_reached[node] {
            return Some(Method::LinearInvariants);
        }
        let failing = match target {
            Target::Failure { node, event } => match &self.graph.nodes[node].events[event] {
                Event::Check(checked) => Some(checked.fails?),
                Event::Assume(_) => None,
            },
            Target::Point { .. } | Target::Edge { .. } => None,
        };
        let options = options.invariants();
        let n_events = match target {
            Target::Point { n_events, .. } => n_events,
            Target::Failure { event, .. } => event,
            Target::Edge { .. } => usize::MAX,
        };
        let (graph, order) = (&self.graph, &self.order);
        let mut context = context_at(graph, order, &self.invariants, node, n_events, &options);
        if let Target::Edge { node, edge } = target {
            context.assume(self.graph.nodes[node].edges[edge].condition);
        }
        if let Some(fails) = failing {
            context.assume(fails);
        }
        context.refute(&options).map(|refuted| match refuted {
            Refuted::ByRanges => Method::Ranges,
            Refuted::ByLinear => Method::LinearInvariants,
        })
    }
}
