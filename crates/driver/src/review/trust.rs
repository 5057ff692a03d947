//! Proofs about a function that the real program contradicts: what the search believes of it is wrong somewhere,
//! so nothing that only the search says is kept. It is a defect of ours: the note says how to show it.

use glassbox_testcase::{UnknownReason, Verdict};

use super::Reviewer;
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::plan::Plan;

pub(super) struct Trust;

impl Reviewer for Trust {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
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
            let name = &case.program().function(report.function()).name;
            report.notes.push(reproduction(case.plan, name));
        }
    }
}

/// How to show a defect of ours: what was read, and the command.
fn reproduction(plan: &Plan, function: &str) -> String {
    let files = plan.intake.paths.iter().map(|path| path.display().to_string());
    let files: Vec<String> = files.collect();
    let command = plan.environment.command.join(" ");
    format!(
        "Glassbox is wrong about `{function}`: please report this, with {} and what `{command}` prints",
        files.join(", ")
    )
}
