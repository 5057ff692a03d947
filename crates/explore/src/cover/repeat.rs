//! Sequences of calls: static variables of functions keep what earlier calls left there, so goals that their first values
//! exclude are looked for with two calls of the function, then three, and so on.
//!
//! What was known about one call stays known, whatever becomes of the longer search.

use glassbox_model::Config;
use glassbox_testcase::{Assumption, Verdict};

use super::Cover;
use super::conclude::Obstacles;
use crate::search::PathSearch;

/// Calls of one test at most.
const MAX_CALLS: u32 = 6;

impl Cover<'_> {
    pub(super) fn repeat(&mut self, search: &mut PathSearch<'_>) {
        let is_sequence = !search.program.language.has_objects()
            && search.entry == search.function
            && search.program.function(search.function).name != "main";
        let rests = Assumption::StaticLocalsAsInitialized;
        let has_statics = search.bounds.contains(&rests) || self.proofs.rest_on(rests);
        if !is_sequence || !has_statics {
            return;
        }
        self.proofs.reopen(rests, &mut self.tracker);
        let mut n_left = search.budget.paths / 4;
        for calls in 2..=MAX_CALLS {
            if n_left == 0 || search.is_stopped() || self.tracker.n_open() == 0 {
                return;
            }
            if self.is_complete(search) && self.shallow_verdicts.is_none() {
                self.shallow_verdicts = Some(self.level_verdicts(search));
            }
            search.restart(Config { calls, ..search.config });
            self.obstacles = Obstacles::default();
            self.is_deep = false;
            let n_before = search.n_paths;
            self.path_limit = n_before + n_left.div_ceil(2);
            search.pursue(self);
            n_left = n_left.saturating_sub((search.n_paths - n_before).max(1));
        }
    }
}

/// Whether a verdict holds only within an assumption.
pub(super) fn rests_on(verdict: &Verdict, assumption: Assumption) -> bool {
    matches!(verdict, Verdict::InfeasibleWithin { bounds } if bounds.contains(&assumption))
}
