//! Relations between calls: functions of the program that stand in no source, and are asked about beside those that
//! they call.

use glassbox_coverage::Asked;
use glassbox_explore::{Budget, TestRunner};
use glassbox_interp::Outcome;
use glassbox_ir::{CheckKind, FuncId, Origin, Program};
use glassbox_report::{input_text, verdict_text};
use glassbox_testcase::Ending;

use crate::drive::Case;
use crate::function_report::FunctionReport;

/// The function that a relation is about.
pub(crate) fn related(program: &Program, function: FuncId) -> Option<FuncId> {
    if let Origin::Relation { of } = program.function(function).origin { Some(of) } else { None }
}

/// The function whose source is meant: what a relation is about, or the function itself.
pub(crate) fn subject(program: &Program, function: FuncId) -> FuncId {
    related(program, function).unwrap_or(function)
}

/// The relations of a function.
pub(crate) fn relations(program: &Program, function: FuncId) -> impl Iterator<Item = FuncId> {
    program.function_ids().filter(move |&id| related(program, id) == Some(function))
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

/// Tries the relations of a function with the inputs of its tests: those that hold become tests, too, and one that does
/// not hold is a violation. Inputs that a relation does not speak of are passed over.
pub(crate) fn follow_up(case: &Case<'_>, report: &mut FunctionReport) {
    let program = case.program();
    let all: Vec<FuncId> = relations(program, report.function()).collect();
    if all.is_empty() {
        return;
    }
    let options = TestRunner::options(Budget::default().run_steps);
    let mut runner = TestRunner::new(program, options, case.language.library());
    for relation in all {
        let mut is_violated = false;
        for test in &mut report.suite.tests {
            if test.expected.ending != Ending::Returned {
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
