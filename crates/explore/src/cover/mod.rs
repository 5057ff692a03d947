//! Covering goals: all goals of one function, from the first cheap input to the last verdict.

pub mod clauses;
mod climb;
mod conclude;
mod death;
mod deepen;
mod endless;
mod errors;
mod focus;
pub mod history;
pub mod minimize;
mod pick;
mod polish;
mod proving;
pub mod reasons;
pub mod refutation;
mod repeat;
mod scarcity;
mod simplify;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::{Covered, Facts, Goal, Target, Tracker};
use glassbox_interp::{Outcome, TestRun};
use glassbox_ir::library::is_model;
use glassbox_ir::{BlockId, CheckKind, FuncId, Span};
use glassbox_model::memory::Memory;
use glassbox_model::{ChoiceKind, Execution, PathEnd, StackPlace};
use glassbox_solver::Statistics;
use glassbox_terms::TermId;
use glassbox_testcase::{Assumption, PathCondition, TestInput, Verdict};

use crate::aim::Aim;
use crate::budget::Budget;
use crate::deciding::{Deciding, edges_of};
use crate::distance::UNREACHABLE;
use crate::guide::GuidedPath;
use crate::refuted::no_error;
use crate::runner::{FoundTest, ends_well};
use crate::search::{PathSearch, Quest};
use crate::seeds;
use crate::supervision::Standing;
use crate::tree::OpenWay;
use conclude::Obstacles;
use endless::Endless;
use errors::{Errors, From};
use focus::Focus;
use history::{Fork, Step, Worker};
use proving::GoalProofs;
use refutation::{Refutation, Refutations};
use scarcity::Scarcity;
use turns::Turns;

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
    /// Runs in which the interpreter left the path that the solver had promised: defects of Glassbox.
    pub n_divergences: usize,
    /// Every way was followed or refuted, within some bound on lengths.
    pub is_complete: bool,
    /// Elements of memory behind pointers in the last paths.
    pub max_length: u64,
    pub statistics: Statistics,
    /// Who decided what when.
    pub history: Vec<Step>,
    /// Where paths parted most often.
    pub forks: Vec<Fork>,
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

impl PathSearch<'_> {
    /// Searches for tests of `goals`, which are goals of the function.
    pub fn cover(&mut self, goals: &[Goal]) -> CampaignResult {
        let mut quest = Cover::new(self, goals);
        quest.prove(self, |proofs, search, tracker| proofs.by_constants(search, tracker));
        quest.run_seeds(self);
        if quest.computes_with_floats(self) {
            quest.worker = Worker::Climbing;
            quest.climb(self, climb::QUICK);
            quest.prove(self, |proofs, search, tracker| proofs.by_covering(search, tracker));
        }
        quest.worker = Worker::Paths;
        self.pursue(&mut quest);
        quest.worker = Worker::Deepening;
        quest.deepen(self);
        quest.worker = Worker::Sequences;
        quest.repeat(self);
        quest.fail_allocations(self, self.budget.paths / 4);
        quest.conclude_scarcity(self);
        self.report(&quest);
        quest.finish(self)
    }
}

/// The quest for tests that reach goals.
struct Cover<'g> {
    /// Paths after which this level of the search ends.
    path_limit: usize,
    /// Longer memory is tried: go deep rather than wide.
    is_deep: bool,
    /// What is known within a smaller bound on lengths, by goal.
    shallow_verdicts: Option<Vec<Verdict>>,
    tracker: Tracker<'g>,
    tests: Vec<FoundTest>,
    /// How many of them have inputs that were given, and stay what they are.
    n_given: usize,
    obstacles: Obstacles,
    /// Whose turn it is, and what was decided so far.
    worker: Worker,
    history: Vec<Step>,
    refutations: Refutations,
    violations: Vec<FoundViolation>,
    endless: Endless,
    errors: Errors,
    proofs: GoalProofs,
    turns: Turns,
    focus: Focus,
    /// By goal, for those that had their turn: the calls that decide.
    deciding: BTreeMap<usize, Deciding>,
    /// The search in which allocations fail, once there is one.
    scarcity: Option<Scarcity>,
}

