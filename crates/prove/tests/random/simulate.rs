//! Running the graph on numbers: the check that graph and invariants contain what really happens.

use glassbox_ir::{BlockId, FuncId};
use glassbox_kernel::Domain;
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{Evaluator, Model as TermModel, Sort, TermId, Terms, Value};
use glassbox_values::{Bits, Float, Signedness};

use glassbox_callsum::Summaries;
use glassbox_invariants::{Invariants, analyze};
use glassbox_ir::Program;
use glassbox_prove::Options;
use glassbox_whole::{Event, Graph, Order};

/// A run of the graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Simulation {
    /// Edges of functions of the program, in order.
    pub(crate) edges: Vec<(FuncId, BlockId, u32)>,
    /// An invariant that the run contradicts: a defect, in words.
    pub(crate) contradiction: Option<String>,
    /// The run came to its end within the steps.
    pub(crate) is_complete: bool,
}

/// The graph of a function with all calls expanded that the options allow, and its invariants.
pub(crate) struct Simulator {
    graph: Graph,
    invariants: Invariants,
}

impl Simulator {
    /// `None` when the graph is not exact, so that numbers for its inputs do not determine a run.
    pub(crate) fn new(program: &Program, function: FuncId, options: &Options) -> Option<Simulator> {
        let mut summaries = Summaries::new(program, function);
        let graph = summaries.graph(program, function, &options.calls(), false)?;
        if !graph.is_exact || !graph.unsupported.is_empty() {
            return None;
        }
        let invariants = analyze(&graph, &Order::new(&graph), &options.invariants());
        Some(Simulator { graph, invariants })
    }

    /// Runs the graph on the values of its inputs, in order of appearance, and compares every state on the way
    /// with the invariants.
    pub(crate) fn run(&self, inputs: &[Bits], max_steps: usize) -> Option<Simulation> {
        let terms = &self.graph.terms;
        let mut values = TermModel::new();
        for (&input, &bits) in self.graph.inputs.iter().zip(inputs) {
            values.set(terms.as_var(input)?, value_of(terms.sort(input), bits)?);
        }
        Some(run(self, values, max_steps))
    }
}

fn value_of(sort: Sort, bits: Bits) -> Option<Value> {
    Some(match sort {
        Sort::Bool => Value::Bool(bits.is_true()),
        Sort::Bv(width) if width == bits.width() => Value::Bv(bits),
        Sort::Float(format) => {
            Value::Float(Float::from_bits(u64::try_from(bits.unsigned()).ok()?, format))
        }
        Sort::Bv(_) | Sort::Array { .. } => return None,
    })
}

fn run(model: &Simulator, mut values: TermModel, max_steps: usize) -> Simulation {
    let graph = &model.graph;
    let terms = &graph.terms;
    let mut simulation = Simulation::default();
    let mut names = std::collections::BTreeMap::new();
    for (key, places) in &graph.edges {
        for place in places {
            names.insert(*place, *key);
        }
    }
    let mut node = 0;
    for _ in 0..max_steps {
        if let Some(message) = contradiction(model, node, &values) {
            simulation.contradiction = Some(message);
            return simulation;
        }
        for event in &graph.nodes[node].events {
            let fact = match event {
                Event::Assume(fact) => Some(*fact),
                Event::Check(checked) => checked.passed,
            };
            if fact.is_some_and(|fact| !truth(terms, &values, fact)) {
                simulation.is_complete = true;
                return simulation;
            }
        }
        let taken = graph.nodes[node].edges.iter().position(|e| truth(terms, &values, e.condition));
        let Some(taken) = taken else {
            simulation.is_complete = true;
            return simulation;
        };
        if let Some((function, block, edge)) = names.get(&(node, taken)) {
            simulation.edges.push((*function, *block, *edge));
        }
        let edge = &graph.nodes[node].edges[taken];
        let args: Vec<Value> = edge.args.iter().map(|&arg| value(terms, &values, arg)).collect();
        for (&param, arg) in graph.nodes[edge.target].params.iter().zip(args) {
            if let Some(var) = terms.as_var(param) {
                values.set(var, arg);
            }
        }
        node = edge.target;
    }
    simulation
}

fn value(terms: &Terms, values: &TermModel, term: TermId) -> Value {
    Evaluator::new().under(terms, values).value(term).clone()
}

fn truth(terms: &Terms, values: &TermModel, term: TermId) -> bool {
    Evaluator::new().under(terms, values).truth(term)
}

fn contradiction(model: &Simulator, node: usize, values: &TermModel) -> Option<String> {
    let terms = &model.graph.terms;
    if !model.invariants.is_stable {
        return None;
    }
    if !model.invariants.is_reached[node] {
        return Some(format!("node {node} counts as unreachable"));
    }
    let state = model.invariants.states[node].as_ref()?;
    for (param, domain) in &state.domains {
        let found = value(terms, values, *param);
        if !matches!(domain, Domain::Opaque) && !domain.contains(&found) {
            return Some(format!("{found:?} is not in {domain:?} at node {node}"));
        }
    }
    for sum in state.sums() {
        let total = total(terms, values, &sum);
        if total > 0 {
            return Some(format!("{sum:?} is {total} at node {node}"));
        }
    }
    None
}

fn total(terms: &Terms, values: &TermModel, sum: &TermSum) -> i128 {
    let mut total = sum.constant;
    for &(term, signedness, coefficient) in &sum.terms {
        let number = match (value(terms, values, term), signedness) {
            (Value::Bv(bits), Signedness::Signed) => bits.signed(),
            (Value::Bv(bits), Signedness::Unsigned) => bits.unsigned().cast_signed(),
            (Value::Bool(_) | Value::Float(_) | Value::Array(_), _) => 0,
        };
        total += coefficient * number;
    }
    total
}
