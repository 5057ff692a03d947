//! Which instruction computes an operator of terms, and how many arguments each reads.
//!
//! Operators without an instruction on their sorts become `Code::General`, which `tape` runs by
//! `terms::eval::apply`: slower, never wrong.

use glassbox_terms::{BoolOp, BvOp, FpOp, Op, Sort};
use glassbox_values::{Float, Format, RoundingMode, Signedness};

use crate::native::Code;

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// The number of argument registers that an instruction for `op` reads. Connectives are cut into
/// instructions of two arguments.
pub(crate) fn n_args(op: Op) -> usize {
    op.n_args().unwrap_or(2)
}

/// The instruction for an operator on narrow sorts, if there is one, and its width.
pub(crate) fn native_code(op: Op, sort: Sort, arg_sorts: &[Sort]) -> Option<(Code, u8)> {
    let width = match arg_sorts.first().copied().unwrap_or(sort) {
        Sort::Bv(width) => width,
        Sort::Float(format) => format.width(),
        Sort::Bool | Sort::Array { .. } => 1,
    };
    let code = match op {
        Op::Bool(BoolOp::Not) => Code::Not,
        Op::Bool(BoolOp::Xor) => Code::Xor,
        Op::Eq => Code::Same,
        Op::Ite => Code::Ite,
        Op::Bv(op) => return native_vector_code(op, width, arg_sorts),
        Op::Fp(op @ FpOp::ToInt { width, .. }) => {
            return Some((native_float_code(op, arg_sorts)?, width));
        }
        Op::Fp(op) => native_float_code(op, arg_sorts)?,
        // Whatever has no instruction is run by `eval::apply`: slower, never wrong.
        Op::Var(_)
        | Op::True
        | Op::False
        | Op::BvConst(_)
        | Op::FloatConst(_)
        | Op::Bool(BoolOp::And | BoolOp::Or)
        | Op::Array(_) => return None,
    };
    Some((code, width))
}

/// The instruction for an operator on vectors of `width` bits, and the width it works on.
fn native_vector_code(op: BvOp, width: u8, arg_sorts: &[Sort]) -> Option<(Code, u8)> {
    let code = match op {
        BvOp::Neg => Code::Neg,
        BvOp::Not => Code::BitNot,
        BvOp::Add => Code::Add,
        BvOp::Sub => Code::Sub,
        BvOp::Mul => Code::Mul,
        BvOp::Udiv => Code::UnsignedDiv,
        BvOp::Urem => Code::UnsignedRem,
        BvOp::Sdiv => Code::SignedDiv,
        BvOp::Srem => Code::SignedRem,
        BvOp::And => Code::BitAnd,
        BvOp::Or => Code::BitOr,
        BvOp::Xor => Code::BitXor,
        BvOp::Shl => Code::ShiftLeft,
        BvOp::Lshr => Code::ShiftRight,
        BvOp::Ashr => Code::ShiftRightSigned,
        BvOp::Ult => Code::UnsignedLess,
        BvOp::Ule => Code::UnsignedLessOrEqual,
        BvOp::Slt => Code::SignedLess,
        BvOp::Sle => Code::SignedLessOrEqual,
        BvOp::Concat => match arg_sorts {
            [_, Sort::Bv(low_width)] => Code::Concat { low_width: *low_width },
            _ => return None,
        },
        BvOp::Extract { hi, lo } => return Some((Code::Extract { low: lo }, hi - lo + 1)),
        BvOp::ZeroExtend { .. } => Code::ZeroExtend,
        BvOp::SignExtend { width: to } => return Some((Code::SignExtend { from: width }, to)),
        BvOp::Smod
        | BvOp::AddOverflow(_)
        | BvOp::SubOverflow(_)
        | BvOp::MulOverflow(_)
        | BvOp::NegOverflow => return None,
    };
    Some((code, width))
}

/// The instruction for an operator on floats: what a machine computes with its own rounding.
fn native_float_code(op: FpOp, arg_sorts: &[Sort]) -> Option<Code> {
    let from = match arg_sorts.first() {
        Some(&Sort::Float(format)) => Some(format),
        Some(Sort::Bool | Sort::Bv(_) | Sort::Array { .. }) | None => None,
    };
    let on = |single: Code, double: Code| match from {
        Some(Format::F32) => Some(single),
        Some(Format::F64) => Some(double),
        Some(_) | None => None,
    };
    let infinity =
        || from.map(|format| Float::infinity(glassbox_values::Sign::Positive, format).to_bits());
    match op {
        FpOp::Add(NEAREST) => on(Code::SingleAdd, Code::DoubleAdd),
        FpOp::Sub(NEAREST) => on(Code::SingleSub, Code::DoubleSub),
        FpOp::Mul(NEAREST) => on(Code::SingleMul, Code::DoubleMul),
        FpOp::Div(NEAREST) => on(Code::SingleDiv, Code::DoubleDiv),
        FpOp::Sqrt(NEAREST) => on(Code::SingleSqrt, Code::DoubleSqrt),
        FpOp::Eq => on(Code::SingleEqual, Code::DoubleEqual),
        FpOp::Lt => on(Code::SingleLess, Code::DoubleLess),
        FpOp::Le => on(Code::SingleLessOrEqual, Code::DoubleLessOrEqual),
        FpOp::Neg => infinity().map(|infinity| Code::FloatNeg { infinity }),
        FpOp::Abs => infinity().map(|infinity| Code::FloatAbs { infinity }),
        FpOp::ToFp { format: Format::F64, .. } if from == Some(Format::F32) => {
            Some(Code::SingleToDouble)
        }
        FpOp::ToFp { format: Format::F32, rounding: NEAREST } if from == Some(Format::F64) => {
            Some(Code::DoubleToSingle)
        }
        FpOp::FromInt { format: Format::F64, rounding: NEAREST, signedness } => {
            Some(match signedness {
                Signedness::Signed => Code::SignedToDouble,
                Signedness::Unsigned => Code::UnsignedToDouble,
            })
        }
        FpOp::FromInt { format: Format::F32, rounding: NEAREST, signedness } => {
            Some(match signedness {
                Signedness::Signed => Code::SignedToSingle,
                Signedness::Unsigned => Code::UnsignedToSingle,
            })
        }
        FpOp::ToInt {
            rounding: RoundingMode::TowardZero, signedness: Signedness::Signed, ..
        } => on(Code::SingleToSigned, Code::DoubleToSigned),
        FpOp::Add(_)
        | FpOp::Sub(_)
        | FpOp::Mul(_)
        | FpOp::Div(_)
        | FpOp::Fma(_)
        | FpOp::Sqrt(_)
        | FpOp::Rem
        | FpOp::Fmod
        | FpOp::RoundToIntegral(_)
        | FpOp::Min
        | FpOp::Max
        | FpOp::IsNormal
        | FpOp::IsSubnormal
        | FpOp::IsZero
        | FpOp::IsInfinite
        | FpOp::IsNan
        | FpOp::IsNegative
        | FpOp::IsPositive
        | FpOp::ToFp { .. }
        | FpOp::FromBits(_)
        | FpOp::FromInt { .. }
        | FpOp::ToInt { .. }
        | FpOp::ToBits => None,
    }
}
