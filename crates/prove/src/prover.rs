//! The prover of one function: asks the methods from cheap to costly.

use std::collections::BTreeMap;

use glassbox_callsum::{Effort, Summaries, in_context};
use glassbox_invariants::{Invariants, Refuted, analyze, context_at};
use glassbox_ir::{FuncId, Program};
use glassbox_terms::{TermId, Terms};
use glassbox_whole::formula::state_terms;
use glassbox_whole::{Event, Graph, Order};

use crate::answer::{Answer, Hint, Method, Proof, Reason};
use crate::contents;
use crate::cover;
use crate::gated::{Formula, Inquiry, Region, Start, with_patience};
use crate::induction::{self, Unfolding};
use crate::options::Options;
use crate::question::Question;

/// Answers questions about the runs of one function.
#[derive(Debug)]
pub struct Prover<'a> {
    program: &'a Program,
    function: FuncId,
    options: Options,
    /// By depth of calls, made when asked for; `None` when the function is too complicated.
    models: Vec<(u32, Option<Model>)>,
    /// What functions do that are not expanded; made when first needed.
    summaries: Option<Summaries>,
    /// The function and those that it calls without expanding them, each in its own model; made when first
    /// needed. The inner `None` when that is too much.
    in_context: BTreeMap<Effort, Option<Vec<Model>>>,
}

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

