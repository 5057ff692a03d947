//! Counter-examples that people can read: small numbers instead of drawn ones, where the same property still
//! fails.

use super::Verifier;
use super::run::Shown;
use crate::humane_input::{nicer_input, smaller_input};
use glassbox_testcase::TestInput;

/// Runs longer than this are not repeated for looks.
const MAX_STEPS: u64 = 200_000;

impl Verifier<'_> {
    /// Counter-examples of paths have readable values already (`confirm`); those of drawn inputs get them here.
    pub(super) fn make_readable(&mut self) {
        for position in 0..self.violations.len() {
            let violation = &self.violations[position];
            let is_drawn = violation.test.constraints.is_empty();
            let steps = violation.test.observation.steps;
            if !is_drawn || steps > MAX_STEPS || self.is_stopped() {
                continue;
            }
            let (property, input) = (violation.property, violation.test.input.clone());
            // What takes much longer is not easier to follow.
            self.set_run_steps(steps.saturating_mul(4).saturating_add(1000));
            self.replace_input(position, property, &input);
        }
        self.set_run_steps(self.budget.run_steps);
        if let Some(input) = self.endless.clone().filter(|_| !self.is_stopped()) {
            let program = self.program;
            let mut is_same =
                |candidate: &TestInput| self.show(candidate).is_ok_and(|shown| shown.is_endless);
            let nicer = nicer_input(program, &input, &mut is_same);
            self.endless = Some(smaller_input(program, &nicer, &mut is_same));
        }
    }

    fn replace_input(&mut self, position: usize, property: usize, input: &TestInput) {
        let program = self.program;
        let mut is_same = |candidate: &TestInput| self.fails(candidate, property).is_some();
        let nicer = nicer_input(program, input, &mut is_same);
        let nicer = smaller_input(program, &nicer, &mut is_same);
        if nicer == *input {
            return;
        }
        // The machine shows the run that counts once more.
        if let Some((shown, failure)) = self.fails(&nicer, property) {
            let test = self.found_test(&nicer, &shown, &shown.failures[failure], Vec::new());
            self.violations[position].test = test;
            self.violations[position].report = shown.failures[failure].clone();
        }
    }

    /// What an input shows, and which of its failures is about the property.
    fn fails(&mut self, input: &TestInput, property: usize) -> Option<(Shown, usize)> {
        let shown = self.show(input).ok()?;
        let failure = (0..shown.failures.len())
            .find(|&failure| self.failed_property(&shown.failures[failure]) == Some(property))?;
        Some((shown, failure))
    }
}
