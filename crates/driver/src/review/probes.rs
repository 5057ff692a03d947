//! Probes in the code under test, goal by goal: what they did not see reached is not covered.

use glassbox_testcase::{UnknownReason, Verdict};

use super::Reviewer;
use crate::drive::Case;
use crate::function_report::{FunctionReport, Seen};

pub(super) struct Probes;

impl Reviewer for Probes {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
        for report in reports.iter_mut().filter(|report| report.replayed.is_some()) {
            let n_covered = report.verdicts().filter(|verdict| verdict.is_covered()).count();
            let n_seen = check_goals(report);
            report.suite.confirmation = case.language.confirmation(n_seen, n_covered);
        }
    }
}

/// How many covered goals probes saw reached; `None` where there were no probes.
fn check_goals(report: &mut FunctionReport) -> Option<usize> {
    let seen = report.replayed.as_ref()?.seen.as_ref()?;
    let mut n_seen = 0;
    for (result, seen) in report.suite.goals.iter_mut().zip(seen) {
        if !result.verdict.is_covered() {
            continue;
        }
        match seen {
            Seen::Reached => n_seen += 1,
            Seen::Unseen => {}
            Seen::NotReached => {
                let message = "probes in the class under test do not see it reached".to_owned();
                report.contradiction = Some(message.clone());
                result.verdict = Verdict::Unknown(UnknownReason::Disagreement(message));
            }
        }
    }
    Some(n_seen)
}
