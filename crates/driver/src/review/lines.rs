//! Counts of executed lines: a goal on a line that the real program has never executed is not covered.

use glassbox_coverage::{Goal, Target};
use glassbox_ir::{Program, Terminator};
use glassbox_testcase::{UnknownReason, Verdict};

use super::Reviewer;
use crate::drive::Case;
use crate::function_report::FunctionReport;

pub(super) struct Lines;

impl Reviewer for Lines {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
        reports.iter_mut().for_each(|report| compare(case.program(), report));
    }
}

/// Whether a goal is about what lines are executed: statements and cases, which have no probes in C.
pub(crate) fn is_seen_by_lines(program: &Program, goal: &Goal) -> bool {
    match &goal.target {
        Target::Site(_) => true,
        Target::Edge { block, .. } => {
            let terminator = &program.body(goal.function).block(*block).terminator;
            matches!(terminator, Terminator::Switch { .. })
        }
        Target::AnyEdge(_)
        | Target::Outcome { .. }
        | Target::Condition { .. }
        | Target::Independence { .. }
        | Target::DefUse { .. }
        | Target::Path(_)
        | Target::CheckFails(_)
        | Target::Killed { .. } => false,
    }
}

/// Lines that are not counted have no code of their own.
fn compare(program: &Program, report: &mut FunctionReport) {
    let own_file = program.function(report.function()).span.file;
    let counts = report.replayed.as_ref().and_then(|replayed| replayed.line_counts.as_ref());
    let Some(counts) = counts else { return };
    for (goal, result) in report.goals.iter().zip(&mut report.suite.goals) {
        let is_here = goal.span.file == own_file && is_seen_by_lines(program, goal);
        if is_here && result.verdict.is_covered() && counts.get(&goal.span.line) == Some(&0) {
            let seen = format!("gcov counts no execution of line {}", goal.span.line);
            report.contradiction = Some(seen.clone());
            result.verdict = Verdict::Unknown(UnknownReason::Disagreement(seen));
        }
    }
}
