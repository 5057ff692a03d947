//! Assertions: every `assert` can fail. A goal that is infeasible here is a property that holds.

use glassbox_ir::{Check, CheckKind, FuncId, InstrKind, Program};

use super::{Criterion, Goals};
use crate::facts::Site;
use crate::goal::{Goal, Target};

#[derive(Debug, Clone, Copy)]
pub(super) struct Assertion;

impl Criterion for Assertion {
    fn name(&self) -> &'static str {
        "assert"
    }

    fn goals(&self, program: &Program, function: FuncId) -> Vec<Goal> {
        let mut goals = Goals::new(self.name(), program, function);
        let body = goals.body();
        for block in body.block_ids() {
            for (instr, kind) in (0u32..).zip(&body.block(block).instrs) {
                if let InstrKind::Check(Check::Condition { kind: CheckKind::Assertion, .. }) =
                    kind.kind
                {
                    let text = "the assertion fails".to_owned();
                    let target = Target::CheckFails(Site { block, instr });
                    goals.add(kind.span, "fails", text, target);
                }
            }
        }
        goals.finish()
    }
}
