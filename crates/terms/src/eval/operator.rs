//! The value of one operator on argument values.

use std::sync::Arc;

use super::{bitvec, float};
use crate::op::Op;
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
        Op::Not => Value::Bool(!truth(0)),
        Op::And => Value::Bool((0..n_args).all(truth)),
        Op::Or => Value::Bool((0..n_args).any(truth)),
        Op::Xor => Value::Bool(truth(0) != truth(1)),
        Op::Eq => Value::Bool(arg(0) == arg(1)),
        Op::Ite => if truth(0) { arg(1) } else { arg(2) }.clone(),
        Op::BvNeg
        | Op::BvNot
        | Op::BvAdd
        | Op::BvSub
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvSmod
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr
        | Op::BvConcat
        | Op::BvExtract { .. }
        | Op::BvZeroExtend { .. }
        | Op::BvSignExtend { .. }
        | Op::BvUlt
        | Op::BvUle
        | Op::BvSlt
        | Op::BvSle
        | Op::BvAddOverflow(_)
        | Op::BvSubOverflow(_)
        | Op::BvMulOverflow(_)
        | Op::BvNegOverflow => {
            bitvec::apply(op, |position| arg(position).as_bits().expect("a bit-vector argument"))
        }
        Op::FpAdd(_)
        | Op::FpSub(_)
        | Op::FpMul(_)
        | Op::FpDiv(_)
        | Op::FpFma(_)
        | Op::FpSqrt(_)
        | Op::FpRem
        | Op::FpFmod
        | Op::FpRoundToIntegral(_)
        | Op::FpMin
        | Op::FpMax
        | Op::FpAbs
        | Op::FpNeg
        | Op::FpEq
        | Op::FpLt
        | Op::FpLe
        | Op::FpIsNormal
        | Op::FpIsSubnormal
        | Op::FpIsZero
        | Op::FpIsInfinite
        | Op::FpIsNan
        | Op::FpIsNegative
        | Op::FpIsPositive
        | Op::FpToFp { .. }
        | Op::FpToInt { .. }
        | Op::FpToBits => {
            float::apply(op, |position| arg(position).as_float().expect("a float argument"))
        }
        Op::FpFromBits(_) | Op::FpFromInt { .. } => {
            float::apply_to_bits(op, arg(0).as_bits().expect("a bit-vector argument"))
        }
        Op::Select => array(arg(0)).select(arg(1).as_bits().expect("an index")).clone(),
        Op::Store => Value::Array(Arc::new(
            array(arg(0)).store(arg(1).as_bits().expect("an index"), arg(2).clone()),
        )),
        Op::ConstArray { index, element } => {
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
