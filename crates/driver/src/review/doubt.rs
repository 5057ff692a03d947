//! Counter-examples that begin in a state to which the program may never come: they violate nothing yet.

use glassbox_testcase::{UnknownReason, Verdict};

use super::Reviewer;
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::plan::Task;

pub(super) struct Doubt;

impl Reviewer for Doubt {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
        let Task::Check(_) = &case.plan.task else { return };
        for report in reports {
            for (test, why) in case.language.doubtful(report) {
                for goal in &mut report.suite.goals {
                    if matches!(goal.verdict, Verdict::Violated { test: by } if by == test) {
                        goal.verdict = Verdict::Unknown(UnknownReason::Unconfirmed(why.clone()));
                    }
                }
            }
        }
    }
}