/// What the formula of the whole function says.
enum Whole {
    Excluded,
    Found(Hint),
    Open,
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

impl<'a> Prover<'a> {
    /// `function` must be defined in `program`. Work is done when a question asks for it.
    pub fn new(program: &'a Program, function: FuncId, options: Options) -> Prover<'a> {
        Prover {
            program,
            function,
            options,
            models: Vec::new(),
            summaries: None,
            in_context: BTreeMap::new(),
        }
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    pub fn function(&self) -> FuncId {
        self.function
    }

    /// What each function that may be called does whenever it returns, in words; callees first.
    pub fn describe_calls(&mut self) -> Vec<(FuncId, Vec<String>)> {
        let (program, function) = (self.program, self.function);
        let summaries = self.summaries.get_or_insert_with(|| Summaries::new(program, function));
        summaries.describe(program, function, &self.options.calls())
    }

    /// The model with all calls expanded that the options allow.
    pub(crate) fn model(&mut self) -> Option<&mut Model> {
        self.model_at(self.options.max_call_depth)
    }

    fn model_at(&mut self, depth: u32) -> Option<&mut Model> {
        let position = match self.models.iter().position(|(known, _)| *known == depth) {
            Some(position) => position,
            None => {
                let options = Options { max_call_depth: depth, ..self.options.clone() };
                let (program, function) = (self.program, self.function);
                let is_partial = depth < self.options.max_call_depth;
                let summaries =
                    self.summaries.get_or_insert_with(|| Summaries::new(program, function));
                let graph = summaries.graph(program, function, &options.calls(), is_partial);
                let model = graph.map(|graph| make_model(graph, &options));
                self.models.push((depth, model));
                self.models.len() - 1
            }
        };
        self.models[position].1.as_mut()
    }

    /// Depths of calls to try one after the other: calls are introduced when the question needs them. At first
    /// every call is what its summary says.
    fn depths(&self) -> Vec<u32> {
        let deepest = self.options.max_call_depth;
        if self.options.eager_calls {
            return vec![deepest];
        }
        let has_summaries = self.options.call_summaries && self.program.object_layout.is_none();
        let first = if has_summaries { 0 } else { 1 };
        let mut depths: Vec<u32> =
            [0, 1, 3].into_iter().filter(|depth| (first..deepest).contains(depth)).collect();
        depths.push(deepest);
        depths
    }

    /// The models of the function and of those that it calls without expanding them.
    fn models_in_context(&mut self, effort: Effort) -> Option<&mut Vec<Model>> {
        if !self.in_context.contains_key(&effort) {
            let (program, function) = (self.program, self.function);
            let options = self.options.clone();
            let summaries = self.summaries.get_or_insert_with(|| Summaries::new(program, function));
            let found = in_context(program, function, summaries, &options.calls(), effort);
            let models = found.map(|found| {
                let opaque = found.opaque;
                let models = found.graphs.into_iter().map(|mut graph| {
                    // What is summarized in one model is in another.
                    graph.hidden.clone_from(&opaque);
                    make_model(graph, &options)
                });
                models.collect()
            });
            let _ = self.in_context.insert(effort, models);
        }
        self.in_context.get_mut(&effort).and_then(Option::as_mut)
    }

    /// The proof from models of all functions that are not expanded: none of them does it.
    fn decide_in_context(&mut self, question: &Question) -> Option<Proof> {
        let options = self.options.clone();
        Effort::ALL.into_iter().find_map(|effort| {
            let mut method = Method::ControlFlow;
            for model in self.models_in_context(effort)? {
                // What more effort is for, invariants show.
                let proof = match effort {
                    Effort::Plain => match model.decide(question, &options) {
                        Answer::Impossible(proof) => proof,
                        Answer::Possible(_) | Answer::Unknown(_) => return None,
                    },
                    Effort::Factors | Effort::Unrolled => {
                        model.exclude_by_invariants(question, &options)?
                    }
                };
                method = method.max(proof.method);
            }
            Some(Proof { method, bounds: Vec::new() })
        })
    }

    /// Whether any run of the function under test, from any input, does what the question says.
    pub fn decide(&mut self, question: &Question) -> Answer {
        let options = self.options.clone();
        let mut answer = Answer::Unknown(Reason::TooWeak);
        let mut is_hidden = false;
        for depth in self.depths() {
            if options.stop.is_set() {
                return Answer::Unknown(Reason::Budget("the time limit"));
            }
            let Some(model) = self.model_at(depth) else {
                return Answer::Unknown(Reason::Budget("building the graph"));
            };
            answer = model.decide(question, &options);
            is_hidden = !model.graph.hidden.is_empty();
            if matches!(answer, Answer::Impossible(_)) || !model.graph.is_shallow {
                break;
            }
        }
        if is_hidden
            && options.call_summaries
            && !matches!(answer, Answer::Impossible(_))
            && let Some(proof) = self.decide_in_context(question)
        {
            return Answer::Impossible(proof);
        }
        if !matches!(answer, Answer::Impossible(_))
            && let Some(proof) = self.exclude_by_covering(question)
        {
            return Answer::Impossible(proof);
        }
        answer
    }

    /// The proof that runs over boxes of float inputs give, if they do.
    pub fn exclude_by_covering(&self, question: &Question) -> Option<Proof> {
        let function = question.function();
        let is_excluded = cover::excludes(self.program, function, question, &self.options);
        is_excluded.then(|| Proof { method: Method::Covering, bounds: Vec::new() })
    }

    /// The proof that invariants alone give, if they do. Much cheaper than `decide` where the answer is no.
    pub fn exclude_by_invariants(&mut self, question: &Question) -> Option<Proof> {
        let options = self.options.clone();
        for depth in self.depths() {
            if options.stop.is_set() {
                return None;
            }
            let model = self.model_at(depth)?;
            let found = model.exclude_by_invariants(question, &options);
            if found.is_some() || !model.graph.is_shallow {
                return found;
            }
        }
        None
    }
}

fn make_model(mut graph: Graph, options: &Options) -> Model {
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

impl Model {
    fn decide(&mut self, question: &Question, options: &Options) -> Answer {
        let targets = match self.targets(question) {
            Ok(targets) => targets,
            Err(reason) => return Answer::Unknown(reason),
        };
        let mut method = Method::ControlFlow;
        if let Some(reason) = self.out_of_order() {
            return Answer::Unknown(reason);
        }
        if targets.is_empty()
            && let Some(reason) = self.dead_end()
        {
            return Answer::Unknown(reason);
        }
        for target in targets {
            if let Some(reason) = self.obstacle(target) {
                return Answer::Unknown(reason);
            }
            match self.exclude(target, options) {
                Ok(found) => method = method.max(found),
                Err(answer) => return answer,
            }
        }
        Answer::Impossible(Proof { method: self.told(method), bounds: Vec::new() })
    }

    /// A proof that rests on summaries says so.
    fn told(&self, method: Method) -> Method {
        match method {
            Method::ControlFlow if self.graph.calls.iter().all(|call| call.may_return) => method,
            _ if self.graph.calls.is_empty() => method,
            _ => Method::CallSummaries,
        }
    }

    fn exclude_by_invariants(&self, question: &Question, options: &Options) -> Option<Proof> {
        let mut method = Method::ControlFlow;
        let targets = self.targets(question).ok()?;
        if self.out_of_order().is_some() || targets.is_empty() && self.dead_end().is_some() {
            return None;
        }
        for target in targets {
            if self.obstacle(target).is_some() {
                return None;
            }
            method = method.max(self.refute(target, options)?);
        }
        Some(Proof { method: self.told(method), bounds: Vec::new() })
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

    /// Something unmodeled that the graph does not go on behind: what follows is not in the graph.
    fn dead_end(&self) -> Option<Reason> {
        let found = self.graph.unsupported.iter().find(|(node, _, _)| {
            self.invariants.is_reached[*node] && self.graph.nodes[*node].edges.is_empty()
        });
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

    /// Asks the methods in turn.
    fn exclude(&mut self, target: Target, options: &Options) -> Result<Method, Answer> {
        if let Some(method) = self.refute(target, options) {
            return Ok(method);
        }
        if let Target::Failure { node, event } = target
            && let Event::Check(checked) = &self.graph.nodes[node].events[event]
            && checked.holds.is_none()
        {
            return Err(Answer::Unknown(Reason::TooWeak));
        }
        if options.whole_function {
            match self.whole_function(target, options) {
                Whole::Excluded => return Ok(Method::WholeFunction),
                Whole::Found(hint) => return Err(Answer::Possible(hint)),
                Whole::Open => {}
            }
        }
        if options.induction
            && let Some(method) = induction::refute(self, target, options)
        {
            return Ok(method);
        }
        Err(Answer::Unknown(Reason::TooWeak))
    }

    /// The formula of the whole function, loops cut at their invariants.
    fn whole_function(&mut self, target: Target, options: &Options) -> Whole {
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
            None => Whole::Open,
            Some((region, inquiry)) => {
                let guard = region.guard(&mut terms, &self.graph, target);
                match inquiry.ask(&mut terms, &[guard], options) {
                    Formula::Impossible => Whole::Excluded,
                    Formula::Possible(found) if !region.is_cut => {
                        Whole::Found(self.hint(&terms, &found))
                    }
                    Formula::Possible(_) | Formula::Unknown => Whole::Open,
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
    fn refute(&self, target: Target, options: &Options) -> Option<Method> {
        let node = target.node();
        if !self.order.is_reachable(node) {
            return Some(Method::ControlFlow);
        }
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
