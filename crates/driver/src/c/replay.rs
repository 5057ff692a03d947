//! Tests compiled by the user's compiler and run with probes around every condition.

use glassbox_emit::c_obstacle::obstacle;
use glassbox_explore::facts::ConditionEvent;
use glassbox_replay::ProbeSite;
use glassbox_replay::confirm::{Replay, confirm};
use glassbox_replay::gcov::line_counts;

use super::tests::{source_path, test_file};
use super::{C, boundary, objects};
use crate::function_report::{FunctionReport, Replayed};
use crate::plan::Plan;
use crate::review::is_seen_by_lines;
use crate::save::temporary_folder;

/// Builds and runs the tests of one function.
pub(super) fn replay(c: &C, plan: &Plan, report: &FunctionReport) -> Result<Replayed, String> {
    let program = &c.program;
    let function = report.function();
    if report.suite.tests.is_empty() || obstacle(program, function).is_some() {
        return Ok(Replayed::default());
    }
    let source = source_path(program, function).ok_or("the source file cannot be found again")?;
    let folder = temporary_folder()?;
    let site = |event: &ConditionEvent| {
        let (decision, condition) = (event.decision, event.condition);
        (ProbeSite { decision, condition }, event.value)
    };
    let expected: Vec<Vec<(ProbeSite, bool)>> =
        report.condition_traces.iter().map(|trace| trace.iter().map(site).collect()).collect();
    let compiler = objects::compiler(c, plan, function)?;
    let counts_lines = report.goals.iter().any(|goal| is_seen_by_lines(program, goal));
    let (comparisons, relations) = boundary::watched(program, &report.goals, &report.suite.tests);
    let file = test_file(c, report, String::new());
    let confirmations = confirm(&Replay {
        compiler: &compiler,
        folder: folder.path(),
        file: &file,
        source: &source,
        source_file: program.function(function).span.file,
        expected: &expected,
        comparisons: &comparisons,
        relations: &relations,
        counts_lines,
    });
    let confirmations = confirmations.map_err(|error| error.to_string())?;
    let line_counts = if counts_lines { line_counts(folder.path(), "test", &source) } else { None };
    let confirmations = confirmations.into_iter().map(Some).collect();
    Ok(Replayed { confirmations, line_counts, seen: None })
}
