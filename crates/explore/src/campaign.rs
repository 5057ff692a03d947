//! A campaign: all goals of one function, from the first cheap input to the last verdict.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use glassbox_coverage::{Covered, Facts, Goal, Target, Tracker, reach};
use glassbox_interp::harness::StubbedExternals;
use glassbox_interp::{Externals, Machine, Options, Outcome, Stubs, run_test};
use glassbox_ir::cfg::Cfg;
use glassbox_ir::{BlockId, CheckKind, FuncId, Program, Span};
use glassbox_model::inputs::extract;
use glassbox_model::{Config, Inputs, PathEnd, execute};
use glassbox_solver::{Solver, Statistics};
use glassbox_terms::{Evaluator, Model, TermId, Terms};
use glassbox_testcase::{Assumption, Ending, Observation, TestInput, UnknownReason, Verdict};

pub use crate::aim::Aim;
use crate::climb;
use crate::conclude::Obstacles;
use crate::distance::{self, to_open_goals};
use crate::endless::Endless;
use crate::facts::{ConditionEvent, Places, condition_trace, elsewhere, facts_of};
use crate::guide::{self, GuidedPath, PathGuide, PathSolver};
use crate::minimize::minimize;
use crate::proof::Proofs;
use crate::refutation::{Refutation, Refutations};
use crate::seeds;
use crate::supervision::Supervision;
use crate::tree::{OpenWay, Tree, WayState};
use crate::valuation::ModelValuation;

/// Gates of the circuit of one question.
pub(crate) const MAX_GATES: usize = 250_000;

/// One path in so many goes breadth first.
const BROAD_EVERY: usize = 4;

/// Paths before runs are let climb toward what is left: most functions are finished by then.
const CLIMB_AFTER: usize = 40;

/// The bound on how long memory behind an input pointer is.
pub(crate) const LENGTH_BOUND: Assumption = Assumption::MemoryLength { at_most: None };

/// What a campaign may spend. Steps, not seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Concrete inputs to begin with; default 40.
    pub seeds: usize,
    pub seed: u64,
    /// Symbolic paths; default 2000. A quarter more where longer memory is tried.
    pub paths: usize,
    /// Elements of memory behind pointers that goals are still looked for with, if the configured bound
    /// leaves some open; default 64.
    pub longest: u64,
    /// IR instructions of one concrete run; default one million.
    pub run_steps: u64,
    /// Go on after all goals are covered, until every way is known (for proofs); default false.
    pub exhaust: bool,
    /// The emergency stop of one question to the solver; default none.
    pub solver_time: Option<Duration>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            seeds: 40,
            seed: 0,
            paths: 2000,
            longest: 64,
            run_steps: 1_000_000,
            exhaust: false,
            solver_time: None,
        }
    }
}

/// A test that the interpreter confirmed.
#[derive(Debug, Clone)]
pub struct FoundTest {
    pub input: TestInput,
    pub observation: Observation,
    pub facts: Facts,
    /// What the run did in functions that it calls.
    pub elsewhere: BTreeMap<FuncId, Places>,
    /// The conditions of the path, readable; empty for seeds.
    pub constraints: Vec<String>,
    /// Every condition that the function evaluated, in order; cut when very long.
    pub condition_trace: Vec<ConditionEvent>,
}

/// What a campaign found.
#[derive(Debug)]
pub struct CampaignResult {
    /// One per goal.
    pub verdicts: Vec<Verdict>,
    /// The minimized suite.
    pub tests: Vec<FoundTest>,
    /// By goal: how the kept tests reach it (numbers are positions in `tests`).
    pub covered: Vec<Option<Covered>>,
    pub n_paths: usize,
    pub n_runs: usize,
    /// Runs in which the interpreter left the path that the solver had promised: our bugs.
    pub n_divergences: usize,
    /// Every way was followed or refuted, within some bound on lengths.
    pub is_complete: bool,
    /// Elements of memory behind pointers in the last paths.
    pub max_length: u64,
    pub statistics: Statistics,
    /// By goal: how many runs it took to reach it first.
    pub reached_after: Vec<Option<usize>>,
    /// Why ways of the function are closed, for people.
    pub refutations: Vec<Refutation>,
    /// Runs that broke what a harness asserts after the call, one per assertion.
    pub violations: Vec<FoundViolation>,
}

