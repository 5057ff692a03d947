//! The builder for an operator that is data.

use crate::intern::{TermId, Terms};
use crate::op::{ArrayOp, BoolOp, BvOp, FpOp, Op};

impl Terms {
    /// The simplified `op(args)`; sorts and arity must fit as for `intern`. For a variable it is the
    /// variable itself.
    pub fn make(&mut self, op: impl Into<Op>, args: &[TermId]) -> TermId {
        let op = op.into();
        assert!(
            op.n_args().is_none_or(|n_args| n_args == args.len()),
            "arity should fit: {op:?} of {args:?}"
        );
        match op {
            Op::Var(var) => self.var_term(var),
            Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => self.intern(op, args),
            Op::Bool(BoolOp::Not) => self.not(args[0]),
            Op::Bool(BoolOp::And) => self.and(args),
            Op::Bool(BoolOp::Or) => self.or(args),
            Op::Bool(BoolOp::Xor) => self.xor(args[0], args[1]),
            Op::Eq => self.eq(args[0], args[1]),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Bv(op) => self.make_bv(op, args),
            Op::Fp(op) => self.make_fp(op, args),
            Op::Array(ArrayOp::Select) => self.select(args[0], args[1]),
            Op::Array(ArrayOp::Store) => self.store(args[0], args[1], args[2]),
            Op::Array(ArrayOp::Const { .. }) => self.intern(op, args),
        }
    }

    fn make_bv(&mut self, op: BvOp, args: &[TermId]) -> TermId {
        let a = args[0];
        match op {
            BvOp::Neg => self.bv_neg(a),
            BvOp::Not => self.bv_not(a),
            BvOp::Add => self.bv_add(a, args[1]),
            BvOp::Sub => self.bv_sub(a, args[1]),
            BvOp::Mul => self.bv_mul(a, args[1]),
            BvOp::Udiv => self.bv_udiv(a, args[1]),
            BvOp::Urem => self.bv_urem(a, args[1]),
            BvOp::Sdiv => self.bv_sdiv(a, args[1]),
            BvOp::Srem => self.bv_srem(a, args[1]),
            BvOp::Smod => self.bv_smod(a, args[1]),
            BvOp::And => self.bv_and(a, args[1]),
            BvOp::Or => self.bv_or(a, args[1]),
            BvOp::Xor => self.bv_xor(a, args[1]),
            BvOp::Shl => self.bv_shl(a, args[1]),
            BvOp::Lshr => self.bv_lshr(a, args[1]),
            BvOp::Ashr => self.bv_ashr(a, args[1]),
            BvOp::Concat => self.bv_concat(a, args[1]),
            BvOp::Extract { hi, lo } => self.bv_extract(hi, lo, a),
            BvOp::ZeroExtend { width } => self.bv_zero_extend(width, a),
            BvOp::SignExtend { width } => self.bv_sign_extend(width, a),
            BvOp::Ult => self.bv_ult(a, args[1]),
            BvOp::Ule => self.bv_ule(a, args[1]),
            BvOp::Slt => self.bv_slt(a, args[1]),
            BvOp::Sle => self.bv_sle(a, args[1]),
            BvOp::AddOverflow(signedness) => self.bv_add_overflow(signedness, a, args[1]),
            BvOp::SubOverflow(signedness) => self.bv_sub_overflow(signedness, a, args[1]),
            BvOp::MulOverflow(signedness) => self.bv_mul_overflow(signedness, a, args[1]),
            BvOp::NegOverflow => self.bv_neg_overflow(a),
        }
    }

    fn make_fp(&mut self, op: FpOp, args: &[TermId]) -> TermId {
        let a = args[0];
        match op {
            FpOp::Add(rounding) => self.fp_add(rounding, a, args[1]),
            FpOp::Sub(rounding) => self.fp_sub(rounding, a, args[1]),
            FpOp::Mul(rounding) => self.fp_mul(rounding, a, args[1]),
            FpOp::Div(rounding) => self.fp_div(rounding, a, args[1]),
            FpOp::Fma(rounding) => self.fp_fma(rounding, a, args[1], args[2]),
            FpOp::Sqrt(rounding) => self.fp_sqrt(rounding, a),
            FpOp::Rem => self.fp_rem(a, args[1]),
            FpOp::Fmod => self.fp_fmod(a, args[1]),
            FpOp::RoundToIntegral(rounding) => self.fp_round_to_integral(rounding, a),
            FpOp::Min => self.fp_min(a, args[1]),
            FpOp::Max => self.fp_max(a, args[1]),
            FpOp::Abs => self.fp_abs(a),
            FpOp::Neg => self.fp_neg(a),
            FpOp::Eq => self.fp_eq(a, args[1]),
            FpOp::Lt => self.fp_lt(a, args[1]),
            FpOp::Le => self.fp_le(a, args[1]),
            FpOp::IsNormal => self.fp_is_normal(a),
            FpOp::IsSubnormal => self.fp_is_subnormal(a),
            FpOp::IsZero => self.fp_is_zero(a),
            FpOp::IsInfinite => self.fp_is_infinite(a),
            FpOp::IsNan => self.fp_is_nan(a),
            FpOp::IsNegative => self.fp_is_negative(a),
            FpOp::IsPositive => self.fp_is_positive(a),
            FpOp::ToFp { format, rounding } => self.fp_to_fp(format, rounding, a),
            FpOp::FromBits(format) => self.fp_from_bits(format, a),
            FpOp::FromInt { format, rounding, signedness } => {
                self.fp_from_int(format, rounding, signedness, a)
            }
            FpOp::ToInt { width, rounding, signedness } => {
                self.fp_to_int(width, rounding, signedness, a)
            }
            FpOp::ToBits => self.fp_to_bits(a),
        }
    }
}
