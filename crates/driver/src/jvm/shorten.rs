//! Sequences of calls without those that a test does not need: a call stays only where something that the test covers
//! rests on it.

use glassbox_coverage::Covered;
use glassbox_coverage::reach::is_shown;
use glassbox_explore::TestRunner;
use glassbox_interp::Outcome;
use glassbox_ir::Program;
use glassbox_libc::JavaLibrary;
use glassbox_testcase::recipe::{Harness, Making};
use glassbox_testcase::{InputValue, TestInput};
use glassbox_values::Bits;

use super::search::RUN_STEPS;
use crate::function_report::FunctionReport;

/// Leaves out calls, the last ones first.
pub(super) fn shorten(program: &Program, harness: &Harness, report: &mut FunctionReport) {
    let function = report.function();
    let library = Box::new(JavaLibrary::new());
    let mut runner = TestRunner::new(program, TestRunner::options(RUN_STEPS), library);
    if !runner.is_ready() {
        return;
    }
    let mut selectors = Vec::new();
    for making in harness.receiver.iter().chain(&harness.args) {
        add_selectors(making, &mut selectors);
    }
    selectors.sort_unstable();
    selectors.dedup();
    for test in 0..report.suite.tests.len() {
        for &selector in selectors.iter().rev() {
            let Some(input) = without(&report.suite.tests[test].input, selector) else { continue };
            let Ok(run) = runner.run(harness.function, &input) else { continue };
            if !matches!(run.outcome, Outcome::Returned(_)) {
                continue;
            }
            let mut facts = report.evidence.facts.clone();
            let Some(own) = facts.get_mut(test) else { continue };
            *own = runner.facts(function, &run);
            let covered = report.goals.iter().zip(&report.evidence.covered);
            let mut resting = covered.filter_map(|(goal, how)| {
                how.filter(|how| Covered::runs(*how).contains(&test)).map(|how| (goal, how))
            });
            let body = program.body(function);
            if resting.all(|(goal, how)| is_shown(body, &goal.target, how, &facts)) {
                let changed = &mut report.suite.tests[test];
                changed.input = input;
                changed.expected = run.observation;
                // They were about the longer sequence.
                changed.constraints.clear();
                report.evidence.facts = facts;
            }
        }
    }
}

/// The parameters that choose calls.
fn add_selectors(making: &Making, found: &mut Vec<usize>) {
    match making {
        Making::Param(_)
        | Making::Null
        | Making::Earlier(_)
        | Making::Constant { .. }
        | Making::Usual(_) => {}
        Making::Choice { options, .. } => {
            options.iter().for_each(|option| add_selectors(option, found));
        }
        Making::New(object) => {
            found.extend(object.steps.iter().map(|step| step.selector));
            object.args.iter().for_each(|arg| add_selectors(arg, found));
        }
        Making::Array { elements, .. } => {
            elements.iter().for_each(|element| add_selectors(element, found));
        }
        Making::Collection { items, .. } => {
            items.iter().flatten().for_each(|item| add_selectors(item, found));
        }
    }
}

/// The input that does not choose a call here; `None` where it chooses none.
fn without(input: &TestInput, selector: usize) -> Option<TestInput> {
    let Some(InputValue::Int(bits)) = input.params.get(selector).map(|param| &param.value) else {
        return None;
    };
    if bits.is_zero() {
        return None;
    }
    let mut input = input.clone();
    input.params[selector].value = InputValue::Int(Bits::new(0, bits.width()));
    Some(input)
}
