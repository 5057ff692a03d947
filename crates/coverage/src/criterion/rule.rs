//! Rules of a specification: each applies, pairs that patterns do not keep apart both apply, none applies. Front-ends
//! of specifications make a decision of each; what only a false one would show is no goal.

use glassbox_ir::{DecisionKind, Terminator};

use super::{Criterion, Goals};
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct Rule;

impl Criterion for Rule {
    fn name(&self) -> &'static str {
        "rule"
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        let body = goals.body();
        for block in body.block_ids() {
            let Terminator::Branch { origin: Some(origin), .. } = &body.block(block).terminator
            else {
                continue;
            };
            let decision = &body.decisions[origin.decision.index()];
            if decision.kind != DecisionKind::If {
                continue;
            }
            let condition = &decision.conditions[usize::from(origin.condition)];
            let edge = u32::from(!origin.is_positive);
            let text = condition.text.clone();
            goals.add(condition.span, "true", text, Target::Edge { block, edge });
        }
        goals.add_entry();
    }
}