/// A run that ends in a failed assertion of the harness.
#[derive(Debug, Clone)]
pub struct FoundViolation {
    pub input: TestInput,
    pub span: Span,
}

/// Searches for tests of `goals`, which are goals of the aim's function. Whoever sets the flag of
/// `supervision` ends the search early, with what was found so far.
pub fn explore<'a>(
    program: &'a Program,
    aim: impl Into<Aim>,
    goals: &'a [Goal],
    config: &'a Config,
    budget: &'a Budget,
    library: Box<dyn Externals>,
    supervision: impl Into<Supervision<'a>>,
) -> CampaignResult {
    let Aim { function, entry } = aim.into();
    let supervision = supervision.into();
    let proofs = Proofs::new(program, function, entry, config, &supervision.within);
    let stop = supervision.stop;
    let stubs = Stubs::default();
    let options = Options {
        max_steps: budget.run_steps,
        max_bytes: 1 << 28,
        coverage: true,
        trace: true,
        watch: Some(function),
        ..Options::default()
    };
    let externals = StubbedExternals { stubs: stubs.clone(), library };
    let machine = Machine::new(program, options, Box::new(externals));
    let mut campaign = Campaign {
        program,
        function,
        entry,
        config: *config,
        budget,
        path_limit: budget.paths,
        is_deep: false,
        shallow_verdicts: None,
        machine,
        stubs,
        tracker: Tracker::new(program.body(function), goals),
        tests: Vec::new(),
        terms: Terms::new(),
        inputs: Inputs::default(),
        tree: Tree::new(),
        solver: PathSolver::new(Solver::new(glassbox_solver::Options {
            time_limit: budget.solver_time,
            // A path whose circuit is larger than this costs more than the paths that wait behind it.
            max_gates: MAX_GATES,
            timing: supervision.watch.is_some(),
            stop: supervision.within.clone(),
            ..glassbox_solver::Options::default()
        })),
        stop,
        supervision,
        n_paths: 0,
        n_runs: 0,
        n_divergences: 0,
        obstacles: Obstacles::default(),
        reached_after: vec![None; goals.len()],
        refutations: Refutations::default(),
        violations: Vec::new(),
        endless: Endless::default(),
        proofs,
    };
    campaign.run_seeds();
    if campaign.computes_with_floats() {
        campaign.climb(climb::QUICK);
        campaign.proofs.by_covering(&mut campaign.tracker, stop);
        campaign.tell();
    }
    campaign.run_paths();
    campaign.deepen();
    campaign.tell();
    campaign.finish()
}

pub(crate) struct Campaign<'a> {
    pub(crate) program: &'a Program,
    pub(crate) function: FuncId,
    pub(crate) entry: FuncId,
    pub(crate) config: Config,
    pub(crate) budget: &'a Budget,
    /// Paths after which this level of the search ends.
    pub(crate) path_limit: usize,
    /// Longer memory is tried: go deep rather than wide.
    pub(crate) is_deep: bool,
    /// What is known within a smaller bound on lengths, by goal.
    pub(crate) shallow_verdicts: Option<Vec<Verdict>>,
    pub(crate) machine: Option<Machine<'a>>,
    pub(crate) stubs: Stubs,
    pub(crate) tracker: Tracker<'a>,
    pub(crate) tests: Vec<FoundTest>,
    pub(crate) terms: Terms,
    pub(crate) inputs: Inputs,
    pub(crate) tree: Tree,
    pub(crate) solver: PathSolver,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) supervision: Supervision<'a>,
    pub(crate) n_paths: usize,
    pub(crate) n_runs: usize,
    pub(crate) n_divergences: usize,
    pub(crate) obstacles: Obstacles,
    pub(crate) reached_after: Vec<Option<usize>>,
    pub(crate) refutations: Refutations,
    pub(crate) violations: Vec<FoundViolation>,
    pub(crate) endless: Endless,
    pub(crate) proofs: Proofs<'a>,
}

