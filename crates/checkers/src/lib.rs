//! Naive truth of every relation: independent evidence for propagators and explanations.
//!
//! `holds(op, operands, result)` says whether `result = op(operands)`, written from the definitions
//! of SMT-LIB (exact integers, loops over bits) and sharing no code with the kernel, the propagators
//! or the evaluator. Slow and obvious on purpose. `explanation` checks single deductions by
//! enumeration; `float` has the relations over floats.

pub mod bit;
pub mod boolean;
pub mod cmp;
pub mod explanation;
pub mod float;
pub mod int;
pub mod overflow;

use glassbox_terms::{Op, Value};
use glassbox_values::Bits;

/// Whether `result = op(operands)`; `None` for operators that are not checked here (arrays as values,
/// leaves) and for operands of the wrong sort.
pub fn holds(op: Op, operands: &[Value], result: &Value) -> Option<bool> {
    match (operands, result) {
        ([Value::Bool(_), ..], _) => boolean::holds(op, operands, result),
        ([Value::Bv(x)], Value::Bv(z)) => bit::unary_holds(op, *x, *z),
        ([Value::Bv(x)], Value::Bool(b)) => overflow::unary_holds(op, *x, *b),
        ([Value::Bv(x), Value::Bv(y)], Value::Bv(z)) => {
            bit::binary_holds(op, *x, *y, *z).or_else(|| int::holds(op, *x, *y, *z))
        }
        ([Value::Bv(x), Value::Bv(y)], Value::Bool(b)) => {
            cmp::holds(op, *x, *y, *b).or_else(|| overflow::binary_holds(op, *x, *y, *b))
        }
        _ => float::holds(op, operands, result),
    }
}

/// Bit `position` of a vector, 0 lowest.
fn bit_at(bits: Bits, position: u8) -> bool {
    bits.unsigned() >> position & 1 == 1
}