impl Quest for Cover<'_> {
    fn is_done(&self, search: &PathSearch<'_>) -> bool {
        search.n_paths >= self.path_limit
            || search.is_stopped()
            || (self.tracker.n_open() == 0 && !search.budget.exhaust)
    }

    fn prepare(&mut self, search: &mut PathSearch<'_>) {
        if self.is_scarce() {
            return;
        }
        let Some(turn) = self.turns.next(search.n_paths, self.tracker.n_open()) else { return };
        self.fail_allocations(search, turn.scarce_paths);
        if let Some(looks) = turn.proofs {
            self.prove(search, |proofs, search, tracker| proofs.take_turn(search, tracker, looks));
        }
        if let Some(climb) = turn.climb {
            let other = std::mem::replace(&mut self.worker, Worker::Climbing);
            self.climb(search, climb);
            self.worker = other;
        }
    }

    fn pick(&mut self, search: &mut PathSearch<'_>) -> Option<OpenWay> {
        if self.is_deep {
            return pick::deepest(search, self.open_goals());
        }
        let goals = self.tracker.goals();
        match self.focus.next(goals.len(), |goal| self.tracker.is_open(goal)) {
            Some(goal) => {
                let beside = self.way_beside(search, goal);
                beside.or_else(|| pick::nearest(search, goals.get(goal).into_iter()))
            }
            None => pick::nearest(search, self.open_goals()),
        }
    }

    fn on_path(&mut self, search: &mut PathSearch<'_>, execution: &Execution, path: &GuidedPath) {
        self.obstacles.is_cut |= path.is_unknown;
        self.note_errors(search, execution, path);
        match &execution.end {
            PathEnd::Returned(_) | PathEnd::Exited(_) | PathEnd::Aborted => {
                self.confirm(search, &execution.memory, path);
            }
            PathEnd::Cut => {
                self.obstacles.is_cut = true;
                self.confirm(search, &execution.memory, path);
            }
            PathEnd::Failed { .. } => self.note_failing(search, execution, path),
            PathEnd::Unsupported { what, span } => {
                self.obstacles.is_cut = true;
                self.obstacles.unsupported.get_or_insert_with(|| (what.clone(), *span));
            }
            PathEnd::OutOfSteps => self.obstacles.is_cut = true,
            // Refuted or excluded: nothing is missed.
            PathEnd::Rejected | PathEnd::Stopped | PathEnd::Met => {}
        }
    }

    fn on_refuted(&mut self, search: &mut PathSearch<'_>, way: OpenWay, core: &[TermId]) {
        if self.is_decisive(search, way) {
            search.tree.note_detours(way, core);
        }
        self.refutations.note(&search.tree, &search.terms, search.function, way, core);
    }

    fn minds_errors(&self) -> bool {
        true
    }

    fn on_errors(&mut self, search: &PathSearch<'_>, way: OpenWay, errors: &[Assumption]) {
        let point = &search.tree.node(way.node).point;
        // What is called again goes on elsewhere than behind this place.
        let is_first = point.function == search.function
            && point.recursion == 0
            && search.aim().starts_with_function(search.program);
        let from = match point.kind {
            ChoiceKind::Branch if is_first => {
                From::Edge(point.block, u32::try_from(way.way).unwrap_or(u32::MAX))
            }
            ChoiceKind::Branch
            | ChoiceKind::Check(_)
            | ChoiceKind::Pointer
            | ChoiceKind::Callee
            | ChoiceKind::Allocation
            | ChoiceKind::Value
            | ChoiceKind::Read => {
                if is_first {
                    From::Block(point.block)
                } else if search.entry == search.function {
                    From::Block(point.entry_block)
                } else {
                    From::Anywhere
                }
            }
        };
        self.errors.note(errors, from);
    }

    fn on_given_up(&mut self) {
        self.obstacles.is_cut = true;
    }

    fn standing(&self, search: &PathSearch<'_>) -> Option<Standing> {
        let reached = self.tracker.covered().iter().flatten().count();
        let n_goals = self.tracker.goals().len();
        Some(Standing {
            goals: n_goals,
            reached,
            refuted: (n_goals - reached).saturating_sub(self.tracker.n_open()),
            tests: self.tests.len(),
            runs: search.runner.n_runs(),
            paths: search.n_paths,
        })
    }
}

