//! Concrete runs: the interpreter judges what paths and seeds promise.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::{Facts, PropertyKind};
use glassbox_interp::{Outcome, StackEntry, TestRun, UndefinedBehavior, run_test};
use glassbox_ir::{BlockId, CheckKind};
use glassbox_model::Execution;
use glassbox_model::inputs::extract;
use glassbox_terms::{Evaluator, Model, TermId};
use glassbox_testcase::{Ending, TestInput};

use super::blame::{Blame, blame_of_run};
use super::{TOO_LONG, Verifier, Violation, Why};
use crate::campaign::FoundTest;
use crate::facts::condition_trace;
use crate::guide::GuidedPath;
use crate::humane::{Flavor, nicer};
use crate::valuation::ModelValuation;

/// How a concrete run went.
#[derive(Debug)]
pub(super) enum Ran {
    /// Normally, over these edges of the function under test.
    Ended(BTreeSet<(BlockId, u32)>),
    /// With a failure of this property, if it is one of ours.
    Failed(Option<usize>),
    Other(&'static str),
}

impl Ran {
    pub(super) fn story(&self) -> &'static str {
        match self {
            Ran::Ended(_) => "the run ends normally",
            Ran::Failed(_) => "another property fails",
            Ran::Other(story) => story,
        }
    }
}

/// What a concrete run showed.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) run: TestRun,
    /// What went wrong: the error that ended the run, or the memory that it lost.
    pub(super) failures: Vec<UndefinedBehavior>,
    /// It comes back to a state it had.
    pub(super) is_endless: bool,
}

