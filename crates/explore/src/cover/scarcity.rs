//! Memory that runs out: goals that stay open while every allocation succeeds are looked for where some give null.
//!
//! Paths on which allocations fail are many and mostly end soon, so they have a tree of their own, which is visited in
//! turns between the paths on which none fails. Paths are counted: the same search takes the same turns.

use glassbox_model::Config;
use glassbox_testcase::Assumption;

use super::Cover;
use super::conclude::Obstacles;
use crate::search::{Level, PathSearch};

/// The tree in which allocations may fail, and what stands in its way.
#[derive(Debug)]
pub(super) struct Scarcity {
    level: Level,
    obstacles: Obstacles,
    /// It is being visited.
    is_on: bool,
}

impl Cover<'_> {
    /// Follows up to so many paths on which allocations may fail.
    pub(super) fn fail_allocations(&mut self, search: &mut PathSearch<'_>, n_paths: usize) {
        if !self.may_fail_allocations(search) || self.tracker.n_open() == 0 {
            return;
        }
        let config = Config { allocation_may_fail: true, ..search.config };
        let scarcity = self.scarcity.take().unwrap_or_else(|| Scarcity {
            level: Level::new(config),
            obstacles: Obstacles::default(),
            is_on: false,
        });
        self.scarcity = Some(Scarcity { is_on: true, ..scarcity });
        self.exchange_scarcity(search);
        let (path_limit, is_deep) = (self.path_limit, self.is_deep);
        self.path_limit = search.n_paths + n_paths;
        self.is_deep = false;
        search.pursue(self);
        self.path_limit = path_limit + n_paths;
        self.is_deep = is_deep;
        self.exchange_scarcity(search);
        if let Some(scarcity) = &mut self.scarcity {
            scarcity.is_on = false;
        }
    }

    /// Whether allocations fail on the paths that are followed now.
    pub(super) fn is_scarce(&self) -> bool {
        self.scarcity.as_ref().is_some_and(|scarcity| scarcity.is_on)
    }

    /// Whether a path has taken for granted that allocations succeed.
    fn may_fail_allocations(&self, search: &PathSearch<'_>) -> bool {
        let is_assumed = search.bounds.contains(&Assumption::AllocationSucceeds);
        !self.is_scarce() && !search.config.allocation_may_fail && is_assumed
    }

    /// Where every way was followed and allocations might fail on them, that says more than a search where none does.
    pub(super) fn conclude_scarcity(&mut self, search: &mut PathSearch<'_>) {
        if self.scarcity.is_none() {
            return;
        }
        self.exchange_scarcity(search);
        if self.is_complete(search) {
            self.shallow_verdicts = None;
        } else {
            self.exchange_scarcity(search);
        }
    }

    fn exchange_scarcity(&mut self, search: &mut PathSearch<'_>) {
        let Some(scarcity) = &mut self.scarcity else { return };
        search.exchange(&mut scarcity.level);
        std::mem::swap(&mut self.obstacles, &mut scarcity.obstacles);
    }
}
