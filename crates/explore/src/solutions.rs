//! All inputs that reach a goal, up to a number: the solutions of every path that comes to it.
//!
//! Paths are followed one after the other until no way is open. Each is run once by the interpreter, which
//! says what goals it reaches; then the conditions of the path are enumerated. Paths exclude each other,
//! so no input is told twice. "All" means all within the bounds of the search. An input here is what the run reads: memory that a path does not look at is
//! not part of its solutions.

use std::sync::atomic::{AtomicBool, Ordering};

use glassbox_coverage::{Goal, reach};
use glassbox_interp::harness::StubbedExternals;
use glassbox_interp::{Externals, Machine, Options, Stubs, run_test};
use glassbox_ir::Program;
use glassbox_model::inputs::extract;
use glassbox_model::memory::Memory;
use glassbox_model::{Config, Inputs, PathEnd, execute};
use glassbox_solver::Solver;
use glassbox_solver::enumerate::{Enumeration, enumerate};
use glassbox_terms::{Evaluator, Model, TermId, Terms};
use glassbox_testcase::{Ending, GoalSolutions, PathSolutions, SolutionList, TestInput};

use crate::campaign::{Aim, Budget, MAX_GATES};
use crate::facts::facts_of;
use crate::guide::{self, GuidedPath, PathGuide, PathSolver};
use crate::tree::{Tree, WayState};
use crate::valuation::ModelValuation;

/// Propagator runs for one solution, on average.
const STEPS_PER_SOLUTION: u64 = 20_000;

/// Enumerates up to `limit` inputs for each of `goals`, which are goals of the aim's function. Goals that
/// need two runs have none.
pub fn solutions(
    program: &Program,
    aim: Aim,
    goals: &[Goal],
    limit: usize,
    (config, budget): (&Config, &Budget),
    library: Box<dyn Externals>,
    stop: &AtomicBool,
) -> SolutionList {
    let stubs = Stubs::default();
    let options = Options {
        max_steps: budget.run_steps,
        max_bytes: 1 << 28,
        coverage: true,
        trace: true,
        ..Options::default()
    };
    let externals = StubbedExternals { stubs: stubs.clone(), library };
    let mut search = Search {
        program,
        aim,
        goals,
        limit,
        config,
        machine: Machine::new(program, options, Box::new(externals)),
        stubs,
        terms: Terms::new(),
        inputs: Inputs::default(),
        tree: Tree::new(),
        solver: PathSolver::new(Solver::new(solver_options(budget))),
        solver_options: solver_options(budget),
        is_complete: true,
        found: SolutionList {
            goals: vec![GoalSolutions::default(); goals.len()],
            paths: Vec::new(),
        },
    };
    search.run(budget.paths, stop);
    search.finish()
}

fn solver_options(budget: &Budget) -> glassbox_solver::Options {
    glassbox_solver::Options {
        time_limit: budget.solver_time,
        max_gates: MAX_GATES,
        ..glassbox_solver::Options::default()
    }
}

struct Search<'a> {
    program: &'a Program,
    aim: Aim,
    goals: &'a [Goal],
    limit: usize,
    config: &'a Config,
    machine: Option<Machine<'a>>,
    stubs: Stubs,
    terms: Terms,
    inputs: Inputs,
    tree: Tree,
    solver: PathSolver,
    solver_options: glassbox_solver::Options,
    // Nothing was given up so far.
    is_complete: bool,
    found: SolutionList,
}

