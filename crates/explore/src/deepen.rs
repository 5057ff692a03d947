//! Longer memory: where the bound on lengths leaves goals open, they are looked for with twice as many
//! elements behind pointers, and twice again.
//!
//! Such goals are mostly behind loops over the elements, so these levels of the search go deep first: the
//! way that a path left last is tried next, which adds a turn to a loop with every path. What was known
//! within the smaller bound stays known, whatever becomes of the longer search. Paths are counted, so the
//! same input gives the same result.

use glassbox_ir::cfg::Cfg;
use glassbox_testcase::Verdict;

use crate::campaign::{Campaign, LENGTH_BOUND};
use crate::conclude::Obstacles;
use crate::tree::Tree;

impl Campaign<'_> {
    /// Every way was followed or refuted.
    pub(crate) fn is_complete(&self) -> bool {
        self.n_paths > 0 && self.tree.is_complete() && !self.obstacles.is_cut
    }

    pub(crate) fn deepen(&mut self) {
        let mut n_left = self.budget.paths / 4;
        let is_bounded = |campaign: &Self| campaign.obstacles.bounds.contains(&LENGTH_BOUND);
        while n_left > 0 && is_bounded(self) && self.config.max_length < self.budget.longest {
            let is_stopped = self.stop.load(std::sync::atomic::Ordering::Relaxed);
            if is_stopped || self.tracker.n_open() == 0 {
                return;
            }
            if self.is_complete() {
                self.shallow_verdicts = Some(self.level_verdicts());
            }
            self.config.max_length =
                self.config.max_length.saturating_mul(2).max(1).min(self.budget.longest);
            self.tree = Tree::new();
            self.obstacles = Obstacles::default();
            self.is_deep = true;
            // Later levels get what earlier ones leave.
            let n_before = self.n_paths;
            self.path_limit = n_before + n_left.div_ceil(2);
            self.run_paths();
            n_left = n_left.saturating_sub((self.n_paths - n_before).max(1));
        }
    }

    /// What this level says about each goal.
    fn level_verdicts(&self) -> Vec<Verdict> {
        let cfg = Cfg::new(self.program.body(self.function));
        let goals = self.tracker.goals().iter();
        goals.map(|goal| self.open_verdict(goal, true, &cfg)).collect()
    }
}
