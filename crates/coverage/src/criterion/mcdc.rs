//! MC/DC: every condition of every decision is shown to affect the outcome by itself.
//!
//! All decisions count: those of `if` and loops, `return a && b`, arguments `f(a && b)`, and decisions of
//! one condition, for which the criterion is both outcomes.

use glassbox_ir::{DecisionId, DecisionKind, FuncId, Program};

use super::{Criterion, Goals};
use crate::goal::{Goal, McdcFlavor, Target};

#[derive(Debug, Clone, Copy)]
pub(super) struct Mcdc {
    pub(super) flavor: McdcFlavor,
}

impl Criterion for Mcdc {
    fn name(&self) -> &'static str {
        match self.flavor {
            McdcFlavor::Masking => "mcdc",
            McdcFlavor::UniqueCause => "mcdc:unique-cause",
        }
    }

    fn goals(&self, program: &Program, function: FuncId) -> Vec<Goal> {
        let mut goals = Goals::new(self.name(), program, function);
        let body = goals.body();
        for (index, decision) in body.decisions.iter().enumerate() {
            if decision.kind == DecisionKind::Throws {
                continue;
            }
            for (position, condition) in (0u16..).zip(&decision.conditions) {
                let target = Target::Independence {
                    decision: DecisionId::new(index),
                    condition: position,
                    flavor: self.flavor,
                };
                let flavor = self.flavor.name();
                let text =
                    format!("{} alone changes the decision ({flavor} MC/DC)", condition.text);
                goals.add(condition.span, "independent", text, target);
            }
        }
        goals.finish()
    }
}
