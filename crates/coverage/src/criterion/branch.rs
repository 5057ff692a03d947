//! Branch coverage: every condition goes both ways, every case of a switch is taken.
//!
//! As gcov counts: each short-circuit operand is a branch of its own. Calls, loops without a source
//! condition and compiler-made branches are not goals. A function without any of these is to be called.

use glassbox_ir::{DecisionKind, Terminator};
use glassbox_values::Signedness;

use super::{Criterion, Goals, outcome_name};
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct Branch;

impl Criterion for Branch {
    fn name(&self) -> &'static str {
        "branch"
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        let body = goals.body();
        for block in body.block_ids() {
            match &body.block(block).terminator {
                Terminator::Branch { origin: Some(origin), .. } => {
                    let decision = &body.decisions[origin.decision.index()];
                    if decision.kind == DecisionKind::Throws {
                        continue;
                    }
                    let condition = &decision.conditions[usize::from(origin.condition)];
                    for value in [true, false] {
                        let edge = u32::from(value != origin.is_positive);
                        let label = outcome_name(value);
                        let text = format!("{} is {label}", condition.text);
                        goals.add(condition.span, label, text, Target::Edge { block, edge });
                    }
                }
                Terminator::Switch { cases, .. } => {
                    let switch_span = body.block(block).terminator_span;
                    for (edge, case) in (0u32..).zip(cases) {
                        let label = format!("case {}", case.low.to_decimal(Signedness::Signed));
                        let text = format!("{} is taken", goals.case_text(case));
                        goals.add(case.span, &label, text, Target::Edge { block, edge });
                    }
                    let edge = u32::try_from(cases.len()).unwrap_or(u32::MAX);
                    let text = "no case is taken".to_owned();
                    goals.add(switch_span, "default", text, Target::Edge { block, edge });
                }
                Terminator::Branch { origin: None, .. }
                | Terminator::Jump(_)
                | Terminator::Return(_)
                | Terminator::Unreachable => {}
            }
        }
        goals.add_entry();
    }
}