impl<'g> Cover<'g> {
    fn new(search: &PathSearch<'g>, goals: &'g [Goal]) -> Cover<'g> {
        Cover {
            path_limit: search.n_paths + search.budget.paths,
            is_deep: false,
            shallow_verdicts: None,
            tracker: Tracker::new(search.program.body(search.function), goals),
            tests: Vec::new(),
            n_given: 0,
            obstacles: Obstacles::default(),
            worker: Worker::Seeds,
            history: Vec::new(),
            refutations: Refutations::default(),
            violations: Vec::new(),
            endless: Endless::default(),
            errors: Errors::default(),
            proofs: GoalProofs::default(),
            turns: Turns::new(search.program.language),
            focus: Focus::default(),
            deciding: BTreeMap::new(),
            scarcity: None,
        }
    }

    fn open_goals(&self) -> impl Iterator<Item = &'g Goal> + '_ {
        let goals = self.tracker.goals().iter().enumerate();
        goals.filter(|(index, _)| self.tracker.is_open(*index)).map(|(_, goal)| goal)
    }

    /// Beside the ways that are nearest: a detour around a refutation, or a way in the calls that decide about the goal.
    fn way_beside(&mut self, search: &mut PathSearch<'_>, goal: usize) -> Option<OpenWay> {
        if !self.focus.looks_beside() {
            return None;
        }
        if let Some(way) = search.tree.next_detour() {
            return Some(way);
        }
        if search.entry != search.function || search.leading.is_some() {
            return None;
        }
        let about = &self.tracker.goals()[goal];
        let deciding = self
            .deciding
            .entry(goal)
            .or_insert_with(|| Deciding::about(search.program, search.function, about));
        if deciding.is_empty() { None } else { pick::deciding(search, deciding) }
    }

    /// Whether the way is an open goal, or right before one in a call that decides about it.
    fn is_decisive(&self, search: &PathSearch<'_>, way: OpenWay) -> bool {
        let point = &search.tree.node(way.node).point;
        if !matches!(point.kind, ChoiceKind::Branch) {
            return false;
        }
        let body = search.program.body(search.function);
        let is_goal = |goal: &Goal| edges_of(body, &goal.target).contains(&(point.block, way.way));
        if point.function == search.function && self.open_goals().any(is_goal) {
            return true;
        }
        let place = pick::place_of(search, way);
        let mut deciding = self.deciding.iter().filter(|(goal, _)| self.tracker.is_open(**goal));
        deciding.any(|(_, deciding)| deciding.distance(place) != UNREACHABLE)
    }

    fn run_seeds(&mut self, search: &mut PathSearch<'_>) {
        if self.tracker.n_open() == 0 {
            return;
        }
        for input in std::mem::take(&mut search.given) {
            self.try_input(search, input, Vec::new());
        }
        self.n_given = self.tests.len();
        search.report(self);
        if self.tracker.n_open() == 0 || search.is_stopped() {
            return;
        }
        let Budget { seed, seeds, .. } = search.budget;
        for input in seeds::inputs(search.program, search.aim(), seed, seeds) {
            let n_tests = self.tests.len();
            self.try_input(search, input, Vec::new());
            if self.tests.len() > n_tests {
                self.polish_seed(search);
            }
            search.report(self);
            if self.tracker.n_open() == 0 || search.is_stopped() {
                return;
            }
        }
    }

    /// Runs an input; keeps it as a test if it ends well and shows something new. The facts, unless
    /// the run did not end well.
    fn try_input(
        &mut self,
        search: &mut PathSearch<'_>,
        input: TestInput,
        constraints: Vec<PathCondition>,
    ) -> Option<Facts> {
        let function = search.function;
        let run = search.runner.run(search.entry, &input).ok()?;
        let facts = search.runner.facts(function, &run);
        if run.outcome == Outcome::OutOfSteps {
            self.endless.note(&self.tracker, &facts);
        }
        if ends_well(&run) {
            self.keep(search, input, run, facts.clone(), constraints);
            return Some(facts);
        }
        // A run that fails is a test of nothing but that failure.
        let facts = death::facts_of_failure(search, &run, facts);
        self.note_violation(search.aim(), &input, &run.outcome);
        if self.keep(search, input, run, facts, constraints)
            && let Some(test) = self.tests.last_mut()
        {
            test.elsewhere = BTreeMap::new();
        }
        None
    }

    /// Takes in the facts of the last run; whether they make it a test.
    fn keep(
        &mut self,
        search: &PathSearch<'_>,
        input: TestInput,
        run: TestRun,
        facts: Facts,
        constraints: Vec<PathCondition>,
    ) -> bool {
        let gain = self.tracker.add(self.tests.len(), &facts);
        for &goal in &gain.reached {
            self.note(search, self.worker, goal, true);
        }
        if gain.is_needed() {
            let runner = &search.runner;
            self.tests.push(runner.found_test(search.function, input, run, facts, constraints));
        }
        gain.is_needed()
    }

    /// Lets proofs close goals, and remembers which.
    fn prove<'s>(
        &mut self,
        search: &mut PathSearch<'s>,
        turn: impl FnOnce(&mut GoalProofs, &mut PathSearch<'s>, &mut Tracker<'g>),
    ) {
        let n_goals = self.tracker.goals().len();
        let open: Vec<usize> = (0..n_goals).filter(|&goal| self.tracker.is_open(goal)).collect();
        turn(&mut self.proofs, search, &mut self.tracker);
        for goal in open {
            if !self.tracker.is_open(goal) && !self.tracker.is_covered(goal) {
                self.note(search, Worker::Proofs, goal, false);
            }
        }
    }

    fn note(&mut self, search: &PathSearch<'_>, by: Worker, goal: usize, is_reached: bool) {
        let (runs, paths) = (search.runner.n_runs(), search.n_paths);
        self.history.push(Step { goal, by, is_reached, runs, paths });
    }

    /// Remembers a run that a harness calls wrong.
    fn note_violation(&mut self, aim: Aim, input: &TestInput, outcome: &Outcome) {
        let Outcome::Undefined(report) = outcome else { return };
        let is_harness = aim.entry != aim.function
            && report.kind == CheckKind::Assertion
            && report.stack.last().is_some_and(|entry| entry.function == aim.entry);
        let is_known = self.violations.iter().any(|known| known.span == report.span);
        if is_harness && !is_known {
            self.violations.push(FoundViolation { input: input.clone(), span: report.span });
        }
    }

    /// Remembers the errors without which a path would have gone on.
    fn note_errors(&mut self, search: &PathSearch<'_>, execution: &Execution, path: &GuidedPath) {
        let mut errors = search.errors_on_path(path.last, &path.refutations);
        match &execution.end {
            PathEnd::Failed { kind, span } => {
                let is_model = |place: &&StackPlace| is_model(search.program, place.function);
                let own = execution.stack.iter().rev().find(|place| !is_model(place));
                let in_library = execution.stack.last().as_ref().is_some_and(is_model);
                let line = own.filter(|_| in_library).map_or(span.line, |place| place.span.line);
                if search.program.language.errors_are_undefined() {
                    errors.extend(no_error(*kind, line, in_library));
                }
            }
            PathEnd::Rejected | PathEnd::Stopped | PathEnd::Met => {}
            // It went on.
            PathEnd::Returned(_)
            | PathEnd::Exited(_)
            | PathEnd::Aborted
            | PathEnd::Cut
            | PathEnd::Unsupported { .. }
            | PathEnd::OutOfSteps => return,
        }
        // Nothing says where control goes on from here.
        let is_lost = matches!(
            &execution.end,
            PathEnd::Failed { kind: CheckKind::Unreachable | CheckKind::MissingReturn, .. }
        );
        let own = execution.stack.iter().find(|place| place.function == search.function);
        // A function that others call may be called again.
        let own = own.filter(|_| !is_lost && search.aim().starts_with_function(search.program));
        let from = own.map_or(From::Anywhere, |place| From::Block(place.block));
        self.errors.note(&errors, from);
    }

    /// A path that ends in a run-time error: a goal may ask for just that.
    fn note_failing(
        &mut self,
        search: &mut PathSearch<'_>,
        execution: &Execution,
        path: &GuidedPath,
    ) {
        let function = search.function;
        let failing = execution.stack.last().map(|place| (place.function, place.block));
        let is_wanted = self.is_wanted_failure(function, failing);
        let is_death = self.tracker.n_open() > 0 && death::ends_in_assertion(search, execution);
        if is_wanted || is_death || search.entry != function {
            let input = search.input_of(&execution.memory, &path.model);
            let constraints = search.constraints(path);
            self.try_input(search, input, constraints);
        }
        if is_wanted && self.is_wanted_failure(function, failing) {
            // The interpreter does not fail there.
            search.n_divergences += 1;
            self.obstacles.is_cut = true;
        }
        self.obstacles.n_failing += 1;
        self.obstacles.failing_edges.extend(own_edges(path, function));
    }

    /// Whether a goal that nothing reaches yet asks for a failure in this block.
    fn is_wanted_failure(&self, function: FuncId, place: Option<(FuncId, BlockId)>) -> bool {
        let goals = self.tracker.goals().iter().enumerate();
        goals.filter(|(index, _)| !self.tracker.is_covered(*index)).any(|(_, goal)| {
            matches!(&goal.target, Target::CheckFails(site)
                if place == Some((function, site.block)))
        })
    }

    /// Turns the path's model into an input and lets the interpreter judge it.
    fn confirm(&mut self, search: &mut PathSearch<'_>, memory: &Memory, path: &GuidedPath) {
        let Some(model) = search.usual_model(path) else {
            // Another library may go there; ours cannot show it.
            self.obstacles.is_cut = true;
            let place = search.inputs.habits.first().map(|(_, place)| *place);
            let what = "a result of this sign that the library at hand does not give";
            self.obstacles
                .unsupported
                .get_or_insert_with(|| (what.to_owned(), place.unwrap_or_else(Span::nowhere)));
            return;
        };
        let input = search.input_of(memory, &model);
        let constraints = search.constraints(path);
        let promised: BTreeSet<(BlockId, u32)> = own_edges(path, search.function).collect();
        let n_tests = self.tests.len();
        match self.try_input(search, input, constraints) {
            Some(facts) if facts.edges == promised => {
                if self.tests.len() > n_tests {
                    self.polish_path(search, memory, path);
                }
            }
            _ => {
                // Text of the library is not followed in detail.
                search.n_divergences += usize::from(!search.inputs.is_loose);
                self.obstacles.is_cut = true;
            }
        }
    }
}

/// The edges of the function under test on a path.
fn own_edges(path: &GuidedPath, function: FuncId) -> impl Iterator<Item = (BlockId, u32)> + '_ {
    path.edges.iter().filter(move |edge| edge.0 == function).map(|edge| (edge.1, edge.2))
}