impl Search<'_> {
    fn run(&mut self, max_paths: usize, stop: &AtomicBool) {
        self.run_path(Model::new(), Vec::new());
        let mut n_paths = 1;
        loop {
            let is_full = self.found.goals.iter().all(|goal| goal.count >= self.limit);
            if is_full {
                return;
            }
            // The newest way: its conditions are nearest to those that the solver has on its stack.
            let Some(open) = self.tree.open_ways().last() else { return };
            if n_paths >= max_paths || stop.load(Ordering::Relaxed) {
                self.is_complete = false;
                return;
            }
            let conditions = self.tree.conditions(open.node);
            let condition = self.tree.node(open.node).ways[open.way].condition;
            let state = match self.solver.check(&mut self.terms, &conditions, condition) {
                guide::Verdict::Infeasible(_) => WayState::Infeasible,
                guide::Verdict::Unknown(_) => WayState::Unknown,
                guide::Verdict::Feasible(model) => {
                    let mut prefix = self.tree.choices(open.node);
                    prefix.push(open.way);
                    self.run_path(model, prefix);
                    n_paths += 1;
                    if self.tree.node(open.node).ways[open.way].state != WayState::Open {
                        continue;
                    }
                    WayState::Unknown
                }
            };
            self.is_complete &= state != WayState::Unknown;
            self.tree.set_state(open.node, open.way, state);
        }
    }

    fn run_path(&mut self, model: Model, prefix: Vec<usize>) {
        let mut guide = PathGuide::new(&mut self.tree, &mut self.solver, model, prefix);
        let execution = execute(
            self.program,
            self.aim.entry,
            self.config,
            &mut self.terms,
            &mut self.inputs,
            &mut guide,
        );
        let path = guide.finish();
        self.is_complete &= !path.is_unknown;
        match &execution.end {
            PathEnd::Returned(_) | PathEnd::Exited(_) => self.enumerate(&execution.memory, &path),
            PathEnd::Unsupported { .. } | PathEnd::OutOfSteps => self.is_complete = false,
            // Runs that fail are no valid tests, and excluded ones are no runs.
            PathEnd::Failed { .. } | PathEnd::Aborted | PathEnd::Rejected | PathEnd::Stopped => {}
        }
    }

    fn input(&self, memory: &Memory, model: &Model) -> TestInput {
        let mut valuation =
            ModelValuation { evaluator: Evaluator::new(), terms: &self.terms, model };
        extract(self.program, memory, &self.inputs, &mut valuation)
    }

    /// The goals that the path reaches, as the interpreter sees it; `None` if it does not end well.
    fn reached(&mut self, input: &TestInput) -> Option<Vec<usize>> {
        let machine = self.machine.as_mut()?;
        let run = run_test(machine, &self.stubs, self.aim.entry, input)?;
        let facts = facts_of(self.program, self.aim.function, machine.coverage(), &run.outcome);
        let is_valid = matches!(run.observation.ending, Ending::Returned | Ending::Exited(_));
        let reached = (0..self.goals.len())
            .filter(|&goal| reach::is_reached_by(&self.goals[goal].target, &facts));
        is_valid.then(|| reached.collect())
    }

    fn enumerate(&mut self, memory: &Memory, path: &GuidedPath) {
        let first = self.input(memory, &path.model);
        let Some(reached) = self.reached(&first) else {
            // The interpreter disagrees with the path: nothing is concluded from it.
            self.is_complete = false;
            return;
        };
        let wanted = reached.iter().map(|&goal| self.limit - self.found.goals[goal].count);
        let Some(wanted) = wanted.max().filter(|&wanted| wanted > 0) else {
            for &goal in &reached {
                self.found.goals[goal].is_complete = false;
            }
            return;
        };
        let variables: Vec<TermId> = self.inputs.variables.clone();
        let task = Enumeration {
            conditions: &path.conditions,
            variables: &variables,
            limit: wanted,
            steps_per_solution: STEPS_PER_SOLUTION,
        };
        let solutions = enumerate(&mut self.terms, &task, &self.solver_options);
        for &goal in &reached {
            let goal = &mut self.found.goals[goal];
            let count = goal.count.saturating_add(solutions.models.len());
            goal.count = count.min(self.limit);
            goal.is_complete &= solutions.is_complete && count <= self.limit;
        }
        let inputs = solutions.models.iter().map(|model| self.input(memory, model)).collect();
        self.found.paths.push(PathSolutions { goals: reached, inputs });
    }

    fn finish(mut self) -> SolutionList {
        let is_complete = self.is_complete && self.tree.is_complete();
        for goal in &mut self.found.goals {
            goal.is_complete &= is_complete;
        }
        self.found
    }
}
