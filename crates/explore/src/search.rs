//! The search over paths, once for every question: pick an open way of the tree, ask whether it can be taken, run
//! the path, mark the way.
//!
//! A `Quest` says what is wanted. `PathSearch` owns everything else and outlives quests: terms, tree and solver
//! stay, so that a second question goes on where the first one ended. `PathSearch::cover` looks for tests of
//! goals, `reasons` for why ways are closed, `removed_by_clauses` for what a contract excludes,
//! `solutions` for all inputs, `draws` for random ones; `verify::Check` looks for failures.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use glassbox_interp::Externals;
use glassbox_ir::{FuncId, Program, Span};
use glassbox_model::inputs::extract;
use glassbox_model::memory::Memory;
use glassbox_model::{ChoicePoint, Config, Execution, Inputs, execute};
use glassbox_solver::{Solver, Statistics};
use glassbox_terms::{Evaluator, Model, TermId, Terms};
use glassbox_testcase::{Assumption, PathCondition, TestInput};

use crate::aim::Aim;
use crate::budget::Budget;
use crate::guide::{self, GuidedPath, PathGuide, PathSolver, Refutation, Wishes};
use crate::leading::Leading;
use crate::proof::{Proofs, Purpose};
use crate::runner::TestRunner;
use crate::supervision::{Standing, Supervision};
use crate::tree::{NodeId, OpenWay, Tree, WayState};
use crate::valuation::ModelValuation;

/// What a search is about.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub program: &'a Program,
    pub aim: Aim,
    pub config: Config,
    pub budget: Budget,
}

