//! Instruction coverage: every instruction of the bytecode is executed.
//!
//! An instruction that throws by itself counts as executed. Functions of C have none: their goals are those
//! of `statement`.

use glassbox_ir::{FuncId, InstrKind, Mark, Program};

use super::{Criterion, Goals};
use crate::facts::Site;
use crate::goal::{Goal, Target};

#[derive(Debug, Clone, Copy)]
pub(super) struct Instruction;

impl Criterion for Instruction {
    fn name(&self) -> &'static str {
        "instruction"
    }

    fn goals(&self, program: &Program, function: FuncId) -> Vec<Goal> {
        let mut goals = Goals::new(self.name(), program, function);
        let body = goals.body();
        for block in body.block_ids() {
            for (instr, kind) in (0u32..).zip(&body.block(block).instrs) {
                if matches!(kind.kind, InstrKind::Mark(Mark::Instruction)) {
                    let offset = kind.span.column.saturating_sub(1);
                    let text = format!("the instruction at offset {offset} is executed");
                    goals.add(kind.span, "executed", text, Target::Site(Site { block, instr }));
                }
            }
        }
        goals.finish()
    }
}
