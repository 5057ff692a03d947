//! Counter-examples that people can read: small numbers instead of drawn ones, where the same property still
//! fails.

use super::Violate;
use super::run::{Shown, found_test, show};
use crate::humane_input::{nicer_input, smaller_input};
use crate::search::PathSearch;
use crate::simpler_input::simpler_input;
use glassbox_testcase::TestInput;

/// Runs longer than this are not repeated for looks.
const MAX_STEPS: u64 = 200_000;

impl Violate {
    /// Counter-examples of paths have readable values already (`confirm`); those of drawn inputs get them here.
    pub(super) fn make_readable(&mut self, search: &mut PathSearch<'_>) {
        for position in 0..self.violations.len() {
            let violation = &self.violations[position];
            let is_drawn = violation.test.constraints.is_empty();
            let steps = violation.test.observation.steps;
            if !is_drawn || steps > MAX_STEPS || search.is_stopped() {
                continue;
            }
            let (property, input) = (violation.property, violation.test.input.clone());
            // What takes much longer is not easier to follow.
            search.runner.set_max_steps(steps.saturating_mul(4).saturating_add(1000));
            self.replace_input(search, position, property, &input);
        }
        search.runner.set_max_steps(search.budget.run_steps);
        if let Some(input) = self.endless.clone().filter(|_| !search.is_stopped()) {
            let program = search.program;
            let mut is_same =
                |candidate: &TestInput| show(search, candidate).is_ok_and(|shown| shown.is_endless);
            let nicer = nicer_input(program, &input, &mut is_same);
            self.endless = Some(smaller_input(program, &nicer, &mut is_same));
        }
    }

    fn replace_input(
        &mut self,
        search: &mut PathSearch<'_>,
        position: usize,
        property: usize,
        input: &TestInput,
    ) {
        let program = search.program;
        let mut is_same = |candidate: &TestInput| self.fails(search, candidate, property).is_some();
        let nicer = nicer_input(program, input, &mut is_same);
        let nicer = smaller_input(program, &nicer, &mut is_same);
        let nicer = simpler_input(program, &nicer, &mut is_same);
        if nicer == *input {
            return;
        }
        // The machine shows the run that counts once more.
        if let Some((shown, failure)) = self.fails(search, &nicer, property) {
            let test = found_test(search, &nicer, &shown, &shown.failures[failure], Vec::new());
            self.violations[position].test = test;
            self.violations[position].report = shown.failures[failure].clone();
        }
    }

    /// What an input shows, and which of its failures is about the property.
    fn fails(
        &mut self,
        search: &mut PathSearch<'_>,
        input: &TestInput,
        property: usize,
    ) -> Option<(Shown, usize)> {
        let shown = show(search, input).ok()?;
        let program = search.program;
        let failure = (0..shown.failures.len()).find(|&failure| {
            self.failed_property(program, &shown.failures[failure]) == Some(property)
        })?;
        Some((shown, failure))
    }
}
