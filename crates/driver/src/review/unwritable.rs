//! Tests that cannot be written as source text: what rests on them is not covered.

use glassbox_testcase::UnknownReason;

use super::Reviewer;
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::language;
use crate::plan::Task;

pub(super) struct Unwritable;

impl Reviewer for Unwritable {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
        let Task::Generate(_) = &case.plan.task else { return };
        for report in reports {
            let span = case.program().function(report.function()).span;
            for obstacle in case.language.unwritable(case.plan, report) {
                match obstacle {
                    language::Unwritable::All(why) => {
                        let what = format!("no test can be written: {why}");
                        let reason = UnknownReason::Unsupported { what: what.clone(), span };
                        report.unconfirm(None, &what, reason);
                    }
                    language::Unwritable::One { test, why } => {
                        let reason = UnknownReason::Unsupported { what: why, span };
                        report.take_back(Some(test), &reason);
                    }
                }
            }
        }
    }
}
