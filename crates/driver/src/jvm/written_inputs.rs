//! Inputs of tests as suite.json has them, and back: where calls make the objects, which calls a test makes is written beside
//! the numbers that choose them, because the same numbers choose others as soon as a class has one method more.

use glassbox_explore::Aim;
use glassbox_ir::FuncId;
use glassbox_jvm_front::JavaProgram;
use glassbox_report::data::SuiteData;
use glassbox_report::data::test::Inputs;
use glassbox_report::suite_json;
use glassbox_testcase::TestInput;
use glassbox_testcase::java::{JavaContents, JavaEnding, JavaObservation};
use glassbox_testcase::recipe::Harness;

use super::search::before_call;
use crate::function_report::FunctionReport;

/// Says of tests what they call and what makes their objects.
pub(super) fn describe(java: &JavaProgram, reports: &[FunctionReport], suite: &mut SuiteData) {
    for (report, function) in reports.iter().zip(&mut suite.functions) {
        let tests = report.suite.tests.iter().zip(&report.objects);
        for ((test, object), data) in tests.zip(&mut function.tests) {
            let through = object.through.filter(|&called| called != report.function());
            if let Some(called) = through {
                data.through = Some(java.program.function(called).name.clone());
            }
            if let Some(harness) = object.harness.map(|at| &java.recipes.harnesses[at]) {
                let of = (report.function(), through.unwrap_or(report.function()));
                data.inputs.calls = calls(java, of, harness, &test.input);
            }
        }
    }
}

/// The input of a test of the method, and where its runs start.
pub(super) fn read(java: &JavaProgram, aim: Aim, inputs: &Inputs) -> Option<(FuncId, TestInput)> {
    let program = &java.program;
    if inputs.calls.is_empty() {
        return Some((aim.entry, suite_json::read_input(program, aim.entry, inputs)?));
    }
    let harnesses = java.recipes.harnesses.iter().filter(|it| it.target == aim.function);
    harnesses.into_iter().find_map(|harness| {
        let input = suite_json::read_input(program, harness.function, inputs)?;
        let of = (aim.function, aim.function);
        let is_it = calls(java, of, harness, &input) == inputs.calls;
        is_it.then_some((harness.function, input))
    })
}

/// The statements that make objects with this input, in a test of one method that calls the other.
fn calls(
    java: &JavaProgram,
    of: (FuncId, FuncId),
    harness: &Harness,
    input: &TestInput,
) -> Vec<String> {
    let unknown = || JavaContents::Unknown;
    let nothing = JavaObservation {
        ending: JavaEnding::Returned(None),
        after: input.objects.iter().map(|_| unknown()).collect(),
        made: harness.made.iter().map(|_| (unknown(), unknown())).collect(),
        statics: Vec::new(),
    };
    before_call(java, of, input, &nothing, Some(harness))
}
