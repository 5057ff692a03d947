//! Which clauses of a contract remove goals: one search in which no clause is assumed; each path then shows without
//! which clauses it could still be taken.

use glassbox_coverage::{Goal, Tracker};
use glassbox_ir::Span;
use glassbox_model::{Execution, PathEnd};
use glassbox_terms::TermId;

use super::pick;
use crate::guide::{self, GuidedPath};
use crate::runner::ends_well;
use crate::search::{PathSearch, Quest};
use crate::tree::OpenWay;

/// Paths of the search without clauses.
const MAX_PATHS: usize = 500;

/// Contracts with more clauses than this are not taken apart to find the one that removes a goal.
const MAX_CLAUSES: usize = 24;

/// The clauses of a contract that the entry assumes.
pub struct Clauses<'c> {
    /// Their number.
    pub count: usize,
    /// The clause that is assumed at a place of the entry.
    pub at: &'c dyn Fn(Span) -> Option<usize>,
}

impl std::fmt::Debug for Clauses<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clauses").field("count", &self.count).finish_non_exhaustive()
    }
}

impl PathSearch<'_> {
    /// By goal: the clauses without which a run reaches it. Each of them is enough; where only several together
    /// remove the goal, all are named. Empty where no run was found although no clause is assumed.
    pub fn removed_by_clauses(&mut self, goals: &[Goal], clauses: &Clauses<'_>) -> Vec<Vec<usize>> {
        self.aside(|search| {
            let body = search.program.body(search.function);
            let tracker = || Tracker::new(body, goals);
            let n_apart = if clauses.count <= MAX_CLAUSES { clauses.count } else { 0 };
            let mut quest = Removed {
                goals,
                clauses,
                path_limit: search.n_paths + MAX_PATHS,
                without_all: tracker(),
                without: (0..n_apart).map(|_| tracker()).collect(),
            };
            search.pursue(&mut quest);
            (0..goals.len()).map(|goal| quest.removers(goal)).collect()
        })
    }
}

/// The quest for goals that clauses remove.
struct Removed<'g, 'c> {
    goals: &'g [Goal],
    clauses: &'c Clauses<'c>,
    path_limit: usize,
    /// What runs reach that keep none of the clauses.
    without_all: Tracker<'g>,
    /// By clause: what runs reach that keep all others. Empty for contracts of too many clauses.
    without: Vec<Tracker<'g>>,
}

impl Quest for Removed<'_, '_> {
    fn is_done(&self, search: &PathSearch<'_>) -> bool {
        let is_found = self.without.iter().all(|tracker| tracker.n_open() == 0);
        (self.without_all.n_open() == 0 && is_found)
            || search.n_paths >= self.path_limit
            || search.is_stopped()
    }

    fn pick(&mut self, search: &mut PathSearch<'_>) -> Option<OpenWay> {
        let is_open = |goal: usize| {
            self.without_all.is_open(goal) || self.without.iter().any(|found| found.is_open(goal))
        };
        let goals = self.goals.iter().enumerate();
        pick::nearest(search, goals.filter(|(goal, _)| is_open(*goal)).map(|(_, goal)| goal))
    }

    fn lifts_assumption(&self, at: Span) -> bool {
        (self.clauses.at)(at).is_some()
    }

    fn on_path(&mut self, search: &mut PathSearch<'_>, execution: &Execution, path: &GuidedPath) {
        match &execution.end {
            // What the entry says after the call is no matter here.
            PathEnd::Returned(_)
            | PathEnd::Exited(_)
            | PathEnd::Failed { .. }
            | PathEnd::Aborted
            | PathEnd::Cut => {}
            PathEnd::Unsupported { .. }
            | PathEnd::OutOfSteps
            | PathEnd::Rejected
            | PathEnd::Stopped
            | PathEnd::Met => return,
        }
        let input = search.input_of(&execution.memory, &path.model);
        // The function itself: the entry would reject what breaks a clause.
        let Ok(run) = search.runner.run(search.function, &input) else { return };
        if !ends_well(&run) {
            return;
        }
        let facts = search.runner.facts(search.function, &run);
        let n_paths = search.n_paths;
        self.without_all.add(n_paths, &facts);
        for clause in 0..self.without.len() {
            let gains = self.without[clause].gains(&facts);
            if gains && self.is_possible_without(search, path, clause) {
                self.without[clause].add(n_paths, &facts);
            }
        }
    }
}

impl Removed<'_, '_> {
    /// Whether the path can be taken by inputs that keep all clauses but one.
    fn is_possible_without(
        &self,
        search: &mut PathSearch<'_>,
        path: &GuidedPath,
        clause: usize,
    ) -> bool {
        let others = path.lifted.iter().filter(|(at, _)| (self.clauses.at)(*at) != Some(clause));
        let others: Vec<TermId> = others.map(|(_, term)| *term).collect();
        let all = search.terms.and(&others);
        let verdict = search.solver.check(&mut search.terms, &path.conditions, all);
        matches!(verdict, guide::Verdict::Feasible(_))
    }

    /// The clauses that remove a goal.
    fn removers(&self, goal: usize) -> Vec<usize> {
        if !self.without_all.is_covered(goal) {
            return Vec::new();
        }
        let alone: Vec<usize> = (0..self.without.len())
            .filter(|&clause| self.without[clause].is_covered(goal))
            .collect();
        if alone.is_empty() { (0..self.clauses.count).collect() } else { alone }
    }
}
