//! Concatenation, extraction and widening: bits that are only moved find their source.

use glassbox_values::Bits;

use super::fold;
use super::pattern::Extension;
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

pub(crate) fn concat(terms: &mut Terms, high: TermId, low: TermId) -> TermId {
    if let Some(folded) = fold::binary(terms, Op::Bv(BvOp::Concat), high, low) {
        return folded;
    }
    let width = terms.width(high) + terms.width(low);
    if terms.as_bv_const(high).is_some_and(Bits::is_zero) {
        return terms.bv_zero_extend(width, low);
    }
    if let Op::Bv(BvOp::ZeroExtend { .. }) = terms.op(high) {
        let joined = concat(terms, terms.arg(high, 0), low);
        return terms.bv_zero_extend(width, joined);
    }
    if let Some(joined) = adjacent(terms, high, low) {
        return joined;
    }
    // In a chain to the left, the last piece may join the new one.
    if let Some((first, middle)) = terms.binary(Op::Bv(BvOp::Concat), high) {
        if let Some(joined) = adjacent(terms, middle, low) {
            return concat(terms, first, joined);
        }
        if let (Some(middle), Some(low)) = (terms.as_bv_const(middle), terms.as_bv_const(low)) {
            let joined = terms.bv_const(middle.concat(low));
            return concat(terms, first, joined);
        }
    }
    terms.intern(BvOp::Concat, &[high, low])
}

// Two neighboring extracts of one term.
fn adjacent(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    let (Op::Bv(BvOp::Extract { hi: top, lo: middle }), Op::Bv(BvOp::Extract { hi, lo })) =
        (terms.op(high), terms.op(low))
    else {
        return None;
    };
    let source = terms.arg(high, 0);
    (source == terms.arg(low, 0) && middle == hi + 1).then(|| extract(terms, top, lo, source))
}

pub(crate) fn extract(terms: &mut Terms, hi: u8, lo: u8, a: TermId) -> TermId {
    let width = terms.width(a);
    if lo == 0 && hi == width - 1 {
        return a;
    }
    let op = Op::Bv(BvOp::Extract { hi, lo });
    if let Some(folded) = fold::unary(terms, op, a) {
        return folded;
    }
    match terms.op(a) {
        Op::Bv(BvOp::Extract { lo: below, .. }) => {
            return extract(terms, hi + below, lo + below, terms.arg(a, 0));
        }
        Op::Bv(BvOp::Concat) => {
            let (high, low) = (terms.arg(a, 0), terms.arg(a, 1));
            let border = terms.width(low);
            if hi < border {
                return extract(terms, hi, lo, low);
            }
            if border <= lo {
                return extract(terms, hi - border, lo - border, high);
            }
        }
        Op::Bv(BvOp::ZeroExtend { .. }) => {
            return extract_extended(terms, Extension::Zero, hi, lo, terms.arg(a, 0));
        }
        Op::Bv(BvOp::SignExtend { .. }) => {
            return extract_extended(terms, Extension::Sign, hi, lo, terms.arg(a, 0));
        }
        Op::Bv(BvOp::Shl | BvOp::Lshr | BvOp::Ashr) => {
            if let Some(done) = extract_shifted(terms, hi, lo, a) {
                return done;
            }
        }
        Op::Bv(BvOp::Not | BvOp::And | BvOp::Or | BvOp::Xor) if all_move_bits(terms, a) => {
            return push_extract(terms, hi, lo, a);
        }
        _ => {}
    }
    if lo == 0 && narrows(terms, a) {
        return push_extract(terms, hi, lo, a);
    }
    terms.intern(op, &[a])
}

// The bits `hi..=lo` of a widened `a`, when some of them may be in the extension.
fn extract_extended(terms: &mut Terms, extension: Extension, hi: u8, lo: u8, a: TermId) -> TermId {
    let inner = terms.width(a);
    if hi < inner {
        return extract(terms, hi, lo, a);
    }
    if inner <= lo && extension == Extension::Zero {
        return terms.bv_const(Bits::zero(hi - lo + 1));
    }
    let kept = extract(terms, inner - 1, lo.min(inner - 1), a);
    terms.extend(extension, hi - lo + 1, kept)
}

