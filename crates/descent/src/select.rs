//! Which instruction computes an operator of terms, and how many arguments each reads.
//!
//! Operators without an instruction on their sorts become `Code::General`, which `tape` runs by
//! `terms::eval::apply`: slower, never wrong.

use glassbox_terms::{Op, Sort};
use glassbox_values::{Float, Format, RoundingMode, Signedness};

use crate::native::Code;

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// The number of arguments of an operator that is neither a connective nor a variable.
pub(crate) fn arity(op: Op) -> usize {
    match op {
        Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => 0,
        Op::Not
        | Op::BvNeg
        | Op::BvNot
        | Op::BvExtract { .. }
        | Op::BvZeroExtend { .. }
        | Op::BvSignExtend { .. }
        | Op::BvNegOverflow
        | Op::FpSqrt(_)
        | Op::FpRoundToIntegral(_)
        | Op::FpAbs
        | Op::FpNeg
        | Op::FpIsNormal
        | Op::FpIsSubnormal
        | Op::FpIsZero
        | Op::FpIsInfinite
        | Op::FpIsNan
        | Op::FpIsNegative
        | Op::FpIsPositive
        | Op::FpToFp { .. }
        | Op::FpFromBits(_)
        | Op::FpFromInt { .. }
        | Op::FpToInt { .. }
        | Op::FpToBits
        | Op::ConstArray { .. } => 1,
        Op::Xor
        | Op::Eq
        | Op::And
        | Op::Or
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
        | Op::BvUlt
        | Op::BvUle
        | Op::BvSlt
        | Op::BvSle
        | Op::BvAddOverflow(_)
        | Op::BvSubOverflow(_)
        | Op::BvMulOverflow(_)
        | Op::FpAdd(_)
        | Op::FpSub(_)
        | Op::FpMul(_)
        | Op::FpDiv(_)
        | Op::FpRem
        | Op::FpFmod
        | Op::FpMin
        | Op::FpMax
        | Op::FpEq
        | Op::FpLt
        | Op::FpLe
        | Op::Select => 2,
        Op::Ite | Op::FpFma(_) | Op::Store => 3,
    }
}

/// The number of argument registers that an instruction for `op` reads.
pub(crate) fn n_args(code: Code, op: Op) -> usize {
    match code {
        Code::General => arity(op),
        Code::Ite => 3,
        Code::Not
        | Code::Neg
        | Code::BitNot
        | Code::Extract { .. }
        | Code::ZeroExtend
        | Code::SignExtend { .. }
        | Code::DoubleSqrt
        | Code::SingleSqrt
        | Code::FloatNeg { .. }
        | Code::FloatAbs { .. }
        | Code::SingleToDouble
        | Code::DoubleToSingle
        | Code::SignedToDouble
        | Code::UnsignedToDouble
        | Code::SignedToSingle
        | Code::UnsignedToSingle
        | Code::DoubleToSigned
        | Code::SingleToSigned => 1,
        _ => 2,
    }
}

