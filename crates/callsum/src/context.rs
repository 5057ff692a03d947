//! Summaries and entries in the context of one function under test: what its calls can give, and what they
//! bring back then.
//!
//! Every function that a summarized call may run has a model of its own, whose arguments are all that the calls
//! in the other models can give (its *entry*: one for all calls). Entries begin with no call at all and recursive
//! functions as if they did not return; both grow with delayed widening until no model changes them, then shrink
//! to what the models give. Functions that are not recursive begin with their summaries of `bottom_up`.
//!
//! Every activation in a run is expanded in some model, or it begins a model: what no model allows does not happen.
//! Functions that run otherwise (through unknown pointers, from libraries) are `opaque`, and nothing is said of
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use glassbox_invariants::{Thresholds, context_at};
use glassbox_ir::{FuncId, Program};
use glassbox_kernel::Domain;
use glassbox_terms::{BvOp, Op};
use glassbox_values::Signedness;
use glassbox_whole::summary::{Exit, Plan, Role, Schema, Table};
use glassbox_whole::{Facts, Graph, build};

use super::bottom_up::{Analysis, Summaries, analyze, exits_of, grow, grow_state, sharper};
use super::options::Options;
use super::order::{groups, is_recursive};
use super::schema::suggest_factors;

/// Turns over all functions.
const MAX_ROUNDS: usize = 60;

/// Downward turns.
const N_DESCENDING: usize = 2;

/// Functions with a model of their own.
const MAX_FUNCTIONS: usize = 60;

/// Analyses in all.
const MAX_ANALYSES: usize = 400;

/// The models of all functions that run on behalf of one.
#[derive(Debug)]
pub struct InContext {
    /// The function under test first.
    pub graphs: Vec<Graph>,
    /// Functions that run without being in any of them.
    pub opaque: BTreeSet<FuncId>,
}

/// Whose model it is: that of the function under test, or of a callee.
type Whose = Option<FuncId>;

struct Search<'a> {
    program: &'a Program,
    root: FuncId,
    summaries: &'a mut Summaries,
    options: &'a Options,
    /// For the models of callees.
    callee_options: Options,
    table: Table,
    /// Functions that may be called, callers first, and whether they are recursive.
    order: Vec<(FuncId, bool)>,
    entries: BTreeMap<FuncId, Facts>,
    /// By caller and callee: what its calls give.
    given: BTreeMap<(Whose, FuncId), Facts>,
    models: BTreeMap<Whose, Model>,
    n_analyses: usize,
}

/// A model and the hypotheses that it rests on.
struct Model {
    entry: Option<Facts>,
    used: Vec<(FuncId, Vec<Exit>)>,
    analysis: Analysis,
}

/// How much is tried, from cheap to costly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    Plain,
    /// With results in relation to the largest arguments: `n` calls that add at most `k` add at most `k * n`.
    Factors,
    /// Recursive calls are expanded too, and must have come to their end by then.
    Unrolled,
}

impl Effort {
    pub const ALL: [Effort; 3] = [Effort::Plain, Effort::Factors, Effort::Unrolled];
}

/// Activations of a function within itself that are expanded at the utmost.
const MAX_RECURSION: usize = 16;

/// Blocks that this may make.
const MAX_UNROLLED: usize = 400;

/// The largest factor.
const MAX_FACTOR: i128 = 1 << 20;

/// `None` when something is not modeled, or it is too much. Calls are expanded as `options` say.
pub fn in_context(
    program: &Program,
    root: FuncId,
    summaries: &mut Summaries,
    options: &Options,
    effort: Effort,
) -> Option<InContext> {
    let mut unrolled = options.clone();
    unrolled.graph.max_call_depth = options.graph.max_call_depth.saturating_add(16);
    unrolled.graph.max_recursion = MAX_RECURSION;
    unrolled.graph.max_blocks = options.graph.max_blocks.min(MAX_UNROLLED);
    unrolled.invariants.linear_work = options.invariants.linear_work / 4;
    let options = if effort == Effort::Unrolled { &unrolled } else { options };
    // Summaries for the calls of the root are there now.
    let graph = summaries.graph(program, root, options, false)?;
    if effort == Effort::Unrolled
        && (graph.nodes.len() > options.graph.max_blocks || divides_by_variables(&graph))
    {
        return None;
    }
    let mut order = Vec::new();
    for group in groups(program, root).into_iter().rev() {
        let is_recursive = is_recursive(program, &group);
        order.extend(group.into_iter().map(|function| (function, is_recursive)));
    }
    let mut callee_options = options.clone();
    callee_options.graph.max_call_depth = options.graph.max_call_depth.min(2);
    let mut search = Search {
        program,
        root,
        table: summaries.table.clone(),
        summaries,
        options,
        callee_options,
        order,
        entries: BTreeMap::new(),
        given: BTreeMap::new(),
        models: BTreeMap::new(),
        n_analyses: 0,
    };
    search.forget_recursive();
    if effort == Effort::Unrolled {
        // What is not expanded must not be called.
        search.visit(None)?;
        if !search.given.is_empty() {
            return None;
        }
    }
    search.solve()?;
    if effort == Effort::Factors {
        if !search.add_factors() {
            return None;
        }
        search.entries.clear();
        search.given.clear();
        search.models.clear();
        search.n_analyses = 0;
        search.forget_recursive();
        search.solve()?;
    }
    let mut found = InContext { graphs: Vec::new(), opaque: BTreeSet::new() };
    for model in search.models.into_values() {
        found.opaque.extend(&model.analysis.graph.opaque);
        found.graphs.push(model.analysis.graph);
    }
    Some(found)
}

