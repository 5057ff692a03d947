//! Goals that only a volatile object could reach that changes between two accesses: tests set it once, so nothing is shown either way.

use glassbox_testcase::{Assumption, UnknownReason, Verdict};

use super::Reviewer;
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::plan::Task;

pub(super) struct Changing;

impl Reviewer for Changing {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
        let Task::Generate(_) = &case.plan.task else { return };
        for report in reports {
            let span = case.program().function(report.function()).span;
            for goal in &mut report.suite.goals {
                let rests = match &goal.verdict {
                    Verdict::InfeasibleWithin { bounds } => {
                        bounds.contains(&Assumption::VolatilesKeepValues)
                    }
                    Verdict::Covered { .. }
                    | Verdict::Infeasible(_)
                    | Verdict::Violated { .. }
                    | Verdict::Holds(_)
                    | Verdict::HoldsWithin { .. }
                    | Verdict::Unknown(_) => false,
                };
                if rests {
                    let what =
                        "a volatile object that changes between two accesses, which tests set once"
                            .to_owned();
                    goal.verdict = Verdict::Unknown(UnknownReason::Unsupported { what, span });
                }
            }
        }
    }
}
