//! Float operators on values.

use glassbox_values::{Bits, Float};

use crate::op::Op;
use crate::value::Value;

/// `op`, an operator on floats, on float arguments. A conversion to an integer that does not fit
/// gives zero.
pub(super) fn apply(op: Op, arg: impl Fn(usize) -> Float) -> Value {
    let a = arg(0);
    if let Some(float) = arithmetic(op, a, &arg) {
        return Value::Float(float);
    }
    let truth = match op {
        Op::FpEq => a.ieee_eq(arg(1)),
        Op::FpLt => a.ieee_lt(arg(1)),
        Op::FpLe => a.ieee_le(arg(1)),
        Op::FpIsNormal => a.is_normal(),
        Op::FpIsSubnormal => a.is_subnormal(),
        Op::FpIsZero => a.is_zero(),
        Op::FpIsInfinite => a.is_infinite(),
        Op::FpIsNan => a.is_nan(),
        Op::FpIsNegative => a.is_negative(),
        Op::FpIsPositive => a.is_positive(),
        Op::FpToInt { width, rounding, signedness } => {
            let bits = a.to_int(rounding, width, signedness);
            return Value::Bv(bits.unwrap_or(Bits::zero(width)));
        }
        Op::FpToBits => return Value::Bv(a.to_encoding()),
        _ => unreachable!("{op:?} is not an operator on floats"),
    };
    Value::Bool(truth)
}

fn arithmetic(op: Op, a: Float, arg: &impl Fn(usize) -> Float) -> Option<Float> {
    let float = match op {
        Op::FpAdd(rounding) => a.add(arg(1), rounding),
        Op::FpSub(rounding) => a.sub(arg(1), rounding),
        Op::FpMul(rounding) => a.mul(arg(1), rounding),
        Op::FpDiv(rounding) => a.div(arg(1), rounding),
        Op::FpFma(rounding) => a.fma(arg(1), arg(2), rounding),
        Op::FpSqrt(rounding) => a.sqrt(rounding),
        Op::FpRem => a.remainder(arg(1)),
        Op::FpFmod => a.fmod(arg(1)),
        Op::FpRoundToIntegral(rounding) => a.round_to_integral(rounding),
        Op::FpMin => a.min(arg(1)),
        Op::FpMax => a.max(arg(1)),
        Op::FpAbs => a.abs(),
        Op::FpNeg => a.neg(),
        Op::FpToFp { format, rounding } => a.convert(format, rounding),
        _ => return None,
    };
    Some(float)
}

/// `op`, an operator from bit-vectors to floats.
pub(super) fn apply_to_bits(op: Op, bits: Bits) -> Value {
    let float = match op {
        Op::FpFromBits(format) => Float::from_encoding(bits, format),
        Op::FpFromInt { format, rounding, signedness } => {
            Float::from_int(bits, signedness, format, rounding)
        }
        _ => unreachable!("{op:?} does not make a float of a bit-vector"),
    };
    Value::Float(float)
}
