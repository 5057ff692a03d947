//! Condition coverage: every condition of every decision has both values.

use glassbox_ir::{DecisionId, DecisionKind, FuncId, Program};

use super::{Criterion, Goals, outcome_name};
use crate::goal::{Goal, Target};

#[derive(Debug, Clone, Copy)]
pub(super) struct Condition;

impl Criterion for Condition {
    fn name(&self) -> &'static str {
        "condition"
    }

    fn goals(&self, program: &Program, function: FuncId) -> Vec<Goal> {
        let mut goals = Goals::new(self.name(), program, function);
        let body = goals.body();
        for (index, decision) in body.decisions.iter().enumerate() {
            if decision.kind == DecisionKind::Throws {
                continue;
            }
            for (position, condition) in (0u16..).zip(&decision.conditions) {
                for value in [true, false] {
                    let label = outcome_name(value);
                    let target = Target::Condition {
                        decision: DecisionId::new(index),
                        condition: position,
                        value,
                    };
                    let text = format!("{} is {label}", condition.text);
                    goals.add(condition.span, label, text, target);
                }
            }
        }
        goals.finish()
    }
}
