//! Float operators on values.

use glassbox_values::{Bits, Float};

use crate::op::FpOp;
use crate::value::Value;

/// The value of an operator on floats. A conversion to an integer that does not fit gives zero.
pub(super) fn apply<'v>(op: FpOp, arg: impl Fn(usize) -> &'v Value) -> Value {
    let float = |position: usize| arg(position).as_float().expect("a float argument");
    let bits = || arg(0).as_bits().expect("a bit-vector argument");
    match op {
        FpOp::Add(rounding) => Value::Float(float(0).add(float(1), rounding)),
        FpOp::Sub(rounding) => Value::Float(float(0).sub(float(1), rounding)),
        FpOp::Mul(rounding) => Value::Float(float(0).mul(float(1), rounding)),
        FpOp::Div(rounding) => Value::Float(float(0).div(float(1), rounding)),
        FpOp::Fma(rounding) => Value::Float(float(0).fma(float(1), float(2), rounding)),
        FpOp::Sqrt(rounding) => Value::Float(float(0).sqrt(rounding)),
        FpOp::Rem => Value::Float(float(0).remainder(float(1))),
        FpOp::Fmod => Value::Float(float(0).fmod(float(1))),
        FpOp::RoundToIntegral(rounding) => Value::Float(float(0).round_to_integral(rounding)),
        FpOp::Min => Value::Float(float(0).min(float(1))),
        FpOp::Max => Value::Float(float(0).max(float(1))),
        FpOp::Abs => Value::Float(float(0).abs()),
        FpOp::Neg => Value::Float(float(0).neg()),
        FpOp::Eq => Value::Bool(float(0).ieee_eq(float(1))),
        FpOp::Lt => Value::Bool(float(0).ieee_lt(float(1))),
        FpOp::Le => Value::Bool(float(0).ieee_le(float(1))),
        FpOp::IsNormal => Value::Bool(float(0).is_normal()),
        FpOp::IsSubnormal => Value::Bool(float(0).is_subnormal()),
        FpOp::IsZero => Value::Bool(float(0).is_zero()),
        FpOp::IsInfinite => Value::Bool(float(0).is_infinite()),
        FpOp::IsNan => Value::Bool(float(0).is_nan()),
        FpOp::IsNegative => Value::Bool(float(0).is_negative()),
        FpOp::IsPositive => Value::Bool(float(0).is_positive()),
        FpOp::ToFp { format, rounding } => Value::Float(float(0).convert(format, rounding)),
        FpOp::FromBits(format) => Value::Float(Float::from_encoding(bits(), format)),
        FpOp::FromInt { format, rounding, signedness } => {
            Value::Float(Float::from_int(bits(), signedness, format, rounding))
        }
        FpOp::ToInt { width, rounding, signedness } => {
            let fitting = float(0).to_int(rounding, width, signedness);
            Value::Bv(fitting.unwrap_or(Bits::zero(width)))
        }
        FpOp::ToBits => Value::Bv(float(0).to_encoding()),
    }
}
