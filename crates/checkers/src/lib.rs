//! Naive truth of every relation: independent evidence for propagators and explanations.
//!
//! `holds(op, operands, result)` says whether `result = op(operands)`, written from the definitions
//! of SMT-LIB (exact integers, loops over bits) and sharing no code with the kernel, the propagators
//! or the evaluator. Slow and obvious on purpose. `explanation` checks single deductions by
//! enumeration; `float` has the relations over floats.

mod bit;
pub mod explanation;
mod float;
mod int;
mod overflow;
mod vector;

use glassbox_terms::{BoolOp, Op, Value};
use glassbox_values::Bits;

/// Whether `result = op(operands)`; `None` for operators that are not checked here (arrays as values,
/// leaves) and for operands of the wrong sort or number.
pub fn holds(op: Op, operands: &[Value], result: &Value) -> Option<bool> {
    if op.n_args().is_some_and(|n_args| n_args != operands.len()) {
        return None;
    }
    match op {
        Op::Bool(op) => connective_holds(op, operands, result),
        Op::Eq => Some(result.as_bool()? == is_same(&operands[0], &operands[1])?),
        Op::Ite => {
            let chosen = if operands[0].as_bool()? { &operands[1] } else { &operands[2] };
            Some(result == chosen)
        }
        Op::Bv(op) => vector::holds(op, operands, result),
        Op::Fp(op) => float::holds(op, operands, result),
        Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => None,
        Op::Array(_) => None,
    }
}

fn connective_holds(op: BoolOp, operands: &[Value], result: &Value) -> Option<bool> {
    let truths: Vec<bool> = operands.iter().map(Value::as_bool).collect::<Option<_>>()?;
    let expected = match op {
        BoolOp::Not => !truths[0],
        BoolOp::And => !truths.contains(&false),
        BoolOp::Or => truths.contains(&true),
        BoolOp::Xor => truths[0] != truths[1],
    };
    Some(result.as_bool()? == expected)
}

fn is_same(x: &Value, y: &Value) -> Option<bool> {
    match (x, y) {
        (Value::Bool(x), Value::Bool(y)) => Some(x == y),
        (Value::Bv(x), Value::Bv(y)) => Some(x.unsigned() == y.unsigned()),
        (Value::Float(x), Value::Float(y)) => Some(float::is_same(*x, *y)),
        (Value::Bool(_) | Value::Bv(_) | Value::Float(_) | Value::Array(_), _) => None,
    }
}

/// Bit `position` of a vector, 0 lowest.
fn bit_at(bits: Bits, position: u8) -> bool {
    bits.unsigned() >> position & 1 == 1
}