/// The instruction for an operator on narrow sorts, if there is one, and its width.
pub(crate) fn native_code(op: Op, sort: Sort, arg_sorts: &[Sort]) -> Option<(Code, u8)> {
    let width = match arg_sorts.first().copied().unwrap_or(sort) {
        Sort::Bv(width) => width,
        Sort::Float(format) => format.width(),
        Sort::Bool | Sort::Array { .. } => 1,
    };
    let code = match op {
        Op::Not => Code::Not,
        Op::Xor => Code::Xor,
        Op::Eq => Code::Same,
        Op::Ite => Code::Ite,
        Op::BvNeg => Code::Neg,
        Op::BvNot => Code::BitNot,
        Op::BvAdd => Code::Add,
        Op::BvSub => Code::Sub,
        Op::BvMul => Code::Mul,
        Op::BvUdiv => Code::UnsignedDiv,
        Op::BvUrem => Code::UnsignedRem,
        Op::BvSdiv => Code::SignedDiv,
        Op::BvSrem => Code::SignedRem,
        Op::BvAnd => Code::BitAnd,
        Op::BvOr => Code::BitOr,
        Op::BvXor => Code::BitXor,
        Op::BvShl => Code::ShiftLeft,
        Op::BvLshr => Code::ShiftRight,
        Op::BvAshr => Code::ShiftRightSigned,
        Op::BvUlt => Code::UnsignedLess,
        Op::BvUle => Code::UnsignedLessOrEqual,
        Op::BvSlt => Code::SignedLess,
        Op::BvSle => Code::SignedLessOrEqual,
        Op::BvConcat => match arg_sorts {
            [_, Sort::Bv(low_width)] => Code::Concat { low_width: *low_width },
            _ => return None,
        },
        Op::BvExtract { hi, lo } => return Some((Code::Extract { low: lo }, hi - lo + 1)),
        Op::BvZeroExtend { .. } => Code::ZeroExtend,
        Op::BvSignExtend { width: to } => return Some((Code::SignExtend { from: width }, to)),
        Op::FpToInt {
            width: to,
            rounding: RoundingMode::TowardZero,
            signedness: Signedness::Signed,
        } => match arg_sorts {
            [Sort::Float(Format::F32)] => return Some((Code::SingleToSigned, to)),
            [Sort::Float(Format::F64)] => return Some((Code::DoubleToSigned, to)),
            _ => return None,
        },
        Op::FpNeg | Op::FpAbs => match sort {
            Sort::Float(format) => {
                let infinity = Float::infinity(glassbox_values::Sign::Positive, format).to_bits();
                if op == Op::FpNeg {
                    Code::FloatNeg { infinity }
                } else {
                    Code::FloatAbs { infinity }
                }
            }
            Sort::Bool | Sort::Bv(_) | Sort::Array { .. } => return None,
        },
        // Whatever has no instruction is run by `eval::apply`: slower, never wrong.
        _ => native_float_code(op, arg_sorts)?,
    };
    Some((code, width))
}

fn native_float_code(op: Op, arg_sorts: &[Sort]) -> Option<Code> {
    let on = |single: Code, double: Code| match arg_sorts.first() {
        Some(&Sort::Float(Format::F32)) => Some(single),
        Some(&Sort::Float(Format::F64)) => Some(double),
        _ => None,
    };
    match op {
        Op::FpAdd(NEAREST) => on(Code::SingleAdd, Code::DoubleAdd),
        Op::FpSub(NEAREST) => on(Code::SingleSub, Code::DoubleSub),
        Op::FpMul(NEAREST) => on(Code::SingleMul, Code::DoubleMul),
        Op::FpDiv(NEAREST) => on(Code::SingleDiv, Code::DoubleDiv),
        Op::FpSqrt(NEAREST) => on(Code::SingleSqrt, Code::DoubleSqrt),
        Op::FpEq => on(Code::SingleEqual, Code::DoubleEqual),
        Op::FpLt => on(Code::SingleLess, Code::DoubleLess),
        Op::FpLe => on(Code::SingleLessOrEqual, Code::DoubleLessOrEqual),
        Op::FpToFp { format: Format::F64, .. }
            if arg_sorts.first() == Some(&Sort::Float(Format::F32)) =>
        {
            Some(Code::SingleToDouble)
        }
        Op::FpToFp { format: Format::F32, rounding: NEAREST }
            if arg_sorts.first() == Some(&Sort::Float(Format::F64)) =>
        {
            Some(Code::DoubleToSingle)
        }
        Op::FpFromInt { format, rounding: NEAREST, signedness } => match (format, signedness) {
            (Format::F64, Signedness::Signed) => Some(Code::SignedToDouble),
            (Format::F64, Signedness::Unsigned) => Some(Code::UnsignedToDouble),
            (Format::F32, Signedness::Signed) => Some(Code::SignedToSingle),
            (Format::F32, Signedness::Unsigned) => Some(Code::UnsignedToSingle),
            _ => None,
        },
        _ => None,
    }
}
