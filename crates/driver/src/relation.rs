//! Relations between calls: functions of the program that stand in no source, and are asked about beside those that
//! they call.

use glassbox_coverage::Asked;
use glassbox_emit::naming::test_names;
use glassbox_explore::runner::ends_well;
use glassbox_explore::{Aim, Budget, TestRunner};
use glassbox_interp::Outcome;
use glassbox_ir::{Call, Callee, CheckKind, FuncId, InstrKind, Origin, Program};
use glassbox_report::{input_text, verdict_text};
use glassbox_testcase::{Ending, Observation, Test, TestInput};

use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::plan::Generate;
use crate::stopwatch::Stopwatch;
use crate::{evidence, mutate, search};

/// The function that a relation is about.
pub(crate) fn related(program: &Program, function: FuncId) -> Option<FuncId> {
    if let Origin::Relation { of } = program.function(function).origin { Some(of) } else { None }
}

/// The function whose source is meant: what a relation is about, or the function itself.
pub(crate) fn subject(program: &Program, function: FuncId) -> FuncId {
    related(program, function).unwrap_or(function)
}

/// The relations of a function that users wrote: what compares it with its mutants is none.
pub(crate) fn relations(program: &Program, function: FuncId) -> impl Iterator<Item = FuncId> {
    let is_own = move |&id: &FuncId| {
        let is_mutant =
            |other: FuncId| matches!(program.function(other).origin, Origin::Variant { .. });
        related(program, id) == Some(function) && !callees(program, id).any(is_mutant)
    };
    program.function_ids().filter(is_own)
}

/// Functions that another calls by name, call by call.
fn callees(program: &Program, function: FuncId) -> impl Iterator<Item = FuncId> {
    let body = program.function(function).body.as_ref();
    let instrs = body.into_iter().flat_map(|body| &body.blocks).flat_map(|block| &block.instrs);
    instrs.filter_map(|instr| {
        let InstrKind::Call(Call { callee: Callee::Direct(other), .. }) = instr.kind else {
            return None;
        };
        Some(other)
    })
}

/// Each function with its relations behind it; specifications of SV-COMP do not speak of those.
pub(crate) fn with_relations(
    program: &Program,
    functions: Vec<FuncId>,
    asked: &Asked,
) -> Vec<FuncId> {
    match asked {
        Asked::Specified(_) => functions,
        // Only they are asked about.
        Asked::Relations => {
            functions.into_iter().flat_map(|function| relations(program, function)).collect()
        }
        Asked::Everything | Asked::Assertions => functions
            .into_iter()
            .flat_map(|function| [function].into_iter().chain(relations(program, function)))
            .collect(),
    }
}

/// Whether a relation is between calls of two functions.
pub(crate) fn compares_two(program: &Program, relation: FuncId) -> bool {
    let of = related(program, relation);
    of.is_some_and(|of| references(program, of).iter().any(|(known, _)| *known == relation))
}

/// Functions of the program that the relations of a function compare it with, each with the relation.
fn references(program: &Program, function: FuncId) -> Vec<(FuncId, FuncId)> {
    let mut found = Vec::new();
    for relation in relations(program, function) {
        for other in callees(program, relation) {
            let declared = program.function(other);
            // Initializers of classes run before the calls.
            let is_initializer =
                declared.method.is_some_and(|id| program.methods[id.index()].name.starts_with('<'));
            if other != function
                && declared.origin == Origin::User
                && declared.body.is_some()
                && !is_initializer
                && !found.contains(&(relation, other))
            {
                found.push((relation, other));
            }
        }
    }
    found
}

