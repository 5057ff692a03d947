//! Statement coverage: every statement of the source is executed.

use glassbox_ir::{InstrKind, Mark};

use super::{Criterion, Goals};
use crate::facts::Site;
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct Statement;

impl Criterion for Statement {
    fn name(&self) -> &'static str {
        "statement"
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        let body = goals.body();
        for (site, instr) in Site::all(body) {
            if matches!(instr.kind, InstrKind::Mark(Mark::Statement)) && !instr.span.is_nowhere() {
                let text = "the statement is executed".to_owned();
                goals.add(instr.span, "executed", text, Target::Site(site));
            }
        }
    }
}
