//! Summaries of functions from models of them alone: arguments and memory may be anything.
//!
//! Functions that call each other are solved together, see the module's comment; callees come first. What is too
//! large, or does not converge within the budget, may return anything, which is always right.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use glassbox_ir::{FuncId, Program};
use glassbox_relax::optimum::TermSum;
use glassbox_terms::TermId;
use glassbox_values::Signedness;

use glassbox_invariants::{Invariants, Thresholds, linear, normalized, widen};
use glassbox_whole::summary::{Exit, Plan, Quantity, Role, Schema, Summary, Table, translate};
use glassbox_whole::{Facts, Graph, Order, build};

use super::effects::effects;
use super::options::Options;
use super::order::{groups, is_recursive};
use super::{schema, text};

/// Turns over a group of recursive functions.
const MAX_ROUNDS: usize = 40;

/// Downward turns.
const N_DESCENDING: usize = 2;

/// Analyses of functions for one function under test.
const MAX_ANALYSES: usize = 300;

/// Calls within calls whose summaries are looked for; deeper ones may do anything.
const MAX_NESTED: usize = 40;

/// The share of the work for one analysis of the function under test that a callee's analysis gets.
const SHARE_OF_WORK: u64 = 8;

/// The model of a function and what is known of it.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub(crate) graph: Graph,
    pub(crate) order: Order,
    pub(crate) invariants: Invariants,
}

/// Summaries that were found so far.
#[derive(Debug)]
pub struct Summaries {
    pub(crate) table: Table,
    groups: Vec<Vec<FuncId>>,
    n_analyses: usize,
    n_nested: usize,
}

impl Summaries {
    /// For the calls that `root` may come to.
    pub fn new(program: &Program, root: FuncId) -> Summaries {
        let effects = Rc::new(effects(program, root));
        let table = Table { effects, ..Table::default() };
        Summaries { table, groups: groups(program, root), n_analyses: 0, n_nested: 0 }
    }

    /// The graph of the function under test, with summaries for all calls that it does not expand.
    pub fn graph(
        &mut self,
        program: &Program,
        function: FuncId,
        options: &Options,
        is_partial: bool,
    ) -> Option<Graph> {
        self.complete(program, options, |table| {
            let plan = Plan { table, role: Role::UnderTest, is_partial };
            build(program, function, &options.graph, plan)
        })
    }

    /// Builds, looks for the summaries that were missing, and builds again.
    fn complete(
        &mut self,
        program: &Program,
        options: &Options,
        build: impl Fn(&Table) -> Option<Graph>,
    ) -> Option<Graph> {
        let mut asked: BTreeSet<FuncId> = BTreeSet::new();
        loop {
            // What was built so far may be much, and what is missing many times as much.
            if options.invariants.stop.is_set() {
                return None;
            }
            let graph = build(&self.table)?;
            let new: Vec<FuncId> = graph.missing.difference(&asked).copied().collect();
            if new.is_empty() {
                return Some(graph);
            }
            for function in new {
                asked.insert(function);
                self.find(program, function, options);
            }
        }
    }

    /// Summaries of all functions that may be called, in words, callees first.
    pub fn describe(
        &mut self,
        program: &Program,
        root: FuncId,
        options: &Options,
    ) -> Vec<(FuncId, Vec<String>)> {
        let functions: Vec<FuncId> = self.groups.iter().flatten().copied().collect();
        let mut described = Vec::new();
        for function in functions {
            let is_called = function != root
                || self.groups.iter().any(|g| g.contains(&root) && is_recursive(program, g));
            if !is_called || program.function(function).body.is_none() {
                continue;
            }
            self.find(program, function, options);
            if let (Some(summary), Some(writes)) =
                (self.table.summaries.get(&function), self.table.effects.get(&function))
            {
                described.push((function, text::lines(program, function, summary, writes)));
            }
        }
        described
    }

    /// Finds the summary of a function.
    pub(crate) fn find(&mut self, program: &Program, function: FuncId, options: &Options) {
        if self.table.summaries.contains_key(&function) {
            return;
        }
        let Some(group) = self.groups.iter().find(|group| group.contains(&function)).cloned()
        else {
            return;
        };
        self.n_nested += 1;
        self.solve(program, &group, &callee_options(options));
        self.n_nested -= 1;
    }

