//! Division and remainder by the constants that need no divider.

use glassbox_values::Bits;

use super::{bounds, fold};
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

impl Terms {
    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Bv(BvOp::Udiv), a, b) {
            return folded;
        }
        let width = self.width(a);
        if let Some(divisor) = self.as_bv_const(b) {
            if divisor.is_zero() {
                return self.bv_const(Bits::ones(width));
            }
            if let Some(amount) = log2(divisor) {
                let amount = self.bv_u(u128::from(amount), width);
                return self.bv_lshr(a, amount);
            }
            if bounds::unsigned_max(self, a) < divisor.unsigned() {
                return self.bv_const(Bits::zero(width));
            }
        }
        self.intern(BvOp::Udiv, &[a, b])
    }

    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Bv(BvOp::Urem), a, b) {
            return folded;
        }
        let width = self.width(a);
        if let Some(divisor) = self.as_bv_const(b) {
            if divisor.is_zero() {
                return a;
            }
            if log2(divisor).is_some() {
                let mask = self.bv_const(divisor.sub(Bits::one(width)));
                return self.bv_and(a, mask);
            }
            if bounds::unsigned_max(self, a) < divisor.unsigned() {
                return a;
            }
        }
        if a == b || is_zero(self, a) {
            return self.bv_const(Bits::zero(width));
        }
        self.intern(BvOp::Urem, &[a, b])
    }

    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Bv(BvOp::Sdiv), a, b) {
            return folded;
        }
        let width = self.width(a);
        if let Some(divisor) = self.as_bv_const(b) {
            if divisor.is_zero() {
                let zero = self.bv_const(divisor);
                let negative = self.bv_slt(a, zero);
                let one = self.bv_const(Bits::one(width));
                let minus_one = self.bv_const(Bits::ones(width));
                return self.ite(negative, one, minus_one);
            }
            // Tested in this order, since at width 1 the constant 1 is -1 and nothing needs negating.
            if divisor == Bits::one(width) {
                return a;
            }
            if divisor.is_ones() {
                return self.bv_neg(a);
            }
            // Two numbers without a sign divide as unsigned ones.
            if !divisor.sign_bit() && bounds::never_negative(self, a) {
                return self.bv_udiv(a, b);
            }
        }
        self.intern(BvOp::Sdiv, &[a, b])
    }

    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(done) = remainder_by_constant(self, Op::Bv(BvOp::Srem), a, b) {
            return done;
        }
        if let Some(divisor) = self.as_bv_const(b) {
            // The sign of the divisor does not matter; MIN has no positive twin.
            if divisor.sign_bit() && !divisor.is_min_signed() {
                let positive = self.bv_const(divisor.neg());
                return self.bv_srem(a, positive);
            }
            if !divisor.sign_bit() && bounds::never_negative(self, a) {
                return self.bv_urem(a, b);
            }
        }
        self.intern(BvOp::Srem, &[a, b])
    }

    pub fn bv_smod(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(done) = remainder_by_constant(self, Op::Bv(BvOp::Smod), a, b) {
            return done;
        }
        if let Some(divisor) = self.as_bv_const(b) {
            if !divisor.sign_bit() && bounds::never_negative(self, a) {
                return self.bv_urem(a, b);
            }
            // The result is in 0..divisor, so a power of two only masks.
            if !divisor.sign_bit() && log2(divisor).is_some() {
                return self.bv_urem(a, b);
            }
        }
        self.intern(BvOp::Smod, &[a, b])
    }
}

fn remainder_by_constant(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(folded) = fold::binary(terms, op, a, b) {
        return Some(folded);
    }
    let width = terms.width(a);
    if let Some(divisor) = terms.as_bv_const(b) {
        if divisor.is_zero() {
            return Some(a);
        }
        if divisor.is_ones() || divisor == Bits::one(width) {
            return Some(terms.bv_const(Bits::zero(width)));
        }
    }
    (a == b || is_zero(terms, a)).then(|| terms.bv_const(Bits::zero(width)))
}

fn is_zero(terms: &Terms, term: TermId) -> bool {
    terms.as_bv_const(term).is_some_and(Bits::is_zero)
}

/// The exponent of a power of two.
pub(super) fn log2(bits: Bits) -> Option<u8> {
    (bits.count_ones() == 1).then(|| bits.trailing_zeros())
}