/// Tests of a function for the goals of what it is compared with: their inputs take both of them everywhere.
pub(crate) fn cover_references(
    case: &Case<'_>,
    task: &Generate,
    report: &mut FunctionReport,
    watch: &Stopwatch<'_>,
) {
    let program = case.program();
    for (relation, other) in references(program, report.function()) {
        let goals = mutate::goals::without_mutants(&search::goals(program, task, other));
        if goals.is_empty() {
            continue;
        }
        let aim = Aim { function: other, entry: relation };
        let found =
            search::campaign(case, aim, &goals, watch, search::Turn::of(case.plan.budget.time));
        let name = &program.function(other).name;
        let n_covered = found.covered.iter().flatten().count();
        let mut inputs = Inputs::new(case);
        for test in found.tests {
            let words = format!("goal of {name} {}", report.suite.tests.len() + 1);
            inputs.add(report, test.input, words);
        }
        let n_goals = goals.len();
        report.notes.push(format!("{n_covered} of {n_goals} goals of `{name}` are covered, too"));
    }
}

/// Makes tests from inputs that were found elsewhere.
pub(crate) struct Inputs<'a> {
    case: &'a Case<'a>,
    pub(crate) runner: TestRunner<'a>,
}

impl<'a> Inputs<'a> {
    pub(crate) fn new(case: &'a Case<'a>) -> Inputs<'a> {
        let options = TestRunner::options(Budget::default().run_steps);
        let runner = TestRunner::new(case.program(), options, case.language.library());
        Inputs { case, runner }
    }

    /// Adds a test of the report's function; `None` where the input is no test of it. `words` become a part of its
    /// name. Gives the name and what the function did.
    pub(crate) fn add(
        &mut self,
        report: &mut FunctionReport,
        input: TestInput,
        words: String,
    ) -> Option<(String, Observation)> {
        let function = report.function();
        if report.suite.tests.iter().any(|test| test.input == input) {
            return None;
        }
        let run = self.runner.run(function, &input).ok()?;
        if !ends_well(&run) {
            return None;
        }
        let facts = self.runner.facts(function, &run);
        let found = self.runner.found_test(function, input, run, facts, Vec::new());
        let program = self.case.program();
        let names = test_names(&program.function(function).name, &[Some(words)]);
        let name = names.into_iter().next()?;
        report.suite.tests.push(Test {
            name: name.clone(),
            input: found.input.clone(),
            expected: found.observation.clone(),
            covers: Vec::new(),
            path: search::path_text(program, function, &found.condition_trace),
            constraints: Vec::new(),
            through: None,
            follow_ups: Vec::new(),
        });
        report.condition_traces.push(found.condition_trace.clone());
        report.evidence.facts.push(found.facts.clone());
        report.evidence.elsewhere.push(evidence::elsewhere(&found));
        Some((name, found.observation))
    }
}

/// Tries the relations of a function with the inputs of its tests: those that hold become tests, too, and one that does
/// not hold is a violation. Inputs that a relation does not speak of are passed over.
pub(crate) fn follow_up(case: &Case<'_>, report: &mut FunctionReport) {
    let program = case.program();
    let all: Vec<FuncId> = relations(program, report.function()).collect();
    if all.is_empty() {
        return;
    }
    let mut runner = Inputs::new(case).runner;
    for relation in all {
        let mut is_violated = false;
        for test in &mut report.suite.tests {
            // Exceptions are outcomes, which relations compare.
            if !matches!(test.expected.ending, Ending::Returned | Ending::Thrown(_)) {
                continue;
            }
            match runner.ending(relation, &test.input) {
                Some(Outcome::Returned(_)) => test.follow_ups.push(relation),
                Some(Outcome::Undefined(error))
                    if error.kind == CheckKind::Relation && !is_violated =>
                {
                    is_violated = true;
                    let place = verdict_text::place(program, error.span);
                    let text = error.message.unwrap_or_default();
                    let given = input_text::line(program, &test.input);
                    report.violations.push(format!("{place}: {text}: violated with {given}"));
                }
                Some(
                    Outcome::Undefined(_)
                    | Outcome::Exited(_)
                    | Outcome::Aborted
                    | Outcome::AssumptionFailed(_)
                    | Outcome::Unsupported { .. }
                    | Outcome::MissingFunction { .. }
                    | Outcome::OutOfSteps
                    | Outcome::OutOfMemory,
                )
                | None => {}
            }
        }
    }
}