    fn solve(&mut self, program: &Program, group: &[FuncId], options: &Options) {
        let is_recursive = is_recursive(program, group);
        for &function in group {
            let Some(writes) = self.table.effects.get(&function) else { continue };
            let schema = schema::new_schema(program, function, writes, is_recursive);
            let exits = vec![Exit::Anything];
            let summary = Summary { schema: Rc::new(schema), exits };
            self.table.summaries.insert(function, summary);
        }
        if self.n_nested > MAX_NESTED {
            return;
        }
        for &function in group {
            self.suggest(program, function, options);
        }
        if !is_recursive {
            for &function in group {
                let found = self.derive(program, function, options).map(|(exits, _)| exits);
                self.set(function, found.unwrap_or_else(|| vec![Exit::Anything]));
            }
            return;
        }
        for &function in group {
            self.set(function, Vec::new());
        }
        let is_stable = self.ascend(program, group, options);
        if !is_stable {
            group.iter().for_each(|&function| self.set(function, vec![Exit::Anything]));
            return;
        }
        for _ in 0..N_DESCENDING {
            for &function in group {
                if let Some((found, _)) = self.derive(program, function, options) {
                    let known = &self.table.summaries[&function].exits;
                    self.set(function, sharper(known, found));
                }
            }
        }
    }

    fn ascend(&mut self, program: &Program, group: &[FuncId], options: &Options) -> bool {
        let mut counts: BTreeMap<FuncId, Vec<u32>> = BTreeMap::new();
        for _ in 0..MAX_ROUNDS {
            let mut has_changed = false;
            for &function in group {
                let Some((found, thresholds)) = self.derive(program, function, options) else {
                    return false;
                };
                let old = &self.table.summaries[&function].exits;
                let counts = counts.entry(function).or_default();
                let new = grow(old, found, counts, options, &thresholds);
                has_changed |= new != *old;
                self.set(function, new);
            }
            if !has_changed {
                return true;
            }
        }
        false
    }

    fn set(&mut self, function: FuncId, exits: Vec<Exit>) {
        if let Some(summary) = self.table.summaries.get_mut(&function) {
            summary.exits = exits;
        }
    }

    /// Adds what the returns of the function add up to the slopes of its summary.
    fn suggest(&mut self, program: &Program, function: FuncId, options: &Options) {
        let Some(graph) = self.callee_graph(program, function, options) else { return };
        let Some(summary) = self.table.summaries.get_mut(&function) else { return };
        let mut schema = Schema::clone(&summary.schema);
        let own = own_slopes(&schema, &graph);
        schema::suggest(&mut schema, &own);
        summary.schema = Rc::new(schema);
    }

    fn callee_graph(
        &mut self,
        program: &Program,
        function: FuncId,
        options: &Options,
    ) -> Option<Graph> {
        let schema = self.table.summaries.get(&function)?.schema.clone();
        self.complete(program, options, |table| {
            let role = Role::Callee { schema: &schema, entry: None };
            let plan = Plan { table, role, is_partial: false };
            build(program, function, &options.graph, plan)
        })
    }

    /// What the body says about its returns, when its calls keep their summaries. `None` without an answer.
    fn derive(
        &mut self,
        program: &Program,
        function: FuncId,
        options: &Options,
    ) -> Option<(Vec<Exit>, Thresholds)> {
        self.n_analyses += 1;
        if self.n_analyses > MAX_ANALYSES {
            return None;
        }
        let graph = self.callee_graph(program, function, options)?;
        let analysis = analyze(graph, options);
        let schema = &self.table.summaries.get(&function)?.schema;
        let thresholds = Thresholds::new(&analysis.graph);
        Some((exits_of(&analysis, schema), thresholds))
    }
}

pub(crate) fn analyze(graph: Graph, options: &Options) -> Analysis {
    let order = Order::new(&graph);
    let invariants = if graph.nodes.len() > options.graph.max_blocks {
        Invariants::none(&graph)
    } else {
        glassbox_invariants::analyze(&graph, &order, &options.invariants)
    };
    Analysis { graph, order, invariants }
}

/// Models of callees: every call has its summary, no contents of arrays.
fn callee_options(options: &Options) -> Options {
    let mut options = options.clone();
    options.graph.max_call_depth = 0;
    options.graph.max_recursion = 0;
    options.invariants.linear_work /= SHARE_OF_WORK;
    options
}

/// What holds where the function returns, for each way.
pub(crate) fn exits_of(analysis: &Analysis, schema: &Schema) -> Vec<Exit> {
    let Analysis { graph, invariants, .. } = analysis;
    if graph.ends.is_empty() || !invariants.is_stable || !graph.unsupported.is_empty() {
        return vec![Exit::Anything];
    }
    let exits = graph.ends.iter().map(|&end| exit_of(analysis, schema, end)).collect();
    if_known(exits)
}

/// Where one way may leave anything, the others say nothing.
fn if_known(exits: Vec<Exit>) -> Vec<Exit> {
    if exits.contains(&Exit::Anything) { vec![Exit::Anything] } else { exits }
}

