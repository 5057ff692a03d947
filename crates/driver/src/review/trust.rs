//! Proofs about a function that the real program contradicts: what the search believes of it is wrong somewhere,
//! so nothing that only the search says is kept.

use glassbox_testcase::{UnknownReason, Verdict};

use super::Reviewer;
use crate::drive::Case;
use crate::function_report::FunctionReport;

pub(super) struct Trust;

impl Reviewer for Trust {
    fn review(&self, _case: &Case<'_>, reports: &mut [FunctionReport]) {
        for report in reports {
            let Some(seen) = &report.contradiction else { continue };
            let reason = UnknownReason::Disagreement(format!("no proof is trusted here: {seen}"));
            let mut n_proofs = 0;
            for result in report.suite.goals.iter_mut().filter(|goal| goal.verdict.is_proof()) {
                n_proofs += 1;
                result.verdict = Verdict::Unknown(reason.clone());
            }
            if n_proofs > 0 {
                report.notes.push(format!("{n_proofs} proofs are not trusted: {seen}"));
            }
        }
    }
}
