//! Goals that only runs without an end were seen to reach.
//!
//! A run that does not end is no test: its result never comes. A reader of "not covered" should know that
//! inputs that pass the goal exist, and what is wrong with them.

use std::collections::BTreeSet;

use glassbox_coverage::{Facts, Tracker, reach};
use glassbox_testcase::{Spent, UnknownReason, Verdict};

/// Goals that runs reached before their steps were used up.
#[derive(Debug, Default)]
pub(super) struct Endless {
    goals: BTreeSet<usize>,
}

impl Endless {
    /// Remembers what a run reached that used up its steps.
    pub(super) fn note(&mut self, tracker: &Tracker<'_>, facts: &Facts) {
        for (index, goal) in tracker.goals().iter().enumerate() {
            if !tracker.is_covered(index) && reach::is_reached_by(&goal.target, facts) {
                self.goals.insert(index);
            }
        }
    }

    /// What to say of a goal that no test reaches.
    pub(super) fn verdict(&self, goal: usize, max_steps: u64) -> Option<Verdict> {
        let spent = UnknownReason::Budget(Spent::StepsOfEndlessRuns { max_steps });
        self.goals.contains(&goal).then_some(Verdict::Unknown(spent))
    }
}
