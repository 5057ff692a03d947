//! Bit-vector operators, one method each; see `Op` for their meaning at the edges.

use glassbox_values::Signedness;

use crate::intern::{TermId, Terms};
use crate::simplify::{bitwise, compare, divide, linear, multiply, overflow, shift, slice};

impl Terms {
    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        linear::neg(self, a)
    }

    pub fn bv_not(&mut self, a: TermId) -> TermId {
        bitwise::not(self, a)
    }

    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        linear::add(self, a, b)
    }

    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        linear::sub(self, a, b)
    }

    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        multiply::mul(self, a, b)
    }

    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        divide::udiv(self, a, b)
    }

    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        divide::urem(self, a, b)
    }

    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        divide::sdiv(self, a, b)
    }

    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        divide::srem(self, a, b)
    }

    pub fn bv_smod(&mut self, a: TermId, b: TermId) -> TermId {
        divide::smod(self, a, b)
    }

    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        bitwise::and(self, a, b)
    }

    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        bitwise::or(self, a, b)
    }

    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        bitwise::xor(self, a, b)
    }

    pub fn bv_shl(&mut self, a: TermId, b: TermId) -> TermId {
        shift::shl(self, a, b)
    }

    pub fn bv_lshr(&mut self, a: TermId, b: TermId) -> TermId {
        shift::lshr(self, a, b)
    }

    pub fn bv_ashr(&mut self, a: TermId, b: TermId) -> TermId {
        shift::ashr(self, a, b)
    }

    pub fn bv_concat(&mut self, a: TermId, b: TermId) -> TermId {
        slice::concat(self, a, b)
    }

    pub fn bv_ult(&mut self, a: TermId, b: TermId) -> TermId {
        compare::less(self, Signedness::Unsigned, a, b)
    }

    pub fn bv_ule(&mut self, a: TermId, b: TermId) -> TermId {
        compare::less_equal(self, Signedness::Unsigned, a, b)
    }

    pub fn bv_slt(&mut self, a: TermId, b: TermId) -> TermId {
        compare::less(self, Signedness::Signed, a, b)
    }

    pub fn bv_sle(&mut self, a: TermId, b: TermId) -> TermId {
        compare::less_equal(self, Signedness::Signed, a, b)
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn bv_extract(&mut self, hi: u8, lo: u8, a: TermId) -> TermId {
        slice::extract(self, hi, lo, a)
    }

    /// Widens to `width` bits (not by `width`).
    pub fn bv_zero_extend(&mut self, width: u8, a: TermId) -> TermId {
        slice::zero_extend(self, width, a)
    }

    /// Widens to `width` bits (not by `width`).
    pub fn bv_sign_extend(&mut self, width: u8, a: TermId) -> TermId {
        slice::sign_extend(self, width, a)
    }

    /// Whether the exact result does not fit.
    pub fn bv_add_overflow(&mut self, signedness: Signedness, a: TermId, b: TermId) -> TermId {
        overflow::add(self, signedness, a, b)
    }

    /// Whether the exact result does not fit.
    pub fn bv_sub_overflow(&mut self, signedness: Signedness, a: TermId, b: TermId) -> TermId {
        overflow::sub(self, signedness, a, b)
    }

    /// Whether the exact result does not fit.
    pub fn bv_mul_overflow(&mut self, signedness: Signedness, a: TermId, b: TermId) -> TermId {
        overflow::mul(self, signedness, a, b)
    }

    /// Whether signed negation does not fit.
    pub fn bv_neg_overflow(&mut self, a: TermId) -> TermId {
        overflow::neg(self, a)
    }
}
