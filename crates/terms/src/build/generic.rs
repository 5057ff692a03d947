//! The one door for "this operator on these arguments" when the operator is data.

use crate::intern::{TermId, Terms};
use crate::op::Op;

impl Terms {
    /// The simplified `op(args)`; sorts and arity must fit as for `intern`. For a variable it is the
    /// variable itself.
    pub fn make(&mut self, op: Op, args: &[TermId]) -> TermId {
        match (op, args) {
            (Op::Var(var), []) => self.var_term(var),
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and(args),
            (Op::Or, _) => self.or(args),
            (Op::Xor, &[a, b]) => self.xor(a, b),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (_, &[a]) => self.make_unary(op, a),
            (_, &[a, b]) => self.make_binary(op, a, b),
            (Op::FpFma(rounding), &[a, b, c]) => self.fp_fma(rounding, a, b, c),
            (Op::Store, &[a, b, c]) => self.store(a, b, c),
            _ => self.intern(op, args),
        }
    }

    fn make_unary(&mut self, op: Op, a: TermId) -> TermId {
        match op {
            Op::BvNeg => self.bv_neg(a),
            Op::BvNot => self.bv_not(a),
            Op::BvExtract { hi, lo } => self.bv_extract(hi, lo, a),
            Op::BvZeroExtend { width } => self.bv_zero_extend(width, a),
            Op::BvSignExtend { width } => self.bv_sign_extend(width, a),
            Op::BvNegOverflow => self.bv_neg_overflow(a),
            Op::FpSqrt(rounding) => self.fp_sqrt(rounding, a),
            Op::FpRoundToIntegral(rounding) => self.fp_round_to_integral(rounding, a),
            Op::FpAbs => self.fp_abs(a),
            Op::FpNeg => self.fp_neg(a),
            Op::FpIsNormal => self.fp_is_normal(a),
            Op::FpIsSubnormal => self.fp_is_subnormal(a),
            Op::FpIsZero => self.fp_is_zero(a),
            Op::FpIsInfinite => self.fp_is_infinite(a),
            Op::FpIsNan => self.fp_is_nan(a),
            Op::FpIsNegative => self.fp_is_negative(a),
            Op::FpIsPositive => self.fp_is_positive(a),
            Op::FpToFp { format, rounding } => self.fp_to_fp(format, rounding, a),
            Op::FpFromBits(format) => self.fp_from_bits(format, a),
            Op::FpFromInt { format, rounding, signedness } => {
                self.fp_from_int(format, rounding, signedness, a)
            }
            Op::FpToInt { width, rounding, signedness } => {
                self.fp_to_int(width, rounding, signedness, a)
            }
            Op::FpToBits => self.fp_to_bits(a),
            // Whatever is left has another arity or nothing to simplify; `intern` checks the arity.
            _ => self.intern(op, &[a]),
        }
    }

    fn make_binary(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        match op {
            Op::BvAdd => self.bv_add(a, b),
            Op::BvSub => self.bv_sub(a, b),
            Op::BvMul => self.bv_mul(a, b),
            Op::BvUdiv => self.bv_udiv(a, b),
            Op::BvUrem => self.bv_urem(a, b),
            Op::BvSdiv => self.bv_sdiv(a, b),
            Op::BvSrem => self.bv_srem(a, b),
            Op::BvSmod => self.bv_smod(a, b),
            Op::BvAnd => self.bv_and(a, b),
            Op::BvOr => self.bv_or(a, b),
            Op::BvXor => self.bv_xor(a, b),
            Op::BvShl => self.bv_shl(a, b),
            Op::BvLshr => self.bv_lshr(a, b),
            Op::BvAshr => self.bv_ashr(a, b),
            Op::BvConcat => self.bv_concat(a, b),
            Op::BvUlt => self.bv_ult(a, b),
            Op::BvUle => self.bv_ule(a, b),
            Op::BvSlt => self.bv_slt(a, b),
            Op::BvSle => self.bv_sle(a, b),
            Op::BvAddOverflow(signedness) => self.bv_add_overflow(signedness, a, b),
            Op::BvSubOverflow(signedness) => self.bv_sub_overflow(signedness, a, b),
            Op::BvMulOverflow(signedness) => self.bv_mul_overflow(signedness, a, b),
            Op::FpAdd(rounding) => self.fp_add(rounding, a, b),
            Op::FpSub(rounding) => self.fp_sub(rounding, a, b),
            Op::FpMul(rounding) => self.fp_mul(rounding, a, b),
            Op::FpDiv(rounding) => self.fp_div(rounding, a, b),
            Op::FpRem => self.fp_rem(a, b),
            Op::FpFmod => self.fp_fmod(a, b),
            Op::FpMin => self.fp_min(a, b),
            Op::FpMax => self.fp_max(a, b),
            Op::FpEq => self.fp_eq(a, b),
            Op::FpLt => self.fp_lt(a, b),
            Op::FpLe => self.fp_le(a, b),
            Op::Select => self.select(a, b),
            // Whatever is left has another arity; `intern` refuses it.
            _ => self.intern(op, &[a, b]),
        }
    }
}
