//! Exception coverage: every instruction that can throw by itself does.
//!
//! Null dereferences, indices out of bounds, divisions by zero, failing casts and the like, as the JVM
//! checks for them. Not goals: `throw` statements (statements of their own) and what callees throw.

use glassbox_ir::{DecisionKind, Terminator};

use super::{Criterion, Goals};
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct Exception;

impl Criterion for Exception {
    fn name(&self) -> &'static str {
        "exception"
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
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
    }
}
