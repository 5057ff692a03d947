//! Exception coverage: every instruction that can throw by itself does.
//!
//! Null dereferences, indices out of bounds, divisions by zero, failing casts and the like, as the JVM
//! checks for them. Not goals: `throw` statements (statements of their own) and what callees throw.

use glassbox_ir::{DecisionKind, FuncId, Program, Terminator};

use super::{Criterion, Goals};
use crate::goal::{Goal, Target};

#[derive(Debug, Clone, Copy)]
pub(super) struct Exception;

impl Criterion for Exception {
    fn name(&self) -> &'static str {
        "exception"
    }

    fn goals(&self, program: &Program, function: FuncId) -> Vec<Goal> {
        let mut goals = Goals::new(self.name(), program, function);
        let body = goals.body();
        for block in body.block_ids() {
            let Terminator::Branch { origin: Some(origin), .. } = &body.block(block).terminator
            else {
                continue;
            };
            let decision = &body.decisions[origin.decision.index()];
            if decision.kind == DecisionKind::Throws {
                let edge = u32::from(!origin.is_positive);
                let condition = &decision.conditions[usize::from(origin.condition)];
                let text = format!("{} is thrown", condition.text);
                goals.add(condition.span, &condition.text, text, Target::Edge { block, edge });
            }
        }
        goals.finish()
    }
}
