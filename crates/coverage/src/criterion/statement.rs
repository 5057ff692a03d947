//! Statement coverage: every statement of the source is executed.

use glassbox_ir::{FuncId, InstrKind, Mark, Program};

use super::{Criterion, Goals};
use crate::facts::Site;
use crate::goal::{Goal, Target};

#[derive(Debug, Clone, Copy)]
pub(super) struct Statement;

impl Criterion for Statement {
    fn name(&self) -> &'static str {
        "statement"
    }

    fn goals(&self, program: &Program, function: FuncId) -> Vec<Goal> {
        let mut goals = Goals::new(self.name(), program, function);
        let body = goals.body();
        for block in body.block_ids() {
            for (instr, kind) in (0u32..).zip(&body.block(block).instrs) {
                if matches!(kind.kind, InstrKind::Mark(Mark::Statement)) && !kind.span.is_nowhere()
                {
                    let text = "the statement is executed".to_owned();
                    goals.add(kind.span, "executed", text, Target::Site(Site { block, instr }));
                }
            }
        }
        goals.finish()
    }
}
