//! Bitwise operators.

use glassbox_values::Bits;

use super::fold;
use super::linear::Part;
use super::pattern::Extension;
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

pub(crate) fn not(terms: &mut Terms, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, Op::Bv(BvOp::Not), a) {
        return folded;
    }
    if let Some(inner) = terms.unary(Op::Bv(BvOp::Not), a) {
        return inner;
    }
    // ~x = -1 - x, which swallows a constant or a sign below it.
    let part = Part::of(terms, a);
    if part.base != Some(a) {
        let minus_one = terms.bv_const(Bits::ones(terms.width(a)));
        return terms.bv_sub(minus_one, a);
    }
    if let Some((x, constant)) = terms.with_const(Op::Bv(BvOp::Xor), a) {
        let constant = terms.bv_const(constant.not());
        return xor(terms, x, constant);
    }
    terms.intern(BvOp::Not, &[a])
}

pub(crate) fn and(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if let Some(done) = lattice(terms, Op::Bv(BvOp::And), a, b)
        .or_else(|| truth_number(terms, a, b, |terms, c, d| terms.and(&[c, d])))
    {
        return done;
    }
    let (a, b) = terms.ordered(a, b);
    if let Some(constant) = terms.as_bv_const(b) {
        if constant.is_zero() {
            return b;
        }
        if constant.is_ones() {
            return a;
        }
        if let Some((x, inner)) = terms.with_const(Op::Bv(BvOp::And), a) {
            let constant = terms.bv_const(constant.and(inner));
            return and(terms, x, constant);
        }
        if let Op::Bv(BvOp::ZeroExtend { width }) = terms.op(a) {
            let narrow = terms.arg(a, 0);
            let constant = terms.bv_const(constant.extract(terms.width(narrow) - 1, 0));
            let masked = and(terms, narrow, constant);
            return terms.bv_zero_extend(width, masked);
        }
    }
    terms.intern(BvOp::And, &[a, b])
}

pub(crate) fn or(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if let Some(done) = lattice(terms, Op::Bv(BvOp::Or), a, b)
        .or_else(|| truth_number(terms, a, b, |terms, c, d| terms.or(&[c, d])))
    {
        return done;
    }
    let (a, b) = terms.ordered(a, b);
    if let Some(constant) = terms.as_bv_const(b) {
        if constant.is_zero() {
            return a;
        }
        if constant.is_ones() {
            return b;
        }
        if let Some((x, inner)) = terms.with_const(Op::Bv(BvOp::Or), a) {
            let constant = terms.bv_const(constant.or(inner));
            return or(terms, x, constant);
        }
    }
    if let Some(joined) = join_bytes(terms, a, b).or_else(|| join_bytes(terms, b, a)) {
        return joined;
    }
    terms.intern(BvOp::Or, &[a, b])
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

pub(crate) fn xor(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    if let Some(folded) = fold::binary(terms, Op::Bv(BvOp::Xor), a, b) {
        return folded;
    }
    let width = terms.width(a);
    if a == b {
        return terms.bv_const(Bits::zero(width));
    }
    let (a, b) = terms.ordered(a, b);
    if let Some(constant) = terms.as_bv_const(b) {
        if constant.is_zero() {
            return a;
        }
        if let Some((x, inner)) = terms.with_const(Op::Bv(BvOp::Xor), a) {
            let constant = terms.bv_const(constant.xor(inner));
            return xor(terms, x, constant);
        }
        if let Some(inner) = terms.unary(Op::Bv(BvOp::Not), a) {
            let constant = terms.bv_const(constant.not());
            return xor(terms, inner, constant);
        }
        if constant.is_ones() {
            return not(terms, a);
        }
        return terms.intern(BvOp::Xor, &[a, b]);
    }
    match (terms.unary(Op::Bv(BvOp::Not), a), terms.unary(Op::Bv(BvOp::Not), b)) {
        (Some(x), Some(y)) => return xor(terms, x, y),
        (Some(x), None) if x == b => return terms.bv_const(Bits::ones(width)),
        (None, Some(y)) if y == a => return terms.bv_const(Bits::ones(width)),
        (Some(_), None) | (None, Some(_)) | (None, None) => {}
    }
    for (one, other) in [(a, b), (b, a)] {
        if let Some((p, q)) = terms.binary(Op::Bv(BvOp::Xor), other) {
            if p == one {
                return q;
            }
            if q == one {
                return p;
            }
        }
    }
    if let Some(done) = truth_number(terms, a, b, Terms::xor) {
        return done;
    }
    terms.intern(BvOp::Xor, &[a, b])
}