/// What a search over paths is for.
pub(crate) trait Quest {
    /// Nothing more is wanted, or what this quest may spend is spent.
    fn is_done(&self, search: &PathSearch<'_>) -> bool;

    /// Before a way is picked: anything that is cheaper than a path.
    fn prepare(&mut self, _search: &mut PathSearch<'_>) {}

    /// The most promising open way; `None` when no way is worth trying.
    fn pick(&mut self, search: &mut PathSearch<'_>) -> Option<OpenWay>;

    /// Whether paths should go into a run-time error here. Elsewhere they avoid errors.
    fn wants_failure(&self, _program: &Program, _point: &ChoicePoint) -> bool {
        false
    }

    /// Turns of a loop, or activations of one function, after which a path is ended.
    fn max_turns(&self) -> u32 {
        u32::MAX
    }

    /// Whether a path may end where another one has been in the same state: what comes next is all that is asked about.
    fn joins_states(&self) -> bool {
        false
    }

    /// Whether the assumption at this place is only recorded on paths instead of made.
    fn lifts_assumption(&self, _at: Span) -> bool {
        false
    }

    /// A path has ended.
    fn on_path(&mut self, search: &mut PathSearch<'_>, execution: &Execution, path: &GuidedPath);

    /// A way cannot be taken: these conditions contradict each other.
    fn on_refuted(&mut self, _search: &mut PathSearch<'_>, _way: OpenWay, _core: &[TermId]) {}

    /// Whether it matters which errors a refutation needs not to happen.
    fn minds_errors(&self) -> bool {
        false
    }

    /// A way cannot be taken unless one of these errors happens.
    fn on_errors(&mut self, _search: &PathSearch<'_>, _way: OpenWay, _errors: &[Assumption]) {}

    /// A way could not be decided, or its path did not come there.
    fn on_given_up(&mut self) {}

    /// How far it is, for a watcher.
    fn standing(&self, _search: &PathSearch<'_>) -> Option<Standing> {
        None
    }
}

/// One function under search: what is known about its paths, and the means to learn more.
#[derive(Debug)]
pub struct PathSearch<'a> {
    pub(crate) program: &'a Program,
    pub(crate) function: FuncId,
    pub(crate) entry: FuncId,
    pub(crate) config: Config,
    pub(crate) budget: Budget,
    pub(crate) runner: TestRunner<'a>,
    pub(crate) proofs: Proofs<'a>,
    pub(crate) terms: Terms,
    pub(crate) inputs: Inputs,
    pub(crate) tree: Tree,
    pub(crate) solver: PathSolver,
    pub(crate) supervision: Supervision<'a>,
    /// Bounds of the search that something in the tree rests on.
    pub(crate) bounds: BTreeSet<Assumption>,
    /// Paths in all.
    pub(crate) n_paths: usize,
    /// A path of this tree was followed.
    has_path: bool,
    /// Runs in which the interpreter contradicted the path: defects of Glassbox.
    pub(crate) n_divergences: usize,
    /// Refutations that were tried again without the checks on the way.
    pub(crate) n_tried_again: usize,
    /// Refutations that were tried again without bounds.
    pub(crate) n_doubted: usize,
    /// The configuration that the search began with.
    first_config: Config,
    /// Where runs start elsewhere: how they come to the function.
    pub(crate) leading: Option<Leading>,
    /// Inputs that are tried before all others.
    pub(crate) given: Vec<TestInput>,
}

/// A tree of paths under one configuration.
#[derive(Debug)]
pub(crate) struct Level {
    config: Config,
    tree: Tree,
    bounds: BTreeSet<Assumption>,
    has_path: bool,
}

impl Level {
    pub(crate) fn new(config: Config) -> Level {
        Level { config, tree: Tree::new(), bounds: BTreeSet::new(), has_path: false }
    }
}

impl<'a> PathSearch<'a> {
    /// A search for tests of the aim's function. The flag of `supervision` ends whatever is under way, with what
    /// was found so far; the caller may clear it and go on with the next question.
    pub fn new(
        subject: Subject<'a>,
        library: Box<dyn Externals>,
        supervision: impl Into<Supervision<'a>>,
    ) -> PathSearch<'a> {
        let options = glassbox_interp::Options {
            watch: Some(subject.aim.function),
            ..TestRunner::options(subject.budget.run_steps)
        };
        let runner = TestRunner::new(subject.program, options, library);
        let config = Config { stubs_end_runs: true, ..subject.config };
        let subject = Subject { config, ..subject };
        PathSearch::with_runner(subject, runner, Purpose::Goals, supervision.into())
    }

    pub(crate) fn with_runner(
        subject: Subject<'a>,
        runner: TestRunner<'a>,
        purpose: Purpose,
        supervision: Supervision<'a>,
    ) -> PathSearch<'a> {
        let Subject { program, aim: Aim { function, entry }, config, budget } = subject;
        PathSearch {
            program,
            function,
            entry,
            config,
            budget,
            runner,
            proofs: Proofs::new(program, entry, &config, purpose, &supervision),
            terms: Terms::new(),
            inputs: Inputs::default(),
            tree: Tree::new(),
            solver: PathSolver::new(Solver::new(supervision.solver_options(&budget))),
            supervision,
            bounds: BTreeSet::new(),
            n_paths: 0,
            has_path: false,
            n_divergences: 0,
            n_tried_again: 0,
            n_doubted: 0,
            first_config: config,
            leading: Leading::to(program, Aim { function, entry }),
            given: Vec::new(),
        }
    }

    /// Inputs of tests that there are already, or of runs that reached something: those that reach something are kept before
    /// others are looked for.
    pub fn begin_with(&mut self, inputs: Vec<TestInput>) {
        self.given.extend(inputs);
    }

    /// What the solver did so far.
    pub fn statistics(&self) -> &Statistics {
        self.solver.solver().statistics()
    }

    pub fn aim(&self) -> Aim {
        Aim { function: self.function, entry: self.entry }
    }

    /// Follows paths until the quest has what it wants, or nothing is left to try.
    pub(crate) fn pursue(&mut self, quest: &mut dyn Quest) {
        if quest.is_done(self) {
            return;
        }
        if !self.has_path {
            self.run_path(quest, Model::new(), Vec::new());
        }
        while !quest.is_done(self) {
            quest.prepare(self);
            self.report(quest);
            let Some(open) = quest.pick(self) else { break };
            self.try_way(quest, open);
        }
        self.report(quest);
    }

    /// Another tree, under another configuration. Terms and what the solver knows stay.
    pub(crate) fn restart(&mut self, config: Config) {
        self.exchange(&mut Level::new(config));
    }

    /// Goes on in another tree, and leaves this one in its place.
    pub(crate) fn exchange(&mut self, level: &mut Level) {
        std::mem::swap(&mut self.config, &mut level.config);
        std::mem::swap(&mut self.tree, &mut level.tree);
        std::mem::swap(&mut self.bounds, &mut level.bounds);
        std::mem::swap(&mut self.has_path, &mut level.has_path);
    }

    /// Goes back to the configuration that the search began with, if it was changed.
    pub(crate) fn restore_config(&mut self) {
        if self.config != self.first_config {
            self.restart(self.first_config);
        }
    }

    /// Does `work` in a tree of its own, within the configuration that the search began with, and comes back.
    pub(crate) fn aside<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let mut level = Level::new(self.first_config);
        self.exchange(&mut level);
        let result = work(self);
        self.exchange(&mut level);
        result
    }

    fn try_way(&mut self, quest: &mut dyn Quest, open: OpenWay) {
        let state = match self.check(open) {
            guide::Verdict::Feasible(model) => {
                let mut prefix = self.tree.choices(open.node);
                prefix.push(open.way);
                self.run_path(quest, model, prefix);
                if self.tree.node(open.node).ways[open.way].state != WayState::Open {
                    return;
                }
                // A path that is refuted before it comes here must not be tried again.
                quest.on_given_up();
                WayState::Unknown
            }
            guide::Verdict::Infeasible(core) => {
                let conditions = self.tree.conditions(open.node);
                let last = self.tree.node(open.node).ways[open.way].condition;
                self.note_refutation(&conditions, last, &core);
                quest.on_refuted(self, open, &core);
                if quest.minds_errors() {
                    let errors = self.errors_behind(open, &core);
                    quest.on_errors(self, open, &errors);
                }
                WayState::Infeasible
            }
            guide::Verdict::Unknown(_) => WayState::Unknown,
        };
        self.tree.set_state(open.node, open.way, state);
    }

    /// Follows the paths of the tree once more that have ended, oldest first, for a quest that has not seen them.
    pub(crate) fn follow_again(&mut self, quest: &mut dyn Quest) {
        if !self.has_path {
            return;
        }
        if self.tree.is_empty() {
            return self.run_path(quest, Model::new(), Vec::new());
        }
        for (node, way) in self.tree.ends() {
            if quest.is_done(self) {
                return;
            }
            match self.check(OpenWay { node, way }) {
                guide::Verdict::Feasible(model) => {
                    let mut prefix = self.tree.choices(node);
                    prefix.push(way);
                    self.run_path(quest, model, prefix);
                }
                guide::Verdict::Infeasible(_) | guide::Verdict::Unknown(_) => quest.on_given_up(),
            }
        }
    }

    /// Whether a path can come to a choice and take a way there.
    fn check(&mut self, open: OpenWay) -> guide::Verdict {
        let conditions = self.tree.conditions(open.node);
        let condition = self.tree.node(open.node).ways[open.way].condition;
        self.solver.check(&mut self.terms, &conditions, condition)
    }

    fn run_path(&mut self, quest: &mut dyn Quest, model: Model, prefix: Vec<usize>) {
        self.n_paths += 1;
        self.has_path = true;
        let program = self.program;
        let wants_failure = |point: &ChoicePoint| quest.wants_failure(program, point);
        let lifts_assumption = |at: Span| quest.lifts_assumption(at);
        let stop = self.supervision.stop;
        let wishes = Wishes {
            wants_failure: &wants_failure,
            lifts_assumption: &lifts_assumption,
            max_turns: quest.max_turns(),
            joins_states: quest.joins_states(),
            is_stopped: &|| stop.load(Ordering::Relaxed),
        };
        let mut guide = PathGuide::new(&mut self.tree, &mut self.solver, wishes, model, prefix);
        let execution = execute(
            program,
            self.entry,
            &self.config,
            &mut self.terms,
            &mut self.inputs,
            &mut guide,
        );
        let path = guide.finish();
        for refutation in &path.refutations {
            let Refutation { core, n_conditions, last } = refutation;
            self.note_refutation(&path.conditions[..*n_conditions], *last, core);
        }
        self.bounds.extend(self.inputs.bounds_used.iter().copied());
        quest.on_path(self, &execution, &path);
    }

    /// Every way of the tree was followed or refuted.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.has_path && self.tree.is_complete()
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.supervision.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn report(&self, quest: &dyn Quest) {
        if let Some(watch) = self.supervision.watch
            && let Some(standing) = quest.standing(self)
        {
            watch.stands(standing);
        }
    }

    /// The input that a model of a path's conditions stands for.
    pub(crate) fn input_of(&self, memory: &Memory, model: &Model) -> TestInput {
        let mut valuation =
            ModelValuation { evaluator: Evaluator::new(), terms: &self.terms, model };
        extract(self.program, memory, &self.inputs, &mut valuation)
    }

    /// A model of a path's conditions in which functions of the library give what they give in tests; `None` where
    /// there is none.
    pub(crate) fn usual_model(&mut self, path: &GuidedPath) -> Option<Model> {
        let habits: Vec<TermId> = self.inputs.habits.iter().map(|(habit, _)| *habit).collect();
        let mut evaluator = Evaluator::new();
        let is_kept = |habit: &TermId| evaluator.again(&self.terms, &path.model).truth(*habit);
        if habits.iter().all(is_kept) {
            return Some(path.model.clone());
        }
        let all = self.terms.and(&habits);
        match self.solver.check(&mut self.terms, &path.conditions, all) {
            guide::Verdict::Feasible(model) => Some(model),
            guide::Verdict::Infeasible(_) | guide::Verdict::Unknown(_) => None,
        }
    }

    /// The conditions of a path, readable, each with the line of its choice.
    pub(crate) fn constraints(&self, path: &GuidedPath) -> Vec<PathCondition> {
        let places = self.tree.places(path.last);
        let is_own = |point: &ChoicePoint| point.function == self.function;
        let line = |&term: &TermId| {
            let point = places.iter().find(|(known, _)| *known == term).map(|(_, point)| *point);
            point.filter(|point| is_own(point) && !point.span.is_nowhere()).map(|at| at.span.line)
        };
        let condition = |term: &TermId| PathCondition {
            text: glassbox_terms::source_text(&self.terms, *term),
            line: line(term),
        };
        path.conditions.iter().map(condition).collect()
    }

    /// The turns of loops before the last choice of a path.
    pub(crate) fn turns(&self, last: Option<(NodeId, usize)>) -> u32 {
        last.map_or(0, |(node, _)| self.tree.node(node).turns)
    }
}
