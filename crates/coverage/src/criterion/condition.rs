//! Condition coverage: every condition of every decision has both values.

use super::{Criterion, Goals, outcome_name};
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct Condition;

impl Criterion for Condition {
    fn name(&self) -> &'static str {
        "condition"
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        for (id, decision) in goals.decisions() {
            for (position, condition) in (0u16..).zip(&decision.conditions) {
                for value in [true, false] {
                    let label = outcome_name(value);
                    let target = Target::Condition { decision: id, condition: position, value };
                    let text = format!("{} is {label}", condition.text);
                    goals.add(condition.span, label, text, target);
                }
            }
        }
    }
}
