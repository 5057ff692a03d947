//! Concrete runs: the interpreter judges what paths and seeds promise.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::{Facts, Properties, PropertyKind};
use glassbox_interp::{Outcome, StackEntry, TestRun, UndefinedBehavior};
use glassbox_ir::{BlockId, Callee, CheckKind, FuncId, InstrKind, Program, Span};
use glassbox_model::Execution;
use glassbox_model::library::changes;
use glassbox_terms::Model;
use glassbox_testcase::{Ending, PathCondition, TestInput};

use super::blame::{Blame, blame_of_run};
use super::{Stage, TOO_LONG, Violate, Violation, Why};
use crate::guide::GuidedPath;
use crate::humane::{Flavor, nicer};
use crate::runner::FoundTest;
use crate::search::PathSearch;

/// How a concrete run went.
#[derive(Debug)]
pub(super) enum Ran {
    /// Normally, over these edges of the function under test.
    Ended(BTreeSet<(BlockId, u32)>),
    /// With a failure of this property, if it is one of those asked about.
    Failed(Option<usize>),
    /// At something that no engine knows.
    NotUnderstood(String, Span),
    Other(&'static str),
}

impl Ran {
    pub(super) fn message(&self) -> &'static str {
        match self {
            Ran::Ended(_) => "the run ends normally",
            Ran::Failed(_) => "another property fails",
            Ran::NotUnderstood(..) => "it does something that is not modeled",
            Ran::Other(message) => message,
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

impl Violate {
    /// For a path that loses memory, not known before: readable inputs first.
    pub(super) fn confirm_lost(
        &mut self,
        search: &mut PathSearch<'_>,
        execution: &Execution,
        path: &GuidedPath,
    ) {
        if self.unconfirmed(search.program, execution).is_empty() {
            return;
        }
        let variables = &search.inputs.variables;
        let model =
            nicer(&search.terms, variables, &path.conditions, |_| Flavor::Number, &path.model);
        if model != path.model {
            self.run_model(search, execution, path, &model);
        }
    }

    /// Lost memory that the interpreter did not see: its address was kept as a number or is inside after all, or this is a defect of Glassbox.
    pub(super) fn note_unconfirmed(
        &mut self,
        search: &mut PathSearch<'_>,
        execution: &Execution,
        path: &GuidedPath,
    ) {
        for (property, is_unsure) in self.unconfirmed(search.program, execution) {
            if is_unsure {
                let what = "addresses of allocated memory that are numbers or lie behind its end"
                    .to_owned();
                let span = self.properties.list()[property].span;
                self.cut(search, &execution.stack, path, Why::Unsupported(what, span));
                continue;
            }
            search.n_divergences += 1;
            let message = "a path loses the memory, and the interpreter says: it is kept";
            self.findings[property].disagreement = Some(message.to_owned());
        }
    }

    /// Properties that the path fails at its end and no run has failed.
    fn unconfirmed(&mut self, program: &Program, execution: &Execution) -> Vec<(usize, bool)> {
        let mut found = Vec::new();
        for lost in &execution.lost {
            let kind = PropertyKind::Check(CheckKind::Leak);
            let blame = Blame { function: lost.function, kind, span: lost.span };
            if let Some(property) = self.blamed(program, &blame)
                && self.findings[property].violation.is_none()
                && !found.contains(&(property, lost.is_unsure))
            {
                found.push((property, lost.is_unsure));
            }
        }
        found
    }

    /// Turns the path's model into an input and lets the interpreter judge it: it should fail the
    /// property, or nothing.
    pub(super) fn confirm(
        &mut self,
        search: &mut PathSearch<'_>,
        execution: &Execution,
        path: &GuidedPath,
        property: Option<usize>,
    ) {
        if let Some(property) = property {
            // Values that are easier to read first.
            let variables = &search.inputs.variables;
            let flavor = |_| Flavor::Number;
            let model = nicer(&search.terms, variables, &path.conditions, flavor, &path.model);
            if model != path.model {
                self.run_model(search, execution, path, &model);
            }
            if self.findings[property].violation.is_some() {
                return;
            }
        }
        let ran = self.run_model(search, execution, path, &path.model);
        let is_as_promised = match (&ran, property) {
            (Ran::Failed(seen), Some(property)) => *seen == Some(property),
            (Ran::Ended(edges), None) => {
                let here = path.edges.iter().filter(|edge| edge.0 == search.entry);
                *edges == here.map(|edge| (edge.1, edge.2)).collect()
            }
            (Ran::Failed(_) | Ran::NotUnderstood(..) | Ran::Other(_), None)
            | (Ran::Ended(_) | Ran::NotUnderstood(..) | Ran::Other(_), Some(_)) => false,
        };
        if is_as_promised {
            return;
        }
        // Paths go through calls of the library that only runs can judge.
        let beyond = match &ran {
            Ran::Failed(Some(seen)) => self.native_call(search.program, *seen),
            Ran::NotUnderstood(what, span) => Some((what.clone(), *span)),
            Ran::Failed(None) | Ran::Ended(_) | Ran::Other(_) => None,
        };
        let is_beyond = property.is_none() || matches!(ran, Ran::NotUnderstood(..));
        if let Some((what, span)) = beyond.filter(|_| is_beyond) {
            self.cut(search, &execution.stack, path, Why::Unsupported(what, span));
            return;
        }
        if search.inputs.is_loose {
            // Paths know less of written text than the library: what they refute is refuted, and every other way of theirs is
            // followed. A failure that no run confirms stays open.
            if let Some(property) = property {
                let span = self.properties.list()[property].span;
                let what = "digits that the library writes".to_owned();
                self.cut(search, &execution.stack, path, Why::Unsupported(what, span));
            }
            return;
        }
        search.n_divergences += 1;
        self.cut(search, &execution.stack, path, Why::Divergence);
        if let Some(property) = property {
            let message = format!("a path fails it, and the interpreter says: {}", ran.message());
            self.findings[property].disagreement = Some(message);
        }
    }

    pub(super) fn run_model(
        &mut self,
        search: &mut PathSearch<'_>,
        execution: &Execution,
        path: &GuidedPath,
        model: &Model,
    ) -> Ran {
        let input = search.input_of(&execution.memory, model);
        let constraints = search.constraints(path);
        self.run_input(search, input, constraints)
    }

    /// The property that a failure of a run is about.
    pub(super) fn failed_property(
        &mut self,
        program: &Program,
        failure: &UndefinedBehavior,
    ) -> Option<usize> {
        let mut blame = blame_of_run(program, failure);
        let call = PropertyKind::LibraryCall;
        // The call of a native function and what else a macro contains have one place; no assertion fails inside.
        let is_inside = !blame.kind.is_assertion();
        if is_inside && self.properties.find(blame.function, call, blame.span).is_some() {
            blame.kind = call;
        }
        self.blamed(program, &blame)
    }

    /// What a property about a call of a native function speaks of.
    fn native_call(&self, program: &Program, property: usize) -> Option<(String, Span)> {
        let property = &self.properties.list()[property];
        let callee = Properties::native_callee(program, property)?;
        Some((not_judged(program, callee), property.span))
    }

    /// Runs an input; a new failure of a property becomes a violation.
    pub(super) fn run_input(
        &mut self,
        search: &mut PathSearch<'_>,
        input: TestInput,
        constraints: Vec<PathCondition>,
    ) -> Ran {
        let shown = match show(search, &input) {
            Ok(shown) => shown,
            Err(message) => return Ran::Other(message),
        };
        if shown.is_endless && self.endless.is_none() {
            self.endless = Some(input.clone());
        }
        let mut failed = None;
        for failure in &shown.failures {
            failed = self.failed_property(search.program, failure);
            let Some(property) = failed else { continue };
            if !self.counts(property, failure.kind) {
                self.findings[property].ends_runs = true;
            } else if self.stage != Stage::Asked {
                self.findings[property].is_contradicted = true;
            } else if self.findings[property].violation.is_none() {
                self.findings[property].violation = Some(self.violations.len());
                let test = found_test(search, &input, &shown, failure, constraints.clone());
                self.violations.push(Violation { property, test, report: failure.clone() });
            }
        }
        match shown.run.outcome {
            Outcome::Undefined(_) => Ran::Failed(failed),
            Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted => {
                let coverage = search.runner.coverage();
                let counts = coverage.and_then(|coverage| coverage.functions.get(&search.entry));
                let edges = counts.map(|counts| counts.edges.keys().copied().collect());
                Ran::Ended(edges.unwrap_or_default())
            }
            Outcome::AssumptionFailed(_) => Ran::Other("an assumption does not hold"),
            // Cheap to see, so that other runs need not be shorter for it.
            Outcome::OutOfSteps if shown.is_endless => Ran::Other("it never ends"),
            Outcome::OutOfSteps => Ran::Other(TOO_LONG),
            Outcome::OutOfMemory => {
                let span = search.program.function(search.entry).span;
                Ran::NotUnderstood("more memory than runs are given".to_owned(), span)
            }
            Outcome::Unsupported { what, span } => Ran::NotUnderstood(what, span),
            Outcome::MissingFunction { name, span } => {
                Ran::NotUnderstood(format!("the function `{name}`"), span)
            }
        }
    }
}

/// Of a call of a native function only runs show whether it goes well.
pub(super) fn not_judged(program: &Program, callee: FuncId) -> String {
    format!("what `{}` does with its arguments", program.function(callee).name)
}

/// Runs an input; what it shows, or why it cannot be run.
pub(super) fn show(search: &mut PathSearch<'_>, input: &TestInput) -> Result<Shown, &'static str> {
    let run = search.runner.run(search.entry, input)?;
    let machine = search.runner.machine();
    let is_endless =
        machine.is_some_and(|machine| machine.is_endless()) && !may_be_interrupted(search.program);
    let lost = || machine.map(|machine| machine.lost_memory()).unwrap_or_default();
    // The property is the function's, whatever calls it.
    let function = search.function;
    let span = search.program.function(function).span;
    let failures = match &run.outcome {
        Outcome::OutOfSteps if is_endless => {
            vec![at_the_end(CheckKind::Endless, StackEntry { function, span })]
        }
        Outcome::Undefined(report) => vec![(**report).clone()],
        Outcome::Returned(_)
        | Outcome::Exited(_)
        | Outcome::Aborted
        | Outcome::AssumptionFailed(_)
        | Outcome::Unsupported { .. }
        | Outcome::MissingFunction { .. }
        | Outcome::OutOfSteps
        | Outcome::OutOfMemory => {
            lost().iter().map(|lost| at_the_end(CheckKind::Leak, lost.place)).collect()
        }
    };
    Ok(Shown { run, failures, is_endless })
}

/// The test of a run that the machine has just done.
pub(super) fn found_test(
    search: &PathSearch<'_>,
    input: &TestInput,
    shown: &Shown,
    failure: &UndefinedBehavior,
    constraints: Vec<PathCondition>,
) -> FoundTest {
    let mut observation = shown.run.observation.clone();
    observation.ending = Ending::Failed { kind: failure.kind, span: failure.span };
    FoundTest {
        input: input.clone(),
        observation,
        facts: Facts::default(),
        elsewhere: BTreeMap::new(),
        constraints,
        condition_trace: search.runner.condition_trace(search.entry),
    }
}

/// What is judged when a run has ended, or never ends: memory is lost where it was allocated.
fn at_the_end(kind: CheckKind, place: StackEntry) -> UndefinedBehavior {
    UndefinedBehavior {
        kind,
        span: place.span,
        values: Vec::new(),
        value_types: Vec::new(),
        message: None,
        memory: None,
        stack: vec![place],
    }
}

/// Whether something may come between two steps of a run: an alarm ends what would go on for ever.
fn may_be_interrupted(program: &Program) -> bool {
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let mut instrs = bodies.flat_map(|body| body.blocks.iter().flat_map(|block| &block.instrs));
    instrs.any(|instr| {
        let InstrKind::Call(call) = &instr.kind else { return false };
        let Callee::Direct(callee) = call.callee else { return false };
        changes(program, callee, &call.args).is_beyond_order
    })
}
