//! Promises of contracts as tests assert them.

use crate::assigned::Frame;
use crate::harness::guard;
use crate::quantifier::{parse, plain};
use crate::{Clause, ClauseKind, Contract};

/// What tests keep before the call, as statements, and what they assert behind it, each with its clause.
pub fn asserted<'c>(
    contract: &'c Contract,
    frame: Option<&Frame>,
) -> (Vec<String>, Vec<(&'c Clause, String)>) {
    let mut before = Vec::new();
    for (index, behavior) in contract.behaviors.iter().enumerate() {
        for (part, assumed) in behavior.assumes.iter().enumerate() {
            let text = plain(&assumed.text);
            before.push(format!("int __behavior{index}_{part} = !!({text});"));
        }
    }
    let (mut number, mut checks) = (0, Vec::new());
    for clause in &contract.clauses {
        match &clause.kind {
            ClauseKind::Ensure(text) => {
                let first = number;
                let parsed = parse(text, &mut number);
                for (kept, number) in parsed.kept.iter().zip(first..) {
                    before.push(kept.statement(number));
                }
                let text = parsed.text();
                let text = match clause.behavior {
                    None => text,
                    Some(behavior) => format!("!({}) || ({text})", guard(contract, behavior)),
                };
                checks.push((clause, text));
            }
            ClauseKind::Assigns(_) => {
                if let Some(frame) = frame {
                    before.push(frame.before.clone());
                    checks.push((clause, frame.holds.clone()));
                }
            }
            ClauseKind::Require(_)
            | ClauseKind::Range { .. }
            | ClauseKind::Length { .. }
            | ClauseKind::Separate(_) => {}
        }
    }
    (before, checks)
}
