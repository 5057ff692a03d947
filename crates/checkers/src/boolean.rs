//! Connectives and the conditional, by cases.

use glassbox_terms::{BoolOp, Op, Value};

/// Whether `result = op(operands)` for an operator whose first operand is a boolean.
pub fn holds(op: Op, operands: &[Value], result: &Value) -> Option<bool> {
    if let (Op::Ite, [Value::Bool(condition), then, otherwise]) = (op, operands) {
        return Some(result == if *condition { then } else { otherwise });
    }
    let truths: Vec<bool> = operands.iter().map(Value::as_bool).collect::<Option<_>>()?;
    let result = result.as_bool()?;
    let expected = match (op, truths.as_slice()) {
        (Op::Bool(BoolOp::Not), [x]) => !x,
        (Op::Bool(BoolOp::And), all) => !all.contains(&false),
        (Op::Bool(BoolOp::Or), all) => all.contains(&true),
        (Op::Bool(BoolOp::Xor), [x, y]) => x != y,
        (Op::Eq, [x, y]) => x == y,
        _ => return None,
    };
    Some(result == expected)
}
