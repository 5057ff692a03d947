//! Tests compiled by the user's compiler and run with probes around every condition.

use std::ops::Range;
use std::sync::Arc;

use glassbox_emit::c_obstacle::obstacle;
use glassbox_explore::facts::ConditionEvent;
use glassbox_ir::{DecisionId, FuncId};
use glassbox_replay::confirm::{Replay, confirm};
use glassbox_replay::gcov::line_counts;
use glassbox_replay::{Confirmation, PlacedCondition, ProbeSite, ReplayError, Unit};

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
    let placed = placed(c, function)?;
    let (comparisons, relations) =
        boundary::watched(c, &placed, &report.goals, &report.suite.tests);
    let file = test_file(c, report, String::new());
    let confirmations = confirm(&Replay {
        compiler: &compiler,
        folder: folder.path(),
        file: &file,
        unit: Unit { text: &placed.text, shown: &placed.shown, source: &source },
        conditions: &placed.conditions,
        expected: &expected,
        comparisons: &comparisons,
        relations: &relations,
        counts_lines,
    });
    let confirmations = match confirmations {
        Ok(confirmations) => confirmations,
        Err(error @ ReplayError::DoesNotCompile(_)) => {
            vec![Confirmation::Rejected(error.to_string()); report.suite.tests.len()]
        }
        Err(error @ ReplayError::Io(..)) => return Err(error.to_string()),
    };
    let line_counts = if counts_lines { line_counts(folder.path(), "test", &source) } else { None };
    let confirmations = confirmations.into_iter().map(Some).collect();
    Ok(Replayed { confirmations, line_counts, seen: None })
}

/// A function in the preprocessed text of its unit.
pub(super) struct Placed {
    pub(super) text: Arc<[u8]>,
    /// Where the function is defined.
    pub(super) at: glassbox_c_front::span::Span,
    /// What line markers call its file.
    shown: String,
    conditions: Vec<PlacedCondition>,
}

fn placed(c: &C, function: FuncId) -> Result<Placed, String> {
    let lost = "the text of the unit cannot be found again";
    let at = *c.places.functions.get(&function).ok_or(lost)?;
    let (text, _) = c.sources.unit_text(at).ok_or(lost)?;
    let first = (function, DecisionId::new(0), 0);
    let own = c.places.conditions.range(first..).take_while(|((of, _, _), _)| *of == function);
    let conditions = own.filter_map(|(&(_, decision, condition), &span)| {
        let (_, range): (_, Range<usize>) = c.sources.unit_text(span)?;
        Some(PlacedCondition { site: ProbeSite { decision, condition }, range })
    });
    let conditions = conditions.collect();
    let file = c.program.function(function).span.file;
    let shown = c.sources.file_name(file).to_owned();
    Ok(Placed { text, at, shown, conditions })
}
