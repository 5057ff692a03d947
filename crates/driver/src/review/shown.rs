//! What is covered is shown by the tests that are written: pairs of evaluations need both tests.

use glassbox_coverage::reach;
use glassbox_testcase::{UnknownReason, Verdict};

use super::Reviewer;
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::plan::Task;

pub(super) struct Shown;

impl Reviewer for Shown {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
        let Task::Generate(_) = &case.plan.task else { return };
        for report in reports {
            let body = case.program().body(report.function());
            let facts = &report.evidence.facts;
            let goals = report.goals.iter().zip(&report.evidence.covered);
            for ((goal, how), result) in goals.zip(&mut report.suite.goals) {
                let is_shown =
                    how.is_some_and(|how| reach::is_shown(body, &goal.target, how, facts));
                if result.verdict.is_covered() && !is_shown {
                    let message = "the tests that are written do not show it".to_owned();
                    result.verdict = Verdict::Unknown(UnknownReason::Internal(message));
                }
            }
        }
    }
}
