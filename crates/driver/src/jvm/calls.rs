//! Counter-examples whose objects only reflection makes, tried again with objects that calls make: a state that
//! the program never comes to violates nothing.

use std::time::Duration;

use glassbox_contract::harness::entry;
use glassbox_coverage::{Properties, Property};
use glassbox_emit::java_test::obstacle;
use glassbox_explore::{Budget, Question, Supervision, Violation};
use glassbox_ir::FuncId;
use glassbox_testcase::Ending;
use glassbox_testcase::java::JavaEnding;

use super::Jvm;
use super::search::{is_forced, observe_violation, statements};
use crate::deadline::Deadline;
use crate::drive::Case;
use crate::function_report::{FunctionReport, ObjectTest};
use crate::plan::Check;
use crate::stopwatch::Stopwatch;

/// Looks for sequences of calls that violate what forced states violate.
pub(super) fn retry(
    jvm: &Jvm,
    case: &Case<'_>,
    task: &Check,
    report: &mut FunctionReport,
    watch: &Stopwatch<'_>,
) {
    let java = &jvm.java;
    let function = report.function();
    let all = java.recipes.harnesses.iter().enumerate();
    let own = all.filter(|(_, harness)| harness.target == function);
    let harnesses: Vec<usize> = own.map(|(position, _)| position).collect();
    let tests = 0..report.suite.tests.len();
    let forced: Vec<usize> = tests.filter(|&test| is_forced(java, report, test)).collect();
    // All together have the time of one search.
    let parts = u32::try_from(harnesses.len() * forced.len()).unwrap_or(u32::MAX).max(1);
    let time = case.plan.budget.time / parts;
    for test in forced {
        let example = &report.checked.counter_examples[test];
        let property = report.checked.properties[example.violation.property].clone();
        for &position in &harnesses {
            let start = java.recipes.harnesses[position].function;
            let start = entry(&java.program, start).unwrap_or(start);
            let Some(found) = search(case, task, start, &property, watch, time) else { continue };
            let program = java.outcomes.as_ref().unwrap_or(&java.program);
            let harness = &java.recipes.harnesses[position];
            let Some(observed) = observe_violation(program, harness, &found.test.input) else {
                continue;
            };
            if obstacle(&observed).is_some() {
                continue;
            }
            let example = &mut report.checked.counter_examples[test];
            let own = &mut report.suite.tests[test];
            own.input = found.test.input.clone();
            own.expected = found.test.observation.clone();
            if let JavaEnding::Thrown(class) = &observed.ending {
                own.expected.ending = Ending::Thrown(class.clone());
                own.expected.result = None;
            }
            own.constraints.clone_from(&found.test.constraints);
            own.path.clear();
            example.violation.test = found.test;
            report.objects[test] = ObjectTest { observed, harness: Some(position), through: None };
            let lines = statements(java, report, test);
            report.checked.counter_examples[test].calls = Some(lines.join(" "));
            break;
        }
    }
}

/// A run from here that violates the property.
fn search(
    case: &Case<'_>,
    task: &Check,
    start: FuncId,
    property: &Property,
    watch: &Stopwatch<'_>,
    time: Duration,
) -> Option<Violation> {
    let program = case.program();
    let mut functions = vec![start];
    functions.extend(Some(property.function).filter(|&function| function != start));
    let mut properties = Properties::of(program, &functions);
    for function in functions {
        properties
            .keep_places(function, |span, kind| (span, kind) == (property.span, property.kind));
    }
    properties.ask(program, &task.scope.asked);
    if properties.is_empty() {
        return None;
    }
    let plan = case.plan;
    let config = case.language.inputs(plan, property.function);
    let budget = Budget { seed: plan.budget.seed, paths: plan.budget.paths, ..Budget::default() };
    let (config, budget, max_turns) = (&config, &budget, task.unwind);
    let question = Question { program, entry: start, properties, config, budget, max_turns };
    let deadline = Deadline::new(&plan.budget);
    let supervision = Supervision::watched(&deadline.flag, watch);
    let mut check = glassbox_explore::Check::new(question, case.language.library(), supervision);
    let found = deadline.within(time, case.listener, || check.search());
    let is_it = |violation: &Violation| {
        found
            .properties
            .list()
            .get(violation.property)
            .is_some_and(|known| (known.span, known.kind) == (property.span, property.kind))
    };
    found.violations.iter().find(|violation| is_it(violation)).cloned()
}
