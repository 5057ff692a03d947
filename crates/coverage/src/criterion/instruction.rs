//! Instruction coverage: every instruction of the bytecode is executed.
//!
//! An instruction that throws by itself counts as executed. Functions of C have none: their goals are those
//! of `statement`.

use glassbox_ir::{InstrKind, Mark};

use super::{Criterion, Goals};
use crate::facts::Site;
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct Instruction;

impl Criterion for Instruction {
    fn name(&self) -> &'static str {
        "instruction"
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        let body = goals.body();
        for (site, instr) in Site::all(body) {
            if matches!(instr.kind, InstrKind::Mark(Mark::Instruction)) {
                let offset = instr.span.column.saturating_sub(1);
                let text = format!("the instruction at offset {offset} is executed");
                goals.add(instr.span, "executed", text, Target::Site(site));
            }
        }
    }
}
