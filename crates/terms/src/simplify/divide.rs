//! Division and remainder by the constants that need no divider.

use glassbox_values::Bits;

use super::{bounds, fold};
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

pub(crate) fn udiv(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if let Some(folded) = fold::binary(terms, Op::Bv(BvOp::Udiv), a, b) {
        return folded;
    }
    let width = terms.width(a);
    if let Some(divisor) = terms.as_bv_const(b) {
        if divisor.is_zero() {
            return terms.bv_const(Bits::ones(width));
        }
        if let Some(amount) = log2(divisor) {
            let amount = terms.bv_u(u128::from(amount), width);
            return terms.bv_lshr(a, amount);
        }
        if bounds::unsigned_max(terms, a) < divisor.unsigned() {
            return terms.bv_const(Bits::zero(width));
        }
    }
    terms.intern(BvOp::Udiv, &[a, b])
}

pub(crate) fn urem(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if let Some(folded) = fold::binary(terms, Op::Bv(BvOp::Urem), a, b) {
        return folded;
    }
    let width = terms.width(a);
    if let Some(divisor) = terms.as_bv_const(b) {
        if divisor.is_zero() {
            return a;
        }
        if log2(divisor).is_some() {
            let mask = terms.bv_const(divisor.sub(Bits::one(width)));
            return terms.bv_and(a, mask);
        }
        if bounds::unsigned_max(terms, a) < divisor.unsigned() {
            return a;
        }
    }
    if a == b || is_zero(terms, a) {
        return terms.bv_const(Bits::zero(width));
    }
    terms.intern(BvOp::Urem, &[a, b])
}

pub(crate) fn sdiv(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if let Some(folded) = fold::binary(terms, Op::Bv(BvOp::Sdiv), a, b) {
        return folded;
    }
    let width = terms.width(a);
    if let Some(divisor) = terms.as_bv_const(b) {
        if divisor.is_zero() {
            let zero = terms.bv_const(divisor);
            let negative = terms.bv_slt(a, zero);
            let one = terms.bv_const(Bits::one(width));
            let minus_one = terms.bv_const(Bits::ones(width));
            return terms.ite(negative, one, minus_one);
        }
        // Tested in this order, since at width 1 the constant 1 is -1 and nothing needs negating.
        if divisor == Bits::one(width) {
            return a;
        }
        if divisor.is_ones() {
            return terms.bv_neg(a);
        }
        // Two numbers without a sign divide as unsigned ones.
        if !divisor.sign_bit() && bounds::never_negative(terms, a) {
            return udiv(terms, a, b);
        }
    }
    terms.intern(BvOp::Sdiv, &[a, b])
}

pub(crate) fn srem(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if let Some(done) = remainder_by_constant(terms, Op::Bv(BvOp::Srem), a, b) {
        return done;
    }
    if let Some(divisor) = terms.as_bv_const(b) {
        // The sign of the divisor does not matter; MIN has no positive twin.
        if divisor.sign_bit() && !divisor.is_min_signed() {
            let positive = terms.bv_const(divisor.neg());
            return srem(terms, a, positive);
        }
        if !divisor.sign_bit() && bounds::never_negative(terms, a) {
            return urem(terms, a, b);
        }
    }
    terms.intern(BvOp::Srem, &[a, b])
}

pub(crate) fn smod(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if let Some(done) = remainder_by_constant(terms, Op::Bv(BvOp::Smod), a, b) {
        return done;
    }
    if let Some(divisor) = terms.as_bv_const(b) {
        if !divisor.sign_bit() && bounds::never_negative(terms, a) {
            return urem(terms, a, b);
        }
        // The result is in 0..divisor, so a power of two only masks.
        if !divisor.sign_bit() && log2(divisor).is_some() {
            return urem(terms, a, b);
        }
    }
    terms.intern(BvOp::Smod, &[a, b])
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
