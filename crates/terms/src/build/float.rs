//! Float operators, one method each; see `Op` for their meaning at the edges.

use glassbox_values::{Format, RoundingMode, Signedness};

use crate::intern::{TermId, Terms};
use crate::op::Op;

impl Terms {
    pub fn fp_add(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpAdd(rounding), &[a, b])
    }

    pub fn fp_sub(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpSub(rounding), &[a, b])
    }

    pub fn fp_mul(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpMul(rounding), &[a, b])
    }

    pub fn fp_div(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpDiv(rounding), &[a, b])
    }

    /// `a * b + c`, rounded once.
    pub fn fp_fma(&mut self, rounding: RoundingMode, a: TermId, b: TermId, c: TermId) -> TermId {
        self.intern(Op::FpFma(rounding), &[a, b, c])
    }

    pub fn fp_sqrt(&mut self, rounding: RoundingMode, a: TermId) -> TermId {
        self.intern(Op::FpSqrt(rounding), &[a])
    }

    pub fn fp_round_to_integral(&mut self, rounding: RoundingMode, a: TermId) -> TermId {
        self.intern(Op::FpRoundToIntegral(rounding), &[a])
    }

    pub fn fp_rem(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpRem, &[a, b])
    }

    pub fn fp_fmod(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpFmod, &[a, b])
    }

    pub fn fp_min(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpMin, &[a, b])
    }

    pub fn fp_max(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpMax, &[a, b])
    }

    pub fn fp_abs(&mut self, a: TermId) -> TermId {
        self.intern(Op::FpAbs, &[a])
    }

    pub fn fp_neg(&mut self, a: TermId) -> TermId {
        self.intern(Op::FpNeg, &[a])
    }

    /// IEEE equality: false on NaN, -0 equals +0.
    pub fn fp_eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpEq, &[a, b])
    }

    pub fn fp_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpLt, &[a, b])
    }

    pub fn fp_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::FpLe, &[a, b])
    }

    pub fn fp_gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_lt(b, a)
    }

    pub fn fp_ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_le(b, a)
    }

    pub fn fp_is_normal(&mut self, a: TermId) -> TermId {
        self.intern(Op::FpIsNormal, &[a])
    }

    pub fn fp_is_subnormal(&mut self, a: TermId) -> TermId {
        self.intern(Op::FpIsSubnormal, &[a])
    }

    pub fn fp_is_zero(&mut self, a: TermId) -> TermId {
        self.intern(Op::FpIsZero, &[a])
    }

    pub fn fp_is_infinite(&mut self, a: TermId) -> TermId {
        self.intern(Op::FpIsInfinite, &[a])
    }

    pub fn fp_is_nan(&mut self, a: TermId) -> TermId {
        self.intern(Op::FpIsNan, &[a])
    }

    pub fn fp_is_negative(&mut self, a: TermId) -> TermId {
        self.intern(Op::FpIsNegative, &[a])
    }

    pub fn fp_is_positive(&mut self, a: TermId) -> TermId {
        self.intern(Op::FpIsPositive, &[a])
    }

    pub fn fp_to_fp(&mut self, format: Format, rounding: RoundingMode, a: TermId) -> TermId {
        self.intern(Op::FpToFp { format, rounding }, &[a])
    }

    /// The float that the bit-vector encodes.
    pub fn fp_from_bits(&mut self, format: Format, a: TermId) -> TermId {
        self.intern(Op::FpFromBits(format), &[a])
    }

    pub fn fp_from_int(
        &mut self,
        format: Format,
        rounding: RoundingMode,
        signedness: Signedness,
        a: TermId,
    ) -> TermId {
        self.intern(Op::FpFromInt { format, rounding, signedness }, &[a])
    }

    /// NaN and what does not fit give zero: guard it.
    pub fn fp_to_int(
        &mut self,
        width: u8,
        rounding: RoundingMode,
        signedness: Signedness,
        a: TermId,
    ) -> TermId {
        self.intern(Op::FpToInt { width, rounding, signedness }, &[a])
    }

    /// The encoding, the canonical one for NaN.
    pub fn fp_to_bits(&mut self, a: TermId) -> TermId {
        self.intern(Op::FpToBits, &[a])
    }
}
