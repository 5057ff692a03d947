//! Longer memory: where the bound on lengths leaves goals open, they are looked for with twice as many
//! elements behind pointers, and twice again.
//!
//! Such goals are mostly behind loops over the elements, so these levels of the search go deep first: the
//! way that a path left last is tried next, which adds a turn to a loop with every path. What was known
//! within the smaller bound stays known, whatever becomes of the longer search. Paths are counted, so the
//! same input gives the same result.

use glassbox_ir::cfg::Cfg;
use glassbox_model::Config;
use glassbox_model::inputs::LENGTH_BOUND;
use glassbox_testcase::Verdict;

use super::Cover;
use super::conclude::Obstacles;
use crate::search::PathSearch;

impl Cover<'_> {
    pub(super) fn deepen(&mut self, search: &mut PathSearch<'_>) {
        let longest = search.budget.longest;
        let mut n_left = search.budget.paths / 4;
        let is_bounded = |search: &PathSearch<'_>| search.bounds.contains(&LENGTH_BOUND);
        while n_left > 0 && is_bounded(search) && search.config.max_length < longest {
            if search.is_stopped() || self.tracker.n_open() == 0 {
                return;
            }
            if self.is_complete(search) {
                self.shallow_verdicts = Some(self.level_verdicts(search));
            }
            let max_length = search.config.max_length.saturating_mul(2).max(1).min(longest);
            search.restart(Config { max_length, ..search.config });
            self.obstacles = Obstacles::default();
            self.is_deep = true;
            // Later levels get what earlier ones leave.
            let n_before = search.n_paths;
            self.path_limit = n_before + n_left.div_ceil(2);
            search.pursue(self);
            n_left = n_left.saturating_sub((search.n_paths - n_before).max(1));
        }
    }

    /// What this level says about each goal.
    pub(super) fn level_verdicts(&self, search: &PathSearch<'_>) -> Vec<Verdict> {
        let cfg = Cfg::new(search.program.body(search.function));
        let goals = self.tracker.goals().iter();
        goals.map(|goal| self.open_verdict(search, goal, true, &cfg)).collect()
    }
}