impl Verifier<'_> {
    /// For a path that loses memory nobody knew of: readable inputs first.
    pub(super) fn confirm_lost(&mut self, execution: &Execution, path: &GuidedPath) {
        if self.unconfirmed(execution).is_empty() {
            return;
        }
        let variables = &self.inputs.variables;
        let model =
            nicer(&self.terms, variables, &path.conditions, |_| Flavor::Number, &path.model);
        if model != path.model {
            let _ = self.run_model(execution, path, &model);
        }
    }

    /// Lost memory that the interpreter did not see: its address was kept as a number, or our bug.
    pub(super) fn note_unconfirmed(&mut self, execution: &Execution, path: &GuidedPath) {
        for (property, has_number) in self.unconfirmed(execution) {
            if has_number {
                let what = "addresses of allocated memory that are numbers".to_owned();
                let span = self.properties.list()[property].span;
                self.cut(&execution.stack, path, Why::Unsupported(what, span));
                continue;
            }
            self.n_divergences += 1;
            let story = "a path loses the memory, and the interpreter says: it is kept";
            self.findings[property].disagreement = Some(story.to_owned());
        }
    }

    /// Properties that the path fails at its end and no run has failed.
    fn unconfirmed(&mut self, execution: &Execution) -> Vec<(usize, bool)> {
        let mut found = Vec::new();
        for lost in &execution.lost {
            let kind = PropertyKind::Check(CheckKind::Leak);
            let blame = Blame { function: lost.function, kind, span: lost.span };
            if let Some(property) = self.blamed(&blame)
                && self.findings[property].violation.is_none()
                && !found.contains(&(property, lost.has_number))
            {
                found.push((property, lost.has_number));
            }
        }
        found
    }

    /// Turns the path's model into an input and lets the interpreter judge it: it should fail the
    /// property, or nothing.
    pub(super) fn confirm(
        &mut self,
        execution: &Execution,
        path: &GuidedPath,
        property: Option<usize>,
    ) {
        if let Some(property) = property {
            // Values that are easier to read first.
            let variables = &self.inputs.variables;
            let flavor = |_| Flavor::Number;
            let model = nicer(&self.terms, variables, &path.conditions, flavor, &path.model);
            if model != path.model {
                let _ = self.run_model(execution, path, &model);
            }
            if self.findings[property].violation.is_some() {
                return;
            }
        }
        let ran = self.run_model(execution, path, &path.model);
        let is_as_promised = match (&ran, property) {
            (Ran::Failed(seen), Some(property)) => *seen == Some(property),
            (Ran::Ended(edges), None) => {
                let here = path.edges.iter().filter(|edge| edge.0 == self.entry);
                *edges == here.map(|edge| (edge.1, edge.2)).collect()
            }
            _ => false,
        };
        if is_as_promised {
            return;
        }
        self.n_divergences += 1;
        self.cut(&execution.stack, path, Why::Divergence);
        if let Some(property) = property {
            let story = format!("a path fails it, and the interpreter says: {}", ran.story());
            self.findings[property].disagreement = Some(story);
        }
    }

    fn run_model(&mut self, execution: &Execution, path: &GuidedPath, model: &Model) -> Ran {
        let mut valuation =
            ModelValuation { evaluator: Evaluator::new(), terms: &self.terms, model };
        let input = extract(self.program, &execution.memory, &self.inputs, &mut valuation);
        let display = |&term: &TermId| glassbox_terms::display(&self.terms, term);
        let constraints = path.conditions.iter().map(display).collect();
        self.run_input(input, constraints)
    }

    /// Runs an input and keeps what it shows; `None` when it cannot be run.
    pub(super) fn show(&mut self, input: &TestInput) -> Result<Shown, &'static str> {
        let machine = self.machine.as_mut().ok_or("the globals are too large")?;
        self.n_runs += 1;
        let run = run_test(machine, &self.stubs, self.entry, input);
        let run = run.ok_or("the input does not fit into memory")?;
        let is_endless = machine.is_endless();
        let failures = match &run.outcome {
            Outcome::Undefined(report) => vec![(**report).clone()],
            _ => machine.lost_memory().iter().map(|lost| leak(lost.place)).collect(),
        };
        Ok(Shown { run, failures, is_endless })
    }

    /// The property that a failure of a run is about.
    pub(super) fn failed_property(&mut self, failure: &UndefinedBehavior) -> Option<usize> {
        let blame = blame_of_run(self.program, failure);
        self.blamed(&blame)
    }

    /// Runs an input; a failure that is ours and new becomes a violation.
    pub(super) fn run_input(&mut self, input: TestInput, constraints: Vec<String>) -> Ran {
        let shown = match self.show(&input) {
            Ok(shown) => shown,
            Err(story) => return Ran::Other(story),
        };
        if shown.is_endless && self.endless.is_none() {
            self.endless = Some(input.clone());
        }
        let mut failed = None;
        for failure in &shown.failures {
            failed = self.failed_property(failure);
            if let Some(property) = failed
                && self.findings[property].violation.is_none()
            {
                self.findings[property].violation = Some(self.violations.len());
                let test = self.found_test(&input, &shown, failure, constraints.clone());
                self.violations.push(Violation { property, test, report: failure.clone() });
            }
        }
        match shown.run.outcome {
            Outcome::Undefined(_) => Ran::Failed(failed),
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted => {
                let coverage = self.machine.as_ref().map(|machine| machine.coverage());
                let counts = coverage.and_then(|coverage| coverage.functions.get(&self.entry));
                let edges = counts.map(|counts| counts.edges.keys().copied().collect());
                Ran::Ended(edges.unwrap_or_default())
            }
            Outcome::AssumptionFailed(_) => Ran::Other("an assumption does not hold"),
            // Cheap to see, so that other runs need not be shorter for it.
            Outcome::OutOfSteps if shown.is_endless => Ran::Other("it never ends"),
            Outcome::OutOfSteps | Outcome::OutOfMemory => Ran::Other(TOO_LONG),
            Outcome::Unsupported { .. } | Outcome::MissingFunction { .. } => {
                Ran::Other("it does something that is not modeled")
            }
        }
    }

    /// The test of a run that the machine has just done.
    pub(super) fn found_test(
        &self,
        input: &TestInput,
        shown: &Shown,
        failure: &UndefinedBehavior,
        constraints: Vec<String>,
    ) -> FoundTest {
        let coverage = self.machine.as_ref().map(|machine| machine.coverage());
        let trace = |coverage| condition_trace(self.program, self.entry, coverage);
        let mut observation = shown.run.observation.clone();
        observation.ending = Ending::Failed { kind: failure.kind, span: failure.span };
        FoundTest {
            input: input.clone(),
            observation,
            facts: Facts::default(),
            elsewhere: BTreeMap::new(),
            constraints,
            condition_trace: coverage.map_or(Vec::new(), trace),
        }
    }
}

/// Lost memory as an error where it was allocated.
fn leak(place: StackEntry) -> UndefinedBehavior {
    UndefinedBehavior {
        kind: CheckKind::Leak,
        span: place.span,
        values: Vec::new(),
        value_types: Vec::new(),
        message: None,
        memory: None,
        stack: vec![place],
    }
}
