//! All inputs that reach a goal, up to a number: the solutions of every path that comes to it.
//!
//! Paths are followed one after the other until no way is open. Each is run once by the interpreter, which
//! says what goals it reaches; then the conditions of the path are enumerated. Paths exclude each other,
//! so no input is listed twice. "All" means all within the bounds of the search. An input here is what the run
//! reads: memory that a path does not look at is not part of its solutions.

use glassbox_coverage::{Goal, reach};
use glassbox_model::memory::Memory;
use glassbox_model::{Execution, PathEnd};
use glassbox_solver::enumerate::{Enumeration, enumerate};
use glassbox_testcase::{GoalSolutions, PathSolutions, SolutionList, TestInput};

use crate::guide::GuidedPath;
use crate::runner::ends_well;
use crate::search::{PathSearch, Quest};
use crate::tree::OpenWay;

/// Propagator runs for one solution, on average.
const STEPS_PER_SOLUTION: u64 = 20_000;

impl PathSearch<'_> {
    /// Enumerates up to `limit` inputs for each of `goals`, which are goals of the function. Goals that need two
    /// runs have none.
    pub fn solutions(&mut self, goals: &[Goal], limit: usize) -> SolutionList {
        self.restore_config();
        let solver_options = self.supervision.solver_options(&self.budget);
        let found =
            SolutionList { goals: vec![GoalSolutions::default(); goals.len()], paths: Vec::new() };
        let path_limit = self.n_paths + self.budget.paths;
        let is_complete = true;
        let mut quest = Enumerate { goals, limit, path_limit, solver_options, is_complete, found };
        self.follow_again(&mut quest);
        self.pursue(&mut quest);
        let is_complete = quest.is_complete && self.is_exhausted();
        for goal in &mut quest.found.goals {
            goal.is_complete &= is_complete;
        }
        quest.found
    }
}

/// The quest for all inputs.
struct Enumerate<'g> {
    goals: &'g [Goal],
    limit: usize,
    path_limit: usize,
    solver_options: glassbox_solver::Options,
    // Nothing was given up so far.
    is_complete: bool,
    found: SolutionList,
}

impl Quest for Enumerate<'_> {
    fn is_done(&self, search: &PathSearch<'_>) -> bool {
        let is_full = self.found.goals.iter().all(|goal| goal.count >= self.limit);
        is_full || search.n_paths >= self.path_limit || search.is_stopped()
    }

    /// The newest way: its conditions are nearest to those that the solver has on its stack.
    fn pick(&mut self, search: &mut PathSearch<'_>) -> Option<OpenWay> {
        search.tree.open_ways().last()
    }

    fn on_path(&mut self, search: &mut PathSearch<'_>, execution: &Execution, path: &GuidedPath) {
        self.is_complete &= !path.is_unknown;
        match &execution.end {
            PathEnd::Returned(_) | PathEnd::Exited(_) | PathEnd::Aborted | PathEnd::Cut => {
                self.is_complete &= execution.end != PathEnd::Cut;
                self.enumerate(search, &execution.memory, path);
            }
            PathEnd::Unsupported { .. } | PathEnd::OutOfSteps | PathEnd::Met => {
                self.is_complete = false;
            }
            // Runs that fail are no valid tests, and excluded ones are no runs.
            PathEnd::Failed { .. } | PathEnd::Rejected | PathEnd::Stopped => {}
        }
    }

    fn on_given_up(&mut self) {
        self.is_complete = false;
    }
}

impl Enumerate<'_> {
    /// The goals that the path reaches, as the interpreter sees it; `None` if it does not end well.
    fn reached(&self, search: &mut PathSearch<'_>, input: &TestInput) -> Option<Vec<usize>> {
        let run = search.runner.run(search.entry, input).ok()?;
        let facts = search.runner.facts(search.function, &run);
        let reached = (0..self.goals.len())
            .filter(|&goal| reach::is_reached_by(&self.goals[goal].target, &facts));
        ends_well(&run).then(|| reached.collect())
    }

    fn enumerate(&mut self, search: &mut PathSearch<'_>, memory: &Memory, path: &GuidedPath) {
        let first = search.input_of(memory, &path.model);
        let Some(reached) = self.reached(search, &first) else {
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
        let task = Enumeration {
            conditions: &path.conditions,
            variables: &search.inputs.variables,
            limit: wanted,
            steps_per_solution: STEPS_PER_SOLUTION,
        };
        let solutions = enumerate(&mut search.terms, &task, &self.solver_options);
        for &goal in &reached {
            let goal = &mut self.found.goals[goal];
            let count = goal.count.saturating_add(solutions.models.len());
            goal.count = count.min(self.limit);
            goal.is_complete &= solutions.is_complete && count <= self.limit;
        }
        let input = |model| search.input_of(memory, model);
        let inputs = solutions.models.iter().map(input).collect();
        self.found.paths.push(PathSolutions { goals: reached, inputs });
    }
}