impl Campaign<'_> {
    fn run_seeds(&mut self) {
        if self.tracker.n_open() == 0 {
            return;
        }
        let aim = Aim { function: self.function, entry: self.entry };
        let seeds = seeds::inputs(self.program, aim, self.budget.seed, self.budget.seeds);
        for input in seeds {
            let n_tests = self.tests.len();
            let _ = self.try_input(input, Vec::new());
            if self.tests.len() > n_tests {
                self.polish_seed();
            }
            self.tell();
            if self.tracker.n_open() == 0 {
                return;
            }
        }
    }

    /// Runs an input; keeps it as a test if it ends well and reaches something new. The facts, unless
    /// the run did not end well.
    pub(crate) fn try_input(
        &mut self,
        input: TestInput,
        constraints: Vec<String>,
    ) -> Option<Facts> {
        let machine = self.machine.as_mut()?;
        self.n_runs += 1;
        let run = run_test(machine, &self.stubs, self.entry, &input)?;
        let facts = facts_of(self.program, self.function, machine.coverage(), &run.outcome);
        let condition_trace = condition_trace(self.program, self.function, machine.coverage());
        let is_valid = matches!(run.observation.ending, Ending::Returned | Ending::Exited(_));
        if run.outcome == Outcome::OutOfSteps {
            self.endless.note(&self.tracker, &facts);
        }
        if !is_valid {
            // A run that fails is a test of nothing but that failure.
            let facts = Facts { failed_check: facts.failed_check, ..Facts::default() };
            let reached = self.tracker.add(self.tests.len(), &facts);
            for &goal in &reached {
                self.reached_after[goal] = Some(self.n_runs);
            }
            self.note_violation(input.clone(), &run.outcome);
            if !reached.is_empty() {
                let observation = run.observation;
                let elsewhere = BTreeMap::new();
                let test = FoundTest {
                    input,
                    observation,
                    facts,
                    elsewhere,
                    constraints,
                    condition_trace,
                };
                self.tests.push(test);
            }
            return None;
        }
        let reached = self.tracker.add(self.tests.len(), &facts);
        for &goal in &reached {
            self.reached_after[goal] = Some(self.n_runs);
        }
        if !reached.is_empty() {
            self.tests.push(FoundTest {
                input,
                observation: run.observation,
                facts: facts.clone(),
                elsewhere: elsewhere(self.program, self.function, machine.coverage()),
                constraints,
                condition_trace,
            });
        }
        Some(facts)
    }

    /// Remembers a run that a harness calls wrong.
    fn note_violation(&mut self, input: TestInput, outcome: &Outcome) {
        let Outcome::Undefined(report) = outcome else { return };
        let is_harness = self.entry != self.function
            && report.kind == CheckKind::Assertion
            && report.stack.last().is_some_and(|entry| entry.function == self.entry);
        let is_known = self.violations.iter().any(|known| known.span == report.span);
        if is_harness && !is_known {
            self.violations.push(FoundViolation { input, span: report.span });
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.n_paths >= self.path_limit
            || self.stop.load(Ordering::Relaxed)
            || (self.tracker.n_open() == 0 && !self.budget.exhaust)
    }

    pub(crate) fn run_paths(&mut self) {
        if self.is_done() {
            return;
        }
        self.run_path(Model::new(), Vec::new());
        while !self.is_done() {
            self.proofs.during_search(self.n_paths, &mut self.tracker, self.stop);
            self.tell();
            if self.n_paths == CLIMB_AFTER {
                self.climb(climb::THOROUGH);
            }
            let Some(open) = self.most_promising() else { break };
            let conditions = self.tree.conditions(open.node);
            let condition = self.tree.node(open.node).ways[open.way].condition;
            match self.solver.check(&mut self.terms, &conditions, condition) {
                guide::Verdict::Feasible(model) => {
                    let mut prefix = self.tree.choices(open.node);
                    prefix.push(open.way);
                    self.run_path(model, prefix);
                    // A path that is refuted before it comes here must not be tried again.
                    if self.tree.node(open.node).ways[open.way].state == WayState::Open {
                        self.obstacles.is_cut = true;
                        self.tree.set_state(open.node, open.way, WayState::Unknown);
                    }
                }
                guide::Verdict::Infeasible(core) => {
                    self.note_core(&core);
                    let (tree, terms) = (&self.tree, &self.terms);
                    self.refutations.note(tree, terms, self.function, open, &core);
                    self.tree.set_state(open.node, open.way, WayState::Infeasible);
                }
                guide::Verdict::Unknown(_) => {
                    self.tree.set_state(open.node, open.way, WayState::Unknown);
                }
            }
        }
    }

    /// A refutation that rests on one of our bounds holds within it only.
    fn note_core(&mut self, core: &[TermId]) {
        if core.iter().any(|term| self.inputs.bound_facts.contains(term)) {
            let _ = self.obstacles.bounds.insert(LENGTH_BOUND);
        }
    }

    /// The open way nearest to an open goal; among equals the least repeated, then the shallowest, then
    /// the oldest.
    fn most_promising(&self) -> Option<OpenWay> {
        let body = self.program.body(self.function);
        let open_goals = self
            .tracker
            .goals()
            .iter()
            .enumerate()
            .filter(|(index, _)| self.tracker.is_open(*index))
            .map(|(_, goal)| goal);
        let distances = to_open_goals(body, open_goals);
        // Now and then the shallowest way, so that loops cannot hold up what lies beside them.
        let is_broad = self.n_paths.is_multiple_of(BROAD_EVERY);
        self.tree.open_ways().min_by_key(|open| {
            let node = self.tree.node(open.node);
            let is_here = node.point.function == self.function;
            // Inside a callee every way may matter to what the caller does next.
            // A harness has blocks of its own; the function lies ahead of them.
            let outside = if self.entry == self.function {
                node.point.entry_block.index()
            } else {
                glassbox_ir::Body::ENTRY
            };
            let after_return = distances[outside].saturating_add(1);
            let distance = if is_here {
                let targets = body.block(node.point.block).terminator.targets();
                let is_branch = matches!(node.point.kind, glassbox_model::ChoiceKind::Branch);
                let block = match targets.get(open.way) {
                    Some(target) if is_branch => target.block,
                    _ => node.point.block,
                };
                let ahead = distances[block.index()];
                if node.point.recursion > 0 { ahead.min(after_return) } else { ahead }
            } else {
                after_return
            };
            let is_far = distance == distance::UNREACHABLE;
            let nearness = node.repetitions.saturating_mul(4).saturating_add(distance);
            if self.is_deep {
                return (is_far, 0, u32::MAX - node.depth);
            }
            (is_far, if is_broad { 0 } else { nearness }, node.depth)
        })
    }

    fn run_path(&mut self, model: Model, prefix: Vec<usize>) {
        self.n_paths += 1;
        let mut guide = PathGuide::new(&mut self.tree, &mut self.solver, model, prefix);
        let execution = execute(
            self.program,
            self.entry,
            &self.config,
            &mut self.terms,
            &mut self.inputs,
            &mut guide,
        );
        let path = guide.finish();
        for core in &path.refutations {
            self.note_core(core);
        }
        self.obstacles.bounds.extend(self.inputs.bounds_used.iter().copied());
        self.obstacles.is_cut |= path.is_unknown;
        match &execution.end {
            PathEnd::Returned(_) | PathEnd::Exited(_) => self.confirm(&execution.memory, &path),
            PathEnd::Failed { .. } | PathEnd::Aborted => {
                let failing = execution.stack.last().map(|place| (place.function, place.block));
                let is_wanted = self.is_wanted_failure(failing);
                if is_wanted || self.entry != self.function {
                    let input = self.input_of(&execution.memory, &path);
                    let display = |&term: &TermId| glassbox_terms::display(&self.terms, term);
                    let constraints = path.conditions.iter().map(display).collect();
                    let _ = self.try_input(input, constraints);
                }
                if is_wanted && self.is_wanted_failure(failing) {
                    // The interpreter does not fail there.
                    self.n_divergences += 1;
                    self.obstacles.is_cut = true;
                }
                self.obstacles.n_failing += 1;
                let here = path.edges.iter().filter(|edge| edge.0 == self.function);
                self.obstacles.failing_edges.extend(here.map(|edge| (edge.1, edge.2)));
            }
            PathEnd::Unsupported { what, span } => {
                self.obstacles.is_cut = true;
                let _ = self.obstacles.unsupported.get_or_insert_with(|| (what.clone(), *span));
            }
            PathEnd::OutOfSteps => self.obstacles.is_cut = true,
            // Refuted or excluded: nothing is missed.
            PathEnd::Rejected | PathEnd::Stopped => {}
        }
    }

    /// Whether an open goal asks for a failure in this block.
    fn is_wanted_failure(&self, place: Option<(FuncId, BlockId)>) -> bool {
        let goals = self.tracker.goals().iter().enumerate();
        goals.filter(|(index, _)| !self.tracker.is_covered(*index)).any(|(_, goal)| {
            matches!(&goal.target, Target::CheckFails(site)
                if place == Some((self.function, site.block)))
        })
    }

    /// Turns the path's model into an input and lets the interpreter judge it.
    fn confirm(&mut self, memory: &glassbox_model::memory::Memory, path: &GuidedPath) {
        let input = self.input_of(memory, path);
        let constraints = path
            .conditions
            .iter()
            .map(|&term| glassbox_terms::display(&self.terms, term))
            .collect();
        let promised: BTreeSet<(BlockId, u32)> = path
            .edges
            .iter()
            .filter(|edge| edge.0 == self.function)
            .map(|edge| (edge.1, edge.2))
            .collect();
        let n_tests = self.tests.len();
        match self.try_input(input, constraints) {
            Some(facts) if facts.edges == promised => {
                if self.tests.len() > n_tests {
                    self.polish_path(memory, path);
                }
            }
            _ => {
                self.n_divergences += 1;
                self.obstacles.is_cut = true;
            }
        }
    }

    /// The input that the path's model stands for.
    pub(crate) fn input_of(
        &self,
        memory: &glassbox_model::memory::Memory,
        path: &GuidedPath,
    ) -> TestInput {
        let mut valuation =
            ModelValuation { evaluator: Evaluator::new(), terms: &self.terms, model: &path.model };
        extract(self.program, memory, &self.inputs, &mut valuation)
    }

    fn finish(mut self) -> CampaignResult {
        let goals = self.tracker.goals();
        let is_complete = self.is_complete();
        let reaches: Vec<Vec<usize>> = self
            .tests
            .iter()
            .map(|test| {
                let reached =
                    |&goal: &usize| reach::is_reached_by(&goals[goal].target, &test.facts);
                (0..goals.len()).filter(reached).collect()
            })
            .collect();
        let pairs: Vec<(usize, Covered)> = self
            .tracker
            .covered()
            .iter()
            .enumerate()
            .filter_map(|(goal, how)| match how {
                Some(how @ Covered::ByPair(..)) => Some((goal, *how)),
                Some(Covered::By(_)) | None => None,
            })
            .collect();
        let kept = minimize(goals.len(), &reaches, &pairs);
        let position = |test: usize| kept.iter().position(|&kept| kept == test);
        let mut covered = Vec::new();
        let mut verdicts = Vec::new();
        let cfg = Cfg::new(self.program.body(self.function));
        for (goal, how) in self.tracker.covered().to_vec().iter().enumerate() {
            let how = match how {
                None => None,
                Some(Covered::ByPair(first, second)) => position(*first)
                    .zip(position(*second))
                    .map(|(first, second)| Covered::ByPair(first, second)),
                Some(Covered::By(_)) => {
                    let test = kept.iter().position(|&test| reaches[test].contains(&goal));
                    test.map(Covered::By)
                }
            };
            verdicts.push(match how {
                Some(Covered::By(test) | Covered::ByPair(test, _)) => Verdict::Covered { test },
                None => {
                    let told = match &self.shallow_verdicts {
                        Some(known) if !is_complete => known[goal].clone(),
                        _ => self.open_verdict(&goals[goal], is_complete, &cfg),
                    };
                    let verdict = match (&told, self.endless.verdict(goal, self.budget.run_steps)) {
                        (Verdict::Unknown(UnknownReason::Budget(_)), Some(endless)) => endless,
                        _ => told,
                    };
                    self.proofs.after_search(goal, &goals[goal], verdict, self.stop)
                }
            });
            covered.push(how);
        }
        let mut tests: Vec<Option<FoundTest>> = self.tests.into_iter().map(Some).collect();
        CampaignResult {
            verdicts,
            tests: kept.iter().filter_map(|&test| tests[test].take()).collect(),
            covered,
            n_paths: self.n_paths,
            n_runs: self.n_runs,
            n_divergences: self.n_divergences,
            is_complete: is_complete || self.shallow_verdicts.is_some(),
            max_length: self.config.max_length,
            statistics: self.solver.solver().statistics().clone(),
            reached_after: self.reached_after,
            refutations: self.refutations.finish(),
            violations: self.violations,
        }
    }
}
