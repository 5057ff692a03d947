//! Products: one constant factor, at the top.

use glassbox_values::Bits;

use super::fold;
use super::linear::Part;
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

impl Terms {
    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Bv(BvOp::Mul), a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(factor) = self.as_bv_const(b) {
            return scale(self, a, factor);
        }
        let (a_factor, a_base) = factor_of(self, a);
        let (b_factor, b_base) = factor_of(self, b);
        let factor = a_factor.mul(b_factor);
        if a_base == a && b_base == b {
            return self.intern(BvOp::Mul, &[a, b]);
        }
        let product = self.bv_mul(a_base, b_base);
        scale(self, product, factor)
    }
}

/// A term read as `factor * base`.
pub(super) fn factor_of(terms: &Terms, term: TermId) -> (Bits, TermId) {
    let width = terms.width(term);
    match terms.op(term) {
        Op::Bv(BvOp::Neg) => (Bits::ones(width), terms.arg(term, 0)),
        Op::Bv(BvOp::Mul) => match terms.as_bv_const(terms.arg(term, 1)) {
            Some(factor) => (factor, terms.arg(term, 0)),
            None => (Bits::one(width), term),
        },
        Op::Bv(BvOp::Shl) => match terms.as_bv_const(terms.arg(term, 1)) {
            Some(amount) => (Bits::one(width).shl(amount), terms.arg(term, 0)),
            None => (Bits::one(width), term),
        },
        _ => (Bits::one(width), term),
    }
}

/// `factor * a`.
pub(super) fn scale(terms: &mut Terms, a: TermId, factor: Bits) -> TermId {
    let width = terms.width(a);
    if factor.is_zero() {
        return terms.bv_const(factor);
    }
    if factor == Bits::one(width) {
        return a;
    }
    if let Some(value) = terms.as_bv_const(a) {
        return terms.bv_const(value.mul(factor));
    }
    let (inner, base) = factor_of(terms, a);
    if base != a {
        return scale(terms, base, inner.mul(factor));
    }
    // (x + c) * k = x * k + c * k: as many operators, and the constant comes out.
    let part = Part::of(terms, a);
    if !part.constant.is_zero() {
        let base = part.base.expect("constants were folded");
        let signed_factor = if part.negative { factor.neg() } else { factor };
        let scaled = scale(terms, base, signed_factor);
        let constant = terms.bv_const(part.constant.mul(factor));
        return terms.bv_add(scaled, constant);
    }
    if factor.is_ones() {
        return terms.bv_neg(a);
    }
    let factor = terms.bv_const(factor);
    terms.intern(BvOp::Mul, &[a, factor])
}
