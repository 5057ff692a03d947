//! Verification: can any run of a function fail one of its properties?
//!
//! The search is that of a campaign with one difference: a failing check is a way like any other. A path
//! that takes it ends there, and its model is a counter-example that the interpreter has to confirm. When
//! no way is left, a property that nothing violates holds; what was left open weakens that, property by
//! property, to the bounds within which everything was looked at.

mod blame;
mod conclude;
mod places;
mod readable;
mod run;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::atomic::Ordering;

use glassbox_coverage::Properties;
use glassbox_interp::harness::StubbedExternals;
use glassbox_interp::{Externals, Machine, Options, Stubs, UndefinedBehavior};
use glassbox_ir::{BlockId, FuncId, Program, Span};
use glassbox_model::{
    ChoiceKind, ChoicePoint, Config, Execution, Inputs, PathEnd, StackPlace, execute,
};
use glassbox_solver::{Solver, Statistics};
use glassbox_terms::{Model, TermId, Terms};
use glassbox_testcase::{Assumption, TestInput, Verdict};

use crate::campaign::{Budget, FoundTest, MAX_GATES};
use crate::guide::{self, GuidedPath, PathGuide, PathSolver};
use crate::seeds;
use crate::supervision::{Standing, Supervision};
use crate::tree::{NodeId, OpenWay, Tree, WayState};
use blame::{Blame, blame_of_path};
use run::Ran;

/// What to verify.
#[derive(Debug)]
pub struct Question<'a> {
    pub program: &'a Program,
    /// Where runs start.
    pub entry: FuncId,
    /// What must hold.
    pub properties: Properties,
    pub config: &'a Config,
    pub budget: &'a Budget,
    /// Turns of a loop, or activations of one function above each other, on one path.
    pub max_turns: u32,
}

/// A run that fails a property.
#[derive(Debug, Clone)]
pub struct Violation {
    pub property: usize,
    pub test: FoundTest,
    /// What the interpreter saw.
    pub report: UndefinedBehavior,
}

/// What was found.
#[derive(Debug)]
pub struct Verification {
    /// Those asked about, and those that only a run showed.
    pub properties: Properties,
    /// By property. `Violated` names a position in `violations`; `Infeasible` says that no run comes to
    /// the property at all.
    pub verdicts: Vec<Verdict>,
    pub violations: Vec<Violation>,
    pub n_paths: usize,
    pub n_runs: usize,
    /// Runs in which the interpreter contradicted the path: our bugs.
    pub n_divergences: usize,
    /// Every way was followed or refuted, without bounds on loops.
    pub is_complete: bool,
    /// An input whose run never ends: it was seen to come back to a state it had.
    pub endless: Option<TestInput>,
    pub statistics: Statistics,
}

/// Decides what can be decided within the budget. Whoever sets the flag of `supervision` ends the search
/// early.
pub fn verify<'a>(
    question: Question<'a>,
    library: Box<dyn Externals>,
    supervision: impl Into<Supervision<'a>>,
) -> Verification {
    let supervision = supervision.into();
    let stubs = Stubs::default();
    let finds_lost_memory =
        question.properties.list().iter().any(|property| property.kind.is_about_the_end());
    let config = Config { finds_lost_memory, ..*question.config };
    let options = Options {
        max_steps: question.budget.run_steps,
        max_bytes: 1 << 28,
        coverage: true,
        trace: true,
        finds_lost_memory,
        finds_repetition: true,
        ..Options::default()
    };
    let externals = StubbedExternals { stubs: stubs.clone(), library };
    let machine = Machine::new(question.program, options, Box::new(externals));
    let n_properties = question.properties.len();
    let mut verifier = Verifier {
        program: question.program,
        entry: question.entry,
        config,
        budget: question.budget,
        max_turns: question.max_turns,
        properties: question.properties,
        findings: vec![Finding::default(); n_properties],
        violations: Vec::new(),
        machine,
        stubs,
        terms: Terms::new(),
        inputs: Inputs::default(),
        tree: Tree::new(),
        solver: PathSolver::new(Solver::new(glassbox_solver::Options {
            time_limit: question.budget.solver_time,
            max_gates: MAX_GATES,
            timing: supervision.watch.is_some(),
            stop: supervision.within.clone(),
            ..glassbox_solver::Options::default()
        })),
        agenda: BinaryHeap::new(),
        n_queued: 0,
        supervision,
        n_paths: 0,
        n_runs: 0,
        n_divergences: 0,
        endless: None,
        seen: Seen::default(),
        cuts: Vec::new(),
        bounds: BTreeSet::new(),
    };
    verifier.run_seeds();
    verifier.run_paths();
    verifier.run_long();
    verifier.make_readable();
    verifier.tell();
    verifier.conclude()
}

/// What is known about one property so far.
#[derive(Debug, Clone, Default)]
struct Finding {
    violation: Option<usize>,
    /// A path says that it fails and the interpreter does not agree.
    disagreement: Option<String>,
}

