//! The value of one operator on argument values.

use std::sync::Arc;

use super::{bitvec, float};
use crate::op::{ArrayOp, BoolOp, Op};
use crate::value::{ArrayValue, Value};

/// The value of `op` when argument `i` of `n_args` has the value `arg(i)`. The sorts must fit, and
/// `op` is not a variable.
pub fn apply<'v>(op: Op, n_args: usize, arg: impl Fn(usize) -> &'v Value) -> Value {
    let truth = |position: usize| arg(position).as_bool().expect("a boolean argument");
    match op {
        Op::Var(_) => panic!("a variable has its value from a model"),
        Op::True => Value::Bool(true),
        Op::False => Value::Bool(false),
        Op::BvConst(bits) => Value::Bv(bits),
        Op::FloatConst(float) => Value::Float(float),
        Op::Bool(BoolOp::Not) => Value::Bool(!truth(0)),
        Op::Bool(BoolOp::And) => Value::Bool((0..n_args).all(truth)),
        Op::Bool(BoolOp::Or) => Value::Bool((0..n_args).any(truth)),
        Op::Bool(BoolOp::Xor) => Value::Bool(truth(0) != truth(1)),
        Op::Eq => Value::Bool(arg(0) == arg(1)),
        Op::Ite => if truth(0) { arg(1) } else { arg(2) }.clone(),
        Op::Bv(op) => {
            bitvec::apply(op, |position| arg(position).as_bits().expect("a bit-vector argument"))
        }
        Op::Fp(op) => float::apply(op, arg),
        Op::Array(ArrayOp::Select) => {
            array(arg(0)).select(arg(1).as_bits().expect("an index")).clone()
        }
        Op::Array(ArrayOp::Store) => Value::Array(Arc::new(
            array(arg(0)).store(arg(1).as_bits().expect("an index"), arg(2).clone()),
        )),
        Op::Array(ArrayOp::Const { index, element }) => {
            Value::Array(Arc::new(ArrayValue::constant(index, element, arg(0).clone())))
        }
    }
}

fn array(value: &Value) -> &ArrayValue {
    match value {
        Value::Array(array) => array,
        Value::Bool(_) | Value::Bv(_) | Value::Float(_) => panic!("an array argument"),
    }
}
