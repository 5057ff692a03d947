//! Float operators, one method each; see `Op` for their meaning at the edges.

use glassbox_values::{Format, RoundingMode, Signedness};

use crate::intern::{TermId, Terms};
use crate::op::{FpOp, Op};
use crate::simplify::{float_arith, float_class, float_compare, float_convert};

impl Terms {
    pub fn fp_add(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        float_arith::add(self, rounding, a, b)
    }

    pub fn fp_sub(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        float_arith::sub(self, rounding, a, b)
    }

    pub fn fp_mul(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        float_arith::mul(self, rounding, a, b)
    }

    pub fn fp_div(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        float_arith::div(self, rounding, a, b)
    }

    /// `a * b + c`, rounded once.
    pub fn fp_fma(&mut self, rounding: RoundingMode, a: TermId, b: TermId, c: TermId) -> TermId {
        float_arith::fma(self, rounding, a, b, c)
    }

    pub fn fp_sqrt(&mut self, rounding: RoundingMode, a: TermId) -> TermId {
        float_arith::sqrt(self, rounding, a)
    }

    pub fn fp_round_to_integral(&mut self, rounding: RoundingMode, a: TermId) -> TermId {
        float_arith::round_to_integral(self, rounding, a)
    }

    pub fn fp_rem(&mut self, a: TermId, b: TermId) -> TermId {
        float_arith::remainder(self, Op::Fp(FpOp::Rem), a, b)
    }

    pub fn fp_fmod(&mut self, a: TermId, b: TermId) -> TermId {
        float_arith::remainder(self, Op::Fp(FpOp::Fmod), a, b)
    }

    pub fn fp_min(&mut self, a: TermId, b: TermId) -> TermId {
        float_arith::min_max(self, Op::Fp(FpOp::Min), a, b)
    }

    pub fn fp_max(&mut self, a: TermId, b: TermId) -> TermId {
        float_arith::min_max(self, Op::Fp(FpOp::Max), a, b)
    }

    pub fn fp_abs(&mut self, a: TermId) -> TermId {
        float_arith::abs(self, a)
    }

    pub fn fp_neg(&mut self, a: TermId) -> TermId {
        float_arith::neg(self, a)
    }

    /// IEEE equality: false on NaN, -0 equals +0.
    pub fn fp_eq(&mut self, a: TermId, b: TermId) -> TermId {
        float_compare::eq(self, a, b)
    }

    pub fn fp_lt(&mut self, a: TermId, b: TermId) -> TermId {
        float_compare::less(self, a, b)
    }

    pub fn fp_le(&mut self, a: TermId, b: TermId) -> TermId {
        float_compare::less_equal(self, a, b)
    }

    pub fn fp_is_normal(&mut self, a: TermId) -> TermId {
        float_class::magnitude(self, Op::Fp(FpOp::IsNormal), a)
    }

    pub fn fp_is_subnormal(&mut self, a: TermId) -> TermId {
        float_class::magnitude(self, Op::Fp(FpOp::IsSubnormal), a)
    }

    pub fn fp_is_zero(&mut self, a: TermId) -> TermId {
        float_class::magnitude(self, Op::Fp(FpOp::IsZero), a)
    }

    pub fn fp_is_infinite(&mut self, a: TermId) -> TermId {
        float_class::magnitude(self, Op::Fp(FpOp::IsInfinite), a)
    }

    pub fn fp_is_nan(&mut self, a: TermId) -> TermId {
        float_class::is_nan(self, a)
    }

    pub fn fp_is_negative(&mut self, a: TermId) -> TermId {
        float_class::is_negative(self, a)
    }

    pub fn fp_is_positive(&mut self, a: TermId) -> TermId {
        float_class::is_positive(self, a)
    }

    pub fn fp_to_fp(&mut self, format: Format, rounding: RoundingMode, a: TermId) -> TermId {
        float_convert::to_fp(self, format, rounding, a)
    }

    /// The float that the bit-vector encodes.
    pub fn fp_from_bits(&mut self, format: Format, a: TermId) -> TermId {
        float_convert::from_bits(self, format, a)
    }

    pub fn fp_from_int(
        &mut self,
        format: Format,
        rounding: RoundingMode,
        signedness: Signedness,
        a: TermId,
    ) -> TermId {
        float_convert::from_int(self, format, rounding, signedness, a)
    }

    /// NaN and what does not fit give zero: guard it.
    pub fn fp_to_int(
        &mut self,
        width: u8,
        rounding: RoundingMode,
        signedness: Signedness,
        a: TermId,
    ) -> TermId {
        float_convert::to_int(self, width, rounding, signedness, a)
    }

    /// The encoding, the canonical one for NaN.
    pub fn fp_to_bits(&mut self, a: TermId) -> TermId {
        float_convert::to_bits(self, a)
    }
}