/// Quotients of quotients have linear relaxations with numbers of many digits.
fn divides_by_variables(graph: &Graph) -> bool {
    let terms = &graph.terms;
    let nodes = graph.nodes.iter().flat_map(|node| &node.edges);
    let roots: Vec<_> =
        nodes.flat_map(|edge| edge.args.iter().copied().chain([edge.condition])).collect();
    terms.subterms(&roots).into_iter().any(|term| {
        matches!(terms.op(term), Op::Bv(BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem))
            && terms.as_bv_const(terms.arg(term, 1)).is_none()
    })
}

impl Search<'_> {
    fn solve(&mut self) -> Option<()> {
        self.ascend()?;
        for _ in 0..N_DESCENDING {
            self.descend()?;
        }
        self.refresh()
    }

    /// Relates results of recursive functions to multiples of their arguments. False when there is nothing new.
    fn add_factors(&mut self) -> bool {
        let mut has_any = false;
        for (function, _) in self.order.iter().filter(|(_, is_recursive)| *is_recursive) {
            let (Some(entry), Some(summary)) =
                (self.entries.get(function), self.table.summaries.get_mut(function))
            else {
                continue;
            };
            let mut schema = Schema::clone(&summary.schema);
            let largest = |variable, signedness| {
                let (_, domain) = entry.domains.iter().find(|(known, _)| *known == variable)?;
                let Domain::Bits(bits) = domain else { return None };
                let largest = match signedness {
                    Signedness::Signed => i128::from(bits.signed_max()),
                    Signedness::Unsigned => i128::from(bits.unsigned_max()),
                };
                (2..=MAX_FACTOR).contains(&largest).then_some(largest)
            };
            if suggest_factors(&mut schema, largest) {
                has_any = true;
                summary.schema = Rc::new(schema);
            }
        }
        has_any
    }

    /// Recursive functions do not return, until it turns out that they do.
    fn forget_recursive(&mut self) {
        for (function, _) in self.order.iter().filter(|(_, is_recursive)| *is_recursive) {
            if let Some(summary) = self.table.summaries.get_mut(function) {
                summary.exits.clear();
            }
        }
    }

    fn ascend(&mut self) -> Option<()> {
        let mut exit_counts: BTreeMap<FuncId, Vec<u32>> = BTreeMap::new();
        let mut entry_counts: BTreeMap<FuncId, u32> = BTreeMap::new();
        for _ in 0..MAX_ROUNDS {
            let mut has_changed = self.visit(None)?;
            for (function, is_recursive) in self.order.clone() {
                let Some(given) = self.given_to(function) else { continue };
                let thresholds = Thresholds::over(
                    [None, Some(function)]
                        .iter()
                        .filter_map(|whose| Some(&self.models.get(whose)?.analysis.graph)),
                );
                let count = entry_counts.entry(function).or_insert(0);
                let entry = match self.entries.get(&function) {
                    Some(old) => grow_state(old, &given, count, self.options, &thresholds),
                    None => given,
                };
                has_changed |= self.entries.insert(function, entry.clone()) != Some(entry);
                has_changed |= self.visit(Some(function))?;
                if is_recursive {
                    let model = self.models.get(&Some(function))?;
                    let summary = self.table.summaries.get_mut(&function)?;
                    let found = exits_of(&model.analysis, &summary.schema);
                    let counts = exit_counts.entry(function).or_default();
                    let new = grow(&summary.exits, found, counts, self.options, &thresholds);
                    has_changed |= new != summary.exits;
                    summary.exits = new;
                }
            }
            if !has_changed {
                return Some(());
            }
        }
        None
    }

    /// Replaces all hypotheses by what the models say under them.
    fn descend(&mut self) -> Option<()> {
        self.refresh()?;
        let mut entries = BTreeMap::new();
        for (function, old) in &self.entries {
            if let Some(given) = self.given_to(*function) {
                entries.insert(*function, old.meet(&given));
            }
        }
        for (whose, model) in &self.models {
            let Some(function) = whose else { continue };
            let summary = self.table.summaries.get_mut(function)?;
            let found = exits_of(&model.analysis, &summary.schema);
            summary.exits = sharper(&summary.exits, found);
        }
        self.entries = entries;
        // What is not called any more calls nothing.
        let is_called = |whose: &Whose| whose.is_none_or(|f| self.entries.contains_key(&f));
        self.models.retain(|whose, _| is_called(whose));
        self.given.retain(|(whose, _), _| is_called(whose));
        Some(())
    }

    /// Every model rests on the present hypotheses.
    fn refresh(&mut self) -> Option<()> {
        self.visit(None)?;
        let called: Vec<FuncId> = self.entries.keys().copied().collect();
        for function in called {
            self.visit(Some(function))?;
        }
        Some(())
    }

    /// What all calls together give to a function.
    fn given_to(&self, function: FuncId) -> Option<Facts> {
        let mut given = self.given.iter().filter(|((_, callee), _)| *callee == function);
        let (_, first) = given.next()?;
        Some(given.fold(first.clone(), |all, (_, state)| all.join(state)))
    }

    /// Makes a model again if what it rests on has changed. True when it has.
    fn visit(&mut self, whose: Whose) -> Option<bool> {
        let entry = whose.and_then(|function| self.entries.get(&function).cloned());
        if let Some(model) = self.models.get(&whose)
            && model.entry == entry
            && model.used == self.used(&model.analysis.graph)
        {
            return Some(false);
        }
        self.n_analyses += 1;
        if self.n_analyses > MAX_ANALYSES || self.models.len() > MAX_FUNCTIONS {
            return None;
        }
        let analysis = self.analyze(whose, entry.as_ref())?;
        self.given.retain(|(caller, _), _| *caller != whose);
        for (callee, state) in self.calls_of(&analysis)? {
            let joined = match self.given.get(&(whose, callee)) {
                Some(known) => known.join(&state),
                None => state,
            };
            self.given.insert((whose, callee), joined);
        }
        let used = self.used(&analysis.graph);
        self.models.insert(whose, Model { entry, used, analysis });
        Some(true)
    }

    fn used(&self, graph: &Graph) -> Vec<(FuncId, Vec<Exit>)> {
        let callees: BTreeSet<FuncId> = graph.calls.iter().map(|call| call.callee).collect();
        let exits = callees
            .into_iter()
            .filter_map(|callee| Some((callee, self.table.summaries.get(&callee)?.exits.clone())));
        exits.collect()
    }

    fn analyze(&mut self, whose: Whose, entry: Option<&Facts>) -> Option<Analysis> {
        loop {
            if self.options.invariants.stop.is_set() {
                return None;
            }
            let schema = match whose {
                Some(function) => Some(self.table.summaries.get(&function)?.schema.clone()),
                None => None,
            };
            let (function, role, options) = match (whose, &schema) {
                (Some(function), Some(schema)) => {
                    (function, Role::Callee { schema, entry }, &self.callee_options)
                }
                (Some(_), None) | (None, _) => (self.root, Role::UnderTest, self.options),
            };
            let plan = Plan { table: &self.table, role, is_partial: false };
            let graph = build(self.program, function, &options.graph, plan)?;
            let is_new = |callee: &FuncId| !self.table.summaries.contains_key(callee);
            let new: Vec<FuncId> = graph.missing.iter().copied().filter(is_new).collect();
            if new.is_empty() {
                let analysis = analyze(graph, options);
                self.accept(&analysis)?;
                return Some(analysis);
            }
            for callee in new {
                self.summaries.find(self.program, callee, self.options);
                let mut summary = self.summaries.table.summaries.get(&callee)?.clone();
                if self.order.iter().any(|(f, is_recursive)| *f == callee && *is_recursive) {
                    summary.exits.clear();
                }
                self.table.summaries.insert(callee, summary);
            }
        }
    }

    /// Whatever may come after something that is not modeled may be called in any way.
    fn accept(&self, analysis: &Analysis) -> Option<()> {
        let Analysis { graph, invariants, .. } = analysis;
        let is_whole = !graph.unsupported.iter().any(|(node, ..)| invariants.is_reached[*node])
            && graph.missing.is_empty()
            && graph.nodes.len() <= self.options.graph.max_blocks;
        is_whole.then_some(())
    }

    /// What the summarized calls of a model give to their callees.
    fn calls_of(&self, analysis: &Analysis) -> Option<Vec<(FuncId, Facts)>> {
        let Analysis { graph, order, invariants } = analysis;
        let mut found = Vec::new();
        for call in &graph.calls {
            if !order.is_reachable(call.node) || !invariants.is_reached[call.node] {
                continue;
            }
            let schema = &self.table.summaries.get(&call.callee)?.schema;
            let options = &self.options.invariants;
            let mut context =
                context_at(graph, order, invariants, call.node, call.n_events, options);
            let args: Vec<_> = call.begin.iter().map(|(_, term)| *term).collect();
            args.iter().for_each(|&arg| context.notice(arg));
            if !context.settle() {
                continue;
            }
            let params: Vec<_> = schema.inputs().map(|(_, variable)| variable).collect();
            if let Some(state) =
                context.carry(&params, &args, &schema.entry_slopes, &self.callee_options.invariants)
            {
                found.push((call.callee, state));
            }
        }
        Some(found)
    }
}
