//! Bit-vector operators, one method each; see `Op` for their meaning at the edges.

use glassbox_values::Signedness;

use crate::intern::{TermId, Terms};
use crate::op::Op;

impl Terms {
    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        self.intern(Op::BvNeg, &[a])
    }

    pub fn bv_not(&mut self, a: TermId) -> TermId {
        self.intern(Op::BvNot, &[a])
    }

    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvAdd, &[a, b])
    }

    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvSub, &[a, b])
    }

    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvMul, &[a, b])
    }

    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvUdiv, &[a, b])
    }

    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvUrem, &[a, b])
    }

    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvSdiv, &[a, b])
    }

    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvSrem, &[a, b])
    }

    pub fn bv_smod(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvSmod, &[a, b])
    }

    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvAnd, &[a, b])
    }

    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvOr, &[a, b])
    }

    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvXor, &[a, b])
    }

    pub fn bv_shl(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvShl, &[a, b])
    }

    pub fn bv_lshr(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvLshr, &[a, b])
    }

    pub fn bv_ashr(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvAshr, &[a, b])
    }

    pub fn bv_concat(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvConcat, &[a, b])
    }

    pub fn bv_ult(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvUlt, &[a, b])
    }

    pub fn bv_ule(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvUle, &[a, b])
    }

    pub fn bv_slt(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvSlt, &[a, b])
    }

    pub fn bv_sle(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvSle, &[a, b])
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn bv_extract(&mut self, hi: u8, lo: u8, a: TermId) -> TermId {
        self.intern(Op::BvExtract { hi, lo }, &[a])
    }

    /// Widens to `width` bits (not by `width`).
    pub fn bv_zero_extend(&mut self, width: u8, a: TermId) -> TermId {
        self.intern(Op::BvZeroExtend { width }, &[a])
    }

    /// Widens to `width` bits (not by `width`).
    pub fn bv_sign_extend(&mut self, width: u8, a: TermId) -> TermId {
        self.intern(Op::BvSignExtend { width }, &[a])
    }

    /// Whether the exact result does not fit.
    pub fn bv_add_overflow(&mut self, signedness: Signedness, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvAddOverflow(signedness), &[a, b])
    }

    /// Whether the exact result does not fit.
    pub fn bv_sub_overflow(&mut self, signedness: Signedness, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvSubOverflow(signedness), &[a, b])
    }

    /// Whether the exact result does not fit.
    pub fn bv_mul_overflow(&mut self, signedness: Signedness, a: TermId, b: TermId) -> TermId {
        self.intern(Op::BvMulOverflow(signedness), &[a, b])
    }

    /// Whether signed negation does not fit.
    pub fn bv_neg_overflow(&mut self, a: TermId) -> TermId {
        self.intern(Op::BvNegOverflow, &[a])
    }
}