/// What paths came to.
#[derive(Debug, Default)]
struct Seen {
    sites: BTreeSet<(FuncId, BlockId, u32)>,
    /// Blocks that were left through their terminator.
    left: BTreeSet<(FuncId, BlockId)>,
}

/// A place behind which runs were not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cut {
    /// Of the function under test.
    entry_block: BlockId,
    turns: u32,
    why: Why,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Why {
    /// Not tried: the budget ended or the loop went round too often.
    NotTried,
    /// The solver gave up.
    Solver,
    /// A path was too long.
    Steps,
    Unsupported(String, Span),
    /// Interpreter and path disagree.
    Divergence,
}

/// An open way in the order of the search: fewest turns first, then the newest choice.
type Entry = (Reverse<u32>, NodeId, Reverse<usize>);

struct Verifier<'a> {
    program: &'a Program,
    entry: FuncId,
    config: Config,
    budget: &'a Budget,
    max_turns: u32,
    properties: Properties,
    findings: Vec<Finding>,
    violations: Vec<Violation>,
    machine: Option<Machine<'a>>,
    stubs: Stubs,
    terms: Terms,
    inputs: Inputs,
    tree: Tree,
    solver: PathSolver,
    agenda: BinaryHeap<Entry>,
    // Choices of the tree whose ways are on the agenda.
    n_queued: usize,
    supervision: Supervision<'a>,
    n_paths: usize,
    n_runs: usize,
    n_divergences: usize,
    endless: Option<TestInput>,
    seen: Seen,
    cuts: Vec<Cut>,
    bounds: BTreeSet<Assumption>,
}

