//! The kept tests with simpler inputs: what they are for is known in the end, and no more has to stay.

use glassbox_coverage::{Covered, Facts, reach};

use super::Cover;
use crate::runner::{FoundTest, ends_well, is_good};
use crate::search::PathSearch;
use crate::simpler_input::simpler_input;

/// Runs longer than this are not repeated for looks.
const MAX_STEPS: u64 = 20_000;

/// Instructions for the tests of one function.
const MAX_STEPS_IN_ALL: u64 = 4_000_000;

impl Cover<'_> {
    /// Makes the inputs of tests simpler that still take the same edges, end in the same way and show all goals that
    /// rest on them. Tests that `stays` names are somebody's already.
    pub(super) fn simplify(
        &self,
        search: &mut PathSearch<'_>,
        tests: &mut [FoundTest],
        covered: &[Option<Covered>],
        stays: impl Fn(usize) -> bool,
    ) {
        let (program, function, entry) = (search.program, search.function, search.entry);
        let body = program.body(function);
        let goals = self.tracker.goals();
        let mut n_left = MAX_STEPS_IN_ALL;
        let mut facts: Vec<Facts> = tests.iter().map(|test| test.facts.clone()).collect();
        for (position, test) in tests.iter_mut().enumerate() {
            let steps = test.observation.steps;
            if steps > MAX_STEPS || stays(position) || !is_good(&test.observation.ending) {
                continue;
            }
            let resting: Vec<(usize, Covered)> = covered
                .iter()
                .enumerate()
                .filter_map(|(goal, how)| how.map(|how| (goal, how)))
                .filter(|(_, how)| how.runs().contains(&position))
                .collect();
            search.runner.set_max_steps(steps.saturating_mul(4).saturating_add(1000));
            let mut found = None;
            let simpler = simpler_input(program, &test.input, |candidate| {
                if n_left == 0 {
                    return false;
                }
                let Ok(run) = search.runner.run(entry, candidate) else { return false };
                n_left = n_left.saturating_sub(run.observation.steps);
                let own = search.runner.facts(function, &run);
                if !ends_well(&run)
                    || run.observation.ending != test.observation.ending
                    || own.edges != test.facts.edges
                {
                    return false;
                }
                let other = std::mem::replace(&mut facts[position], own.clone());
                let is_same = resting
                    .iter()
                    .all(|(goal, how)| reach::is_shown(body, &goals[*goal].target, *how, &facts));
                if is_same {
                    let (input, runner) = (candidate.clone(), &search.runner);
                    // The conditions of the path were about other values.
                    found = Some(runner.found_test(function, input, run, own, Vec::new()));
                } else {
                    facts[position] = other;
                }
                is_same
            });
            search.runner.set_max_steps(search.budget.run_steps);
            if let Some(found) = found.filter(|found| found.input == simpler) {
                *test = found;
            }
        }
    }
}