fn exit_of(analysis: &Analysis, schema: &Schema, end: usize) -> Exit {
    let Analysis { graph, invariants, .. } = analysis;
    if !invariants.is_reached[end] {
        return Exit::Never;
    }
    let params = graph.nodes[end].params.iter().zip(&schema.quantities);
    let map = params.map(|(param, (_, variable))| (*param, *variable)).collect();
    let found = match &invariants.states[end] {
        Some(state) => translate(state, &map),
        None => Facts::default(),
    };
    let mut domains = Vec::new();
    for (_, variable) in &schema.quantities {
        match found.domains.iter().find(|(known, _)| known == variable) {
            Some(domain) => domains.push(*domain),
            None => return Exit::Anything,
        }
    }
    let sorted = |sum: &TermSum| {
        let mut sum = sum.clone();
        sum.terms.sort_unstable();
        sum
    };
    let bounds = schema.exit_slopes.iter().map(|slope| {
        let known = found.bounds.iter().find(|(other, _)| sorted(other) == *slope);
        (slope.clone(), known.and_then(|(_, bound)| *bound))
    });
    Exit::Known(Facts { domains, bounds: bounds.collect(), elements: Vec::new() })
}

/// The next hypotheses on the way up; `counts` says how often each has grown.
pub(crate) fn grow(
    old: &[Exit],
    found: Vec<Exit>,
    counts: &mut Vec<u32>,
    options: &Options,
    thresholds: &Thresholds,
) -> Vec<Exit> {
    let n_ways = old.len().max(found.len());
    counts.resize(n_ways.max(counts.len()), 0);
    let mut found = found.into_iter();
    let grown = (0..n_ways).map(|way| {
        let (old, found) = (way_of(old, way), found.next().unwrap_or(Exit::Never));
        grow_exit(old, found, &mut counts[way], options, thresholds)
    });
    if_known(grown.collect())
}

/// What is known of one way.
fn way_of(exits: &[Exit], way: usize) -> &Exit {
    exits.get(way).unwrap_or(&Exit::Never)
}

fn grow_exit(
    old: &Exit,
    found: Exit,
    count: &mut u32,
    options: &Options,
    thresholds: &Thresholds,
) -> Exit {
    match (old, found) {
        (Exit::Anything, _) | (_, Exit::Anything) => Exit::Anything,
        (old, Exit::Never) => old.clone(),
        (Exit::Never, Exit::Known(found)) => Exit::Known(found),
        (Exit::Known(old), Exit::Known(found)) => {
            Exit::Known(grow_state(old, &found, count, options, thresholds))
        }
    }
}

/// Old and new together; after a few turns widened.
pub(crate) fn grow_state(
    old: &Facts,
    found: &Facts,
    count: &mut u32,
    options: &Options,
    thresholds: &Thresholds,
) -> Facts {
    let joined = old.join(found);
    if joined == *old {
        return joined;
    }
    *count += 1;
    match count.checked_sub(options.invariants.widen_after) {
        // Entries and returns grow alternately: thresholds may be needed twice as often as in a loop.
        Some(count) if count > 0 => widen(old, found, (count - 1) / 2, thresholds),
        _ => joined,
    }
}

/// Both hold.
pub(crate) fn sharper(known: &[Exit], found: Vec<Exit>) -> Vec<Exit> {
    if known.contains(&Exit::Anything) {
        return found;
    }
    if found.contains(&Exit::Anything) {
        return known.to_vec();
    }
    let exits =
        found.into_iter().enumerate().map(|(way, found)| match (way_of(known, way), found) {
            (Exit::Known(a), Exit::Known(b)) => Exit::Known(a.meet(&b)),
            (Exit::Never | Exit::Known(_) | Exit::Anything, _) => Exit::Never,
        });
    exits.collect()
}

/// Outputs minus the sums of inputs that the returns give them.
fn own_slopes(schema: &Schema, graph: &Graph) -> Vec<TermSum> {
    let begin: BTreeMap<TermId, Quantity> =
        graph.begin.iter().map(|&(quantity, term)| (term, quantity)).collect();
    let variables: BTreeMap<Quantity, TermId> = schema.quantities.iter().copied().collect();
    let mut slopes = Vec::new();
    for &(from, edge) in graph.ends.iter().flat_map(|&end| &graph.nodes[end].ways_in) {
        let args = &graph.nodes[from].edges[edge].args;
        for (&(quantity, variable), &arg) in schema.quantities.iter().zip(args) {
            let reading = schema.reading(variable);
            let (false, Some(reading)) = (quantity.is_input(), reading) else { continue };
            let Some(sum) = linear(&graph.terms, arg, reading) else { continue };
            let input = |term| variables.get(begin.get(&term)?).copied();
            slopes.extend(own_slope((variable, reading, 1), sum, input));
        }
    }
    slopes
}

/// `output` minus `sum`, whose terms are what `input` names.
fn own_slope(
    output: (TermId, Signedness, i128),
    sum: TermSum,
    input: impl Fn(TermId) -> Option<TermId>,
) -> Option<TermSum> {
    let mut terms = vec![output];
    for (term, signedness, c) in sum.terms {
        terms.push((input(term)?, signedness, c.checked_neg()?));
    }
    normalized(TermSum { terms, constant: 0 })
}
