//! Bitwise operators.

use glassbox_values::Bits;

use super::fold;
use super::linear::Part;
use super::pattern::Extension;
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

impl Terms {
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        if let Some(folded) = fold::unary(self, Op::Bv(BvOp::Not), a) {
            return folded;
        }
        if let Some(inner) = self.unary(Op::Bv(BvOp::Not), a) {
            return inner;
        }
        // ~x = -1 - x, which swallows a constant or a sign below it.
        let part = Part::of(self, a);
        if part.base != Some(a) {
            let minus_one = self.bv_const(Bits::ones(self.width(a)));
            return self.bv_sub(minus_one, a);
        }
        if let Some((x, constant)) = self.with_const(Op::Bv(BvOp::Xor), a) {
            let constant = self.bv_const(constant.not());
            return self.bv_xor(x, constant);
        }
        self.intern(BvOp::Not, &[a])
    }

    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Bv(BvOp::Xor), a, b) {
            return folded;
        }
        let width = self.width(a);
        if a == b {
            return self.bv_const(Bits::zero(width));
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_bv_const(b) {
            if constant.is_zero() {
                return a;
            }
            if let Some((x, inner)) = self.with_const(Op::Bv(BvOp::Xor), a) {
                let constant = self.bv_const(constant.xor(inner));
                return self.bv_xor(x, constant);
            }
            if let Some(inner) = self.unary(Op::Bv(BvOp::Not), a) {
                let constant = self.bv_const(constant.not());
                return self.bv_xor(inner, constant);
            }
            if constant.is_ones() {
                return self.bv_not(a);
            }
            return self.intern(BvOp::Xor, &[a, b]);
        }
        match (self.unary(Op::Bv(BvOp::Not), a), self.unary(Op::Bv(BvOp::Not), b)) {
            (Some(x), Some(y)) => return self.bv_xor(x, y),
            (Some(x), None) if x == b => return self.bv_const(Bits::ones(width)),
            (None, Some(y)) if y == a => return self.bv_const(Bits::ones(width)),
            (Some(_), None) | (None, Some(_)) | (None, None) => {}
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some((p, q)) = self.binary(Op::Bv(BvOp::Xor), other) {
                if p == one {
                    return q;
                }
                if q == one {
                    return p;
                }
            }
        }
        if let Some(done) = truth_number(self, a, b, Terms::xor) {
            return done;
        }
        self.intern(BvOp::Xor, &[a, b])
    }

    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(done) = lattice(self, Op::Bv(BvOp::And), a, b)
            .or_else(|| truth_number(self, a, b, |this, c, d| this.and(&[c, d])))
        {
            return done;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_bv_const(b) {
            if constant.is_zero() {
                return b;
            }
            if constant.is_ones() {
                return a;
            }
            if let Some((x, inner)) = self.with_const(Op::Bv(BvOp::And), a) {
                let constant = self.bv_const(constant.and(inner));
                return self.bv_and(x, constant);
            }
            if let Op::Bv(BvOp::ZeroExtend { width }) = self.op(a) {
                let narrow = self.arg(a, 0);
                let constant = self.bv_const(constant.extract(self.width(narrow) - 1, 0));
                let masked = self.bv_and(narrow, constant);
                return self.bv_zero_extend(width, masked);
            }
        }
        self.intern(BvOp::And, &[a, b])
    }

    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(done) = lattice(self, Op::Bv(BvOp::Or), a, b)
            .or_else(|| truth_number(self, a, b, |this, c, d| this.or(&[c, d])))
        {
            return done;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_bv_const(b) {
            if constant.is_zero() {
                return a;
            }
            if constant.is_ones() {
                return b;
            }
            if let Some((x, inner)) = self.with_const(Op::Bv(BvOp::Or), a) {
                let constant = self.bv_const(constant.or(inner));
                return self.bv_or(x, constant);
            }
        }
        if let Some(joined) = join_bytes(self, a, b).or_else(|| join_bytes(self, b, a)) {
            return joined;
        }
        self.intern(BvOp::Or, &[a, b])
    }
}

// What `and` and `or` have in common.
fn lattice(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(folded) = fold::binary(terms, op, a, b) {
        return Some(folded);
    }
    if a == b {
        return Some(a);
    }
    let width = terms.width(a);
    let (dual, absorbing) = if op == Op::Bv(BvOp::And) {
        (Op::Bv(BvOp::Or), Bits::zero(width))
    } else {
        (Op::Bv(BvOp::And), Bits::ones(width))
    };
    if terms.unary(Op::Bv(BvOp::Not), a) == Some(b) || terms.unary(Op::Bv(BvOp::Not), b) == Some(a)
    {
        return Some(terms.bv_const(absorbing));
    }
    for (one, other) in [(a, b), (b, a)] {
        // x & (x & y) is the latter, x & (x | y) the former.
        if let Some((p, q)) = terms.binary(op, other)
            && (p == one || q == one)
        {
            return Some(other);
        }
        if let Some((p, q)) = terms.binary(dual, other)
            && (p == one || q == one)
        {
            return Some(one);
        }
    }
    None
}

// `and`, `or`, `xor` of (c ? 1 : 0) and (d ? 1 : 0) is one such number.
fn truth_number(
    terms: &mut Terms,
    a: TermId,
    b: TermId,
    combine: impl FnOnce(&mut Terms, TermId, TermId) -> TermId,
) -> Option<TermId> {
    let width = terms.width(a);
    let (c, d) = (as_truth_number(terms, a)?, as_truth_number(terms, b)?);
    let truth = combine(terms, c, d);
    Some(terms.bv_from_bool(truth, width))
}

fn as_truth_number(terms: &Terms, term: TermId) -> Option<TermId> {
    let (condition, then, otherwise) = terms.as_ite(term)?;
    let is_truth = terms.as_bv_const(then)? == Bits::one(terms.width(term))
        && terms.as_bv_const(otherwise)?.is_zero();
    is_truth.then_some(condition)
}

// `(u32)a | (u32)b << 8` puts the pieces side by side.
fn join_bytes(terms: &mut Terms, low: TermId, high: TermId) -> Option<TermId> {
    let (shifted, amount) = terms.with_const(Op::Bv(BvOp::Shl), high)?;
    let width = terms.width(low);
    let (Extension::Zero, low_piece) = terms.as_extended(low)? else { return None };
    let (_, high_piece) = terms.as_extended(shifted)?;
    let amount = u8::try_from(amount.unsigned()).ok().filter(|&amount| amount < width)?;
    if terms.width(low_piece) > amount || terms.width(high_piece) > width - amount {
        return None;
    }
    let low_piece = terms.bv_zero_extend(amount, low_piece);
    let high_piece = terms.bv_extract(width - amount - 1, 0, shifted);
    Some(terms.bv_concat(high_piece, low_piece))
}
