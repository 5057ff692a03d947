//! Decision coverage: every decision has both outcomes, every case of a switch is taken.

use glassbox_ir::Terminator;

use super::{Criterion, Goals, outcome_name};
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct Decision;

impl Criterion for Decision {
    fn name(&self) -> &'static str {
        "decision"
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        for (id, decision) in goals.decisions() {
            for outcome in [true, false] {
                let label = outcome_name(outcome);
                let text = format!("the decision is {label}");
                goals.add(decision.span, label, text, Target::Outcome { decision: id, outcome });
            }
        }
        let body = goals.body();
        for block in body.block_ids() {
            if let Terminator::Switch { cases, .. } = &body.block(block).terminator {
                for (edge, case) in (0u32..).zip(cases) {
                    let text = "the case is taken".to_owned();
                    goals.add(case.span, "case", text, Target::Edge { block, edge });
                }
                let edge = u32::try_from(cases.len()).unwrap_or(u32::MAX);
                let span = body.block(block).terminator_span;
                let text = "no case is taken".to_owned();
                goals.add(span, "default", text, Target::Edge { block, edge });
            }
        }
    }
}
