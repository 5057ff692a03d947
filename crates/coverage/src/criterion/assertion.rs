//! Assertions: every `assert` can fail. A goal that is infeasible here is a property that holds.

use glassbox_ir::{Check, CheckKind, InstrKind};

use super::{Criterion, Goals};
use crate::facts::Site;
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct Assertion;

impl Criterion for Assertion {
    fn name(&self) -> &'static str {
        "assert"
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        let body = goals.body();
        for (site, instr) in Site::all(body) {
            if let InstrKind::Check(Check::Condition { kind: CheckKind::Assertion, .. }) =
                instr.kind
            {
                let text = "the assertion fails".to_owned();
                let target = Target::CheckFails(site);
                goals.add(instr.span, "fails", text, target);
            }
        }
    }
}
