//! Constant folding, also into the branches of a choice between constants.
//!
//! `op(ite(c, k1, k2), k)` becomes `ite(c, op(k1, k), op(k2, k))`: one operator less. This is what
//! makes a condition out of `(c ? 1 : 0) != 0`, which is how C and the JVM write conditions.

use crate::eval::apply;
use crate::intern::{TermId, Terms};
use crate::op::Op;
use crate::value::Value;

/// `op(a)` when `a` is a constant or a choice between two.
pub(super) fn unary(terms: &mut Terms, op: Op, a: TermId) -> Option<TermId> {
    if let Some(value) = terms.as_value(a) {
        let folded = apply(op, 1, |_| &value);
        return Some(terms.constant(&folded));
    }
    let (condition, then, otherwise) = constant_choice(terms, a)?;
    let then = terms.constant(&apply(op, 1, |_| &then));
    let otherwise = terms.constant(&apply(op, 1, |_| &otherwise));
    Some(terms.ite(condition, then, otherwise))
}

/// `op(a, b)` when both are constants, or one is and the other a choice between two constants, or
/// both are choices between constants under one condition.
pub(super) fn binary(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    match (terms.is_const(a), terms.is_const(b)) {
        (true, true) => {
            let folded = binary_value(op, &terms.as_value(a)?, &terms.as_value(b)?);
            Some(terms.constant(&folded))
        }
        (false, true) => {
            let (condition, then, otherwise) = constant_choice(terms, a)?;
            let b = terms.as_value(b)?;
            let (then, otherwise) = (binary_value(op, &then, &b), binary_value(op, &otherwise, &b));
            choose(terms, condition, &then, &otherwise)
        }
        (true, false) => {
            let (condition, then, otherwise) = constant_choice(terms, b)?;
            let a = terms.as_value(a)?;
            let (then, otherwise) = (binary_value(op, &a, &then), binary_value(op, &a, &otherwise));
            choose(terms, condition, &then, &otherwise)
        }
        (false, false) => {
            if terms.op(a) != Op::Ite || terms.op(b) != Op::Ite {
                return None;
            }
            let (condition, then_a, otherwise_a) = constant_choice(terms, a)?;
            let (condition_b, then_b, otherwise_b) = constant_choice(terms, b)?;
            if condition != condition_b {
                return None;
            }
            let then = binary_value(op, &then_a, &then_b);
            let otherwise = binary_value(op, &otherwise_a, &otherwise_b);
            choose(terms, condition, &then, &otherwise)
        }
    }
}

fn binary_value(op: Op, a: &Value, b: &Value) -> Value {
    apply(op, 2, |position| if position == 0 { a } else { b })
}

#[expect(clippy::unnecessary_wraps, reason = "the arms of `binary` read better")]
fn choose(terms: &mut Terms, condition: TermId, then: &Value, otherwise: &Value) -> Option<TermId> {
    let then = terms.constant(then);
    let otherwise = terms.constant(otherwise);
    Some(terms.ite(condition, then, otherwise))
}

/// The parts of `ite(c, k1, k2)`.
fn constant_choice(terms: &Terms, term: TermId) -> Option<(TermId, Value, Value)> {
    let (condition, then, otherwise) = terms.as_ite(term)?;
    Some((condition, terms.as_value(then)?, terms.as_value(otherwise)?))
}
