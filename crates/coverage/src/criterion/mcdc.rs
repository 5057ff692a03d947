//! MC/DC: every condition of every decision is shown to affect the outcome by itself.
//!
//! All decisions count: those of `if` and loops, `return a && b`, arguments `f(a && b)`, and decisions of
//! one condition, for which the criterion is both outcomes.

use super::{Criterion, Goals};
use crate::goal::{McdcFlavor, Target};

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

    fn add_goals(&self, goals: &mut Goals<'_>) {
        for (id, decision) in goals.decisions() {
            for (position, condition) in (0u16..).zip(&decision.conditions) {
                let target =
                    Target::Independence { decision: id, condition: position, flavor: self.flavor };
                let flavor = self.flavor.name();
                let text =
                    format!("{} alone changes the decision ({flavor} MC/DC)", condition.text);
                goals.add(condition.span, "independent", text, target);
            }
        }
        goals.add_entry();
    }
}
