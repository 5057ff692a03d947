//! Operators of one shape as lists, for generators of terms and exhaustive tests.

use glassbox_values::RoundingMode;
use glassbox_values::Signedness::{Signed, Unsigned};

use crate::op::{BvOp, FpOp, Op};

/// Two vectors of one width to a vector of that width.
pub const BV_COMBINE: [Op; 14] = [
    Op::Bv(BvOp::Add),
    Op::Bv(BvOp::Sub),
    Op::Bv(BvOp::Mul),
    Op::Bv(BvOp::Udiv),
    Op::Bv(BvOp::Urem),
    Op::Bv(BvOp::Sdiv),
    Op::Bv(BvOp::Srem),
    Op::Bv(BvOp::Smod),
    Op::Bv(BvOp::And),
    Op::Bv(BvOp::Or),
    Op::Bv(BvOp::Xor),
    Op::Bv(BvOp::Shl),
    Op::Bv(BvOp::Lshr),
    Op::Bv(BvOp::Ashr),
];

/// Two vectors of one width to a truth: orders.
pub const BV_ORDER: [Op; 4] =
    [Op::Bv(BvOp::Ult), Op::Bv(BvOp::Ule), Op::Bv(BvOp::Slt), Op::Bv(BvOp::Sle)];

/// Two vectors of one width to a truth: whether the exact result does not fit.
pub const BV_OVERFLOW: [Op; 6] = [
    Op::Bv(BvOp::AddOverflow(Signed)),
    Op::Bv(BvOp::SubOverflow(Signed)),
    Op::Bv(BvOp::MulOverflow(Signed)),
    Op::Bv(BvOp::AddOverflow(Unsigned)),
    Op::Bv(BvOp::SubOverflow(Unsigned)),
    Op::Bv(BvOp::MulOverflow(Unsigned)),
];

/// Two vectors of one width to a truth.
pub fn bv_relations() -> impl Iterator<Item = Op> {
    [Op::Eq].into_iter().chain(BV_ORDER).chain(BV_OVERFLOW)
}

/// Two floats to a float, rounded.
pub fn fp_rounded(mode: RoundingMode) -> [Op; 4] {
    [FpOp::Add(mode), FpOp::Sub(mode), FpOp::Mul(mode), FpOp::Div(mode)].map(Op::Fp)
}

/// Two floats to a float, exactly.
pub const FP_EXACT: [Op; 4] =
    [Op::Fp(FpOp::Rem), Op::Fp(FpOp::Fmod), Op::Fp(FpOp::Min), Op::Fp(FpOp::Max)];

/// Two floats to a truth.
pub const FP_RELATION: [Op; 3] = [Op::Fp(FpOp::Eq), Op::Fp(FpOp::Lt), Op::Fp(FpOp::Le)];

/// One float to a truth.
pub const FP_TEST: [Op; 7] = [
    Op::Fp(FpOp::IsNormal),
    Op::Fp(FpOp::IsSubnormal),
    Op::Fp(FpOp::IsZero),
    Op::Fp(FpOp::IsInfinite),
    Op::Fp(FpOp::IsNan),
    Op::Fp(FpOp::IsNegative),
    Op::Fp(FpOp::IsPositive),
];