fn extract_shifted(terms: &mut Terms, hi: u8, lo: u8, a: TermId) -> Option<TermId> {
    let op = terms.op(a);
    let (x, amount) = terms.with_const(op, a)?;
    let width = terms.width(x);
    let amount = u8::try_from(amount.unsigned()).ok().filter(|&amount| amount < width)?;
    let size = hi - lo + 1;
    if op == Op::Bv(BvOp::Shl) {
        if hi < amount {
            return Some(terms.bv_const(Bits::zero(size)));
        }
        return (amount <= lo).then(|| extract(terms, hi - amount, lo - amount, x));
    }
    // The shifted-in bits begin at `width - amount`.
    if hi < width - amount {
        return Some(extract(terms, hi + amount, lo + amount, x));
    }
    if op == Op::Bv(BvOp::Lshr) {
        if width - amount <= lo {
            return Some(terms.bv_const(Bits::zero(size)));
        }
        let kept = extract(terms, width - 1, lo + amount, x);
        return Some(terms.bv_zero_extend(size, kept));
    }
    let kept = extract(terms, width - 1, (lo.min(width - 1 - amount)) + amount, x);
    Some(terms.bv_sign_extend(size, kept))
}

// Whether all arguments only move bits, so that extracting from them usually costs nothing.
fn all_move_bits(terms: &Terms, a: TermId) -> bool {
    terms.args(a).iter().all(|&arg| {
        matches!(
            terms.op(arg),
            Op::BvConst(_)
                | Op::Bv(BvOp::ZeroExtend { .. } | BvOp::SignExtend { .. } | BvOp::Extract { .. })
        )
    })
}

/// Whether the low bits of `a` are the operator on the low bits of its arguments, and cutting those
/// costs nothing because they are constants or were widened before.
fn narrows(terms: &Terms, a: TermId) -> bool {
    let free = |arg: TermId| {
        matches!(
            terms.op(arg),
            Op::BvConst(_) | Op::Bv(BvOp::ZeroExtend { .. } | BvOp::SignExtend { .. })
        )
    };
    match terms.op(a) {
        Op::Bv(BvOp::Add | BvOp::Sub | BvOp::Mul | BvOp::Neg) => {
            terms.args(a).iter().all(|&arg| free(arg))
        }
        Op::Ite => terms.args(a)[1..].iter().all(|&arg| free(arg)),
        _ => false,
    }
}

// The operator of `a` on the extracts of its arguments.
fn push_extract(terms: &mut Terms, hi: u8, lo: u8, a: TermId) -> TermId {
    let op = terms.op(a);
    let args: smallvec::SmallVec<[TermId; 3]> = terms.args(a).iter().copied().collect();
    let args: smallvec::SmallVec<[TermId; 3]> = args
        .into_iter()
        .enumerate()
        .map(|(position, arg)| {
            let is_condition = op == Op::Ite && position == 0;
            if is_condition { arg } else { extract(terms, hi, lo, arg) }
        })
        .collect();
    terms.make(op, &args)
}

pub(crate) fn zero_extend(terms: &mut Terms, width: u8, a: TermId) -> TermId {
    if width == terms.width(a) {
        return a;
    }
    let op = Op::Bv(BvOp::ZeroExtend { width });
    if let Some(folded) = fold::unary(terms, op, a) {
        return folded;
    }
    if let Op::Bv(BvOp::ZeroExtend { .. }) = terms.op(a) {
        return zero_extend(terms, width, terms.arg(a, 0));
    }
    terms.intern(op, &[a])
}

pub(crate) fn sign_extend(terms: &mut Terms, width: u8, a: TermId) -> TermId {
    if width == terms.width(a) {
        return a;
    }
    let op = Op::Bv(BvOp::SignExtend { width });
    if let Some(folded) = fold::unary(terms, op, a) {
        return folded;
    }
    match terms.op(a) {
        Op::Bv(BvOp::SignExtend { .. }) => sign_extend(terms, width, terms.arg(a, 0)),
        // A strictly widened zero extension has a zero on top.
        Op::Bv(BvOp::ZeroExtend { width: inner }) if inner > terms.width(terms.arg(a, 0)) => {
            zero_extend(terms, width, terms.arg(a, 0))
        }
        _ => terms.intern(op, &[a]),
    }
}