impl Verifier<'_> {
    /// What short runs leave open may need many turns of a loop: the same inputs again, with leaps over turns.
    /// Last, because counter-examples of short runs are easier to follow.
    fn run_long(&mut self) {
        if let Some(machine) = self.machine.as_mut() {
            machine.set_leaps(true);
        }
        self.run_seeds();
    }

    fn run_seeds(&mut self) {
        let seed = self.budget.seed;
        let mut seeds = seeds::inputs(self.program, self.entry.into(), seed, self.budget.seeds);
        seeds.extend(seeds::inputs_from_constants(self.program, self.entry, seed));
        let mut n_endless = 0;
        for input in seeds {
            if self.is_done() {
                break;
            }
            if let Ran::Other(TOO_LONG) = self.run_input(input, Vec::new()) {
                n_endless += 1;
            }
            // Where most runs do not end, whole budgets for the others are wasted.
            if n_endless == MAX_ENDLESS {
                self.set_run_steps(SHORT_RUN.min(self.budget.run_steps));
            }
            self.tell();
        }
        self.set_run_steps(self.budget.run_steps);
    }

    fn set_run_steps(&mut self, n_steps: u64) {
        if let Some(machine) = self.machine.as_mut() {
            machine.set_max_steps(n_steps);
        }
    }

    fn tell(&self) {
        self.supervision.tell(|| Standing {
            goals: self.properties.len(),
            reached: self.violations.len(),
            refuted: 0,
            tests: self.violations.len(),
            runs: self.n_runs,
            paths: self.n_paths,
        });
    }

    fn is_stopped(&self) -> bool {
        self.supervision.stop.load(Ordering::Relaxed)
    }

    fn is_done(&self) -> bool {
        self.n_paths >= self.budget.paths
            || self.is_stopped()
            || self.findings.iter().all(|finding| finding.violation.is_some())
    }

    fn run_paths(&mut self) {
        if self.is_done() {
            return;
        }
        self.run_path(Model::new(), Vec::new());
        while !self.is_done() {
            let Some((_, node, Reverse(way))) = self.agenda.pop() else { break };
            self.try_way(OpenWay { node, way });
            self.tell();
        }
    }

    fn try_way(&mut self, open: OpenWay) {
        let node = self.tree.node(open.node);
        if node.ways[open.way].state != WayState::Open {
            return;
        }
        if is_failing_way(&node.point, open.way)
            && !is_wanted(self.program, &self.properties, &self.findings, &node.point)
        {
            // The property is violated already: another counter-example adds nothing.
            self.tree.set_state(open.node, open.way, WayState::Failure);
            return;
        }
        let condition = node.ways[open.way].condition;
        let conditions = self.tree.conditions(open.node);
        match self.solver.check(&mut self.terms, &conditions, condition) {
            guide::Verdict::Feasible(model) => {
                let mut prefix = self.tree.choices(open.node);
                prefix.push(open.way);
                self.run_path(model, prefix);
                // A path that is refuted before it comes here must not be tried again.
                if self.tree.node(open.node).ways[open.way].state == WayState::Open {
                    self.tree.set_state(open.node, open.way, WayState::Unknown);
                }
            }
            guide::Verdict::Infeasible(core) => {
                self.note_core(&core);
                self.tree.set_state(open.node, open.way, WayState::Infeasible);
            }
            guide::Verdict::Unknown(_) => {
                self.tree.set_state(open.node, open.way, WayState::Unknown);
            }
        }
    }

    /// A refutation that rests on one of our bounds holds within it only.
    fn note_core(&mut self, core: &[TermId]) {
        if core.iter().any(|term| self.inputs.bound_facts.contains(term)) {
            let _ = self.bounds.insert(Assumption::MemoryLength { at_most: None });
        }
    }

    fn run_path(&mut self, model: Model, prefix: Vec<usize>) {
        self.n_paths += 1;
        let (program, properties, findings) = (self.program, &self.properties, &self.findings);
        let wanted = |point: &ChoicePoint| is_wanted(program, properties, findings, point);
        let mut guide = PathGuide::new(&mut self.tree, &mut self.solver, model, prefix)
            .seeking(&wanted, self.max_turns);
        let execution = execute(
            self.program,
            self.entry,
            &self.config,
            &mut self.terms,
            &mut self.inputs,
            &mut guide,
        );
        let path = guide.finish();
        self.note_path(&execution, &path);
        match &execution.end {
            PathEnd::Returned(_) | PathEnd::Exited(_) | PathEnd::Aborted => {
                self.confirm_lost(&execution, &path);
                self.confirm(&execution, &path, None);
                self.note_unconfirmed(&execution, &path);
            }
            PathEnd::Failed { kind, span } => {
                let blame = blame_of_path(self.program, &execution.stack, *kind, *span);
                if let Some(property) = self.blamed(&blame)
                    && self.findings[property].violation.is_none()
                {
                    self.confirm(&execution, &path, Some(property));
                }
            }
            PathEnd::Unsupported { what, span } => {
                self.cut(&execution.stack, &path, Why::Unsupported(what.clone(), *span));
            }
            PathEnd::OutOfSteps => self.cut(&execution.stack, &path, Why::Steps),
            // Refuted or excluded: nothing is missed.
            PathEnd::Rejected | PathEnd::Stopped => {}
        }
        self.queue_new_ways();
    }

    fn note_path(&mut self, execution: &Execution, path: &GuidedPath) {
        for core in &path.refutations {
            self.note_core(core);
        }
        self.bounds.extend(self.inputs.bounds_used.iter().copied());
        self.seen.sites.extend(&execution.sites);
        self.seen.left.extend(path.edges.iter().map(|edge| (edge.0, edge.1)));
        if path.is_unknown {
            self.cut(&execution.stack, path, Why::Solver);
        }
    }

    fn queue_new_ways(&mut self) {
        for open in self.tree.open_ways_from(self.n_queued) {
            let turns = self.tree.node(open.node).turns;
            if turns <= self.max_turns {
                self.agenda.push((Reverse(turns), open.node, Reverse(open.way)));
            }
        }
        self.n_queued = self.tree.len();
    }

    fn cut(&mut self, stack: &[StackPlace], path: &GuidedPath, why: Why) {
        let entry_block = stack.first().map_or(BlockId::new(0), |place| place.block);
        let turns = path.last.map_or(0, |(node, _)| self.tree.node(node).turns);
        let cut = Cut { entry_block, turns, why };
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }

    /// The property that a failure is about; a new one when nobody foresaw it.
    fn blamed(&mut self, blame: &Blame) -> Option<usize> {
        if let Some(property) = self.properties.find(blame.function, blame.kind, blame.span) {
            return Some(property);
        }
        if !self.properties.has_function(blame.function) || blame.is_expected_end() {
            return None;
        }
        let (function, kind, span) = (blame.function, blame.kind, blame.span);
        let property = self.properties.add(self.program, function, kind, span, None);
        self.findings.resize(self.properties.len(), Finding::default());
        Some(property)
    }
}

/// Concrete runs that may use up their steps, before others get fewer.
const MAX_ENDLESS: usize = 3;

/// Steps of a run where runs tend not to end.
const SHORT_RUN: u64 = 20_000;

const TOO_LONG: &str = "it runs too long";

/// The second way of a check fails it.
fn is_failing_way(point: &ChoicePoint, way: usize) -> bool {
    matches!(point.kind, ChoiceKind::Check(_)) && way == 1
}

/// Whether a failure here would tell something new.
fn is_wanted(
    program: &Program,
    properties: &Properties,
    findings: &[Finding],
    point: &ChoicePoint,
) -> bool {
    let ChoiceKind::Check(kind) = point.kind else { return false };
    let blame = blame::blame(program, point.function, kind, point.span, point.caller);
    match properties.find(blame.function, blame.kind, blame.span) {
        Some(property) => findings[property].violation.is_none(),
        None => properties.has_function(blame.function) && !blame.is_expected_end(),
    }
}
