//! Concatenation, extraction and widening: bits that are only moved find their source.

use glassbox_values::Bits;

use super::fold;
use super::pattern::Extension;
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

impl Terms {
    pub fn bv_concat(&mut self, high: TermId, low: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Bv(BvOp::Concat), high, low) {
            return folded;
        }
        let width = self.width(high) + self.width(low);
        if self.as_bv_const(high).is_some_and(Bits::is_zero) {
            return self.bv_zero_extend(width, low);
        }
        if let Op::Bv(BvOp::ZeroExtend { .. }) = self.op(high) {
            let joined = self.bv_concat(self.arg(high, 0), low);
            return self.bv_zero_extend(width, joined);
        }
        if let Some(joined) = adjacent(self, high, low) {
            return joined;
        }
        // In a chain to the left, the last piece may join the new one.
        if let Some((first, middle)) = self.binary(Op::Bv(BvOp::Concat), high) {
            if let Some(joined) = adjacent(self, middle, low) {
                return self.bv_concat(first, joined);
            }
            if let (Some(middle), Some(low)) = (self.as_bv_const(middle), self.as_bv_const(low)) {
                let joined = self.bv_const(middle.concat(low));
                return self.bv_concat(first, joined);
            }
        }
        self.intern(BvOp::Concat, &[high, low])
    }

    /// Bits `hi` down to `lo`, both included.
    pub fn bv_extract(&mut self, hi: u8, lo: u8, a: TermId) -> TermId {
        let width = self.width(a);
        if lo == 0 && hi == width - 1 {
            return a;
        }
        let op = Op::Bv(BvOp::Extract { hi, lo });
        if let Some(folded) = fold::unary(self, op, a) {
            return folded;
        }
        match self.op(a) {
            Op::Bv(BvOp::Extract { lo: below, .. }) => {
                return self.bv_extract(hi + below, lo + below, self.arg(a, 0));
            }
            Op::Bv(BvOp::Concat) => {
                let (high, low) = (self.arg(a, 0), self.arg(a, 1));
                let border = self.width(low);
                if hi < border {
                    return self.bv_extract(hi, lo, low);
                }
                if border <= lo {
                    return self.bv_extract(hi - border, lo - border, high);
                }
            }
            Op::Bv(BvOp::ZeroExtend { .. }) => {
                return extract_extended(self, Extension::Zero, hi, lo, self.arg(a, 0));
            }
            Op::Bv(BvOp::SignExtend { .. }) => {
                return extract_extended(self, Extension::Sign, hi, lo, self.arg(a, 0));
            }
            Op::Bv(BvOp::Shl | BvOp::Lshr | BvOp::Ashr) => {
                if let Some(done) = extract_shifted(self, hi, lo, a) {
                    return done;
                }
            }
            Op::Bv(BvOp::Not | BvOp::And | BvOp::Or | BvOp::Xor) if all_move_bits(self, a) => {
                return push_extract(self, hi, lo, a);
            }
            _ => {}
        }
        if lo == 0 && narrows(self, a) {
            return push_extract(self, hi, lo, a);
        }
        self.intern(op, &[a])
    }

    /// Widens to `width` bits (not by `width`).
    pub fn bv_zero_extend(&mut self, width: u8, a: TermId) -> TermId {
        if width == self.width(a) {
            return a;
        }
        let op = Op::Bv(BvOp::ZeroExtend { width });
        if let Some(folded) = fold::unary(self, op, a) {
            return folded;
        }
        if let Op::Bv(BvOp::ZeroExtend { .. }) = self.op(a) {
            return self.bv_zero_extend(width, self.arg(a, 0));
        }
        self.intern(op, &[a])
    }

    /// Widens to `width` bits (not by `width`).
    pub fn bv_sign_extend(&mut self, width: u8, a: TermId) -> TermId {
        if width == self.width(a) {
            return a;
        }
        let op = Op::Bv(BvOp::SignExtend { width });
        if let Some(folded) = fold::unary(self, op, a) {
            return folded;
        }
        match self.op(a) {
            Op::Bv(BvOp::SignExtend { .. }) => self.bv_sign_extend(width, self.arg(a, 0)),
            // A strictly widened zero extension has a zero on top.
            Op::Bv(BvOp::ZeroExtend { width: inner }) if inner > self.width(self.arg(a, 0)) => {
                self.bv_zero_extend(width, self.arg(a, 0))
            }
            _ => self.intern(op, &[a]),
        }
    }
}

// Two neighboring extracts of one term.
fn adjacent(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    let (Op::Bv(BvOp::Extract { hi: top, lo: middle }), Op::Bv(BvOp::Extract { hi, lo })) =
        (terms.op(high), terms.op(low))
    else {
        return None;
    };
    let source = terms.arg(high, 0);
    (source == terms.arg(low, 0) && middle == hi + 1).then(|| terms.bv_extract(top, lo, source))
}

// The bits `hi..=lo` of a widened `a`, when some of them may be in the extension.
fn extract_extended(terms: &mut Terms, extension: Extension, hi: u8, lo: u8, a: TermId) -> TermId {
    let inner = terms.width(a);
    if hi < inner {
        return terms.bv_extract(hi, lo, a);
    }
    if inner <= lo && extension == Extension::Zero {
        return terms.bv_const(Bits::zero(hi - lo + 1));
    }
    let kept = terms.bv_extract(inner - 1, lo.min(inner - 1), a);
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
        return (amount <= lo).then(|| terms.bv_extract(hi - amount, lo - amount, x));
    }
    // The shifted-in bits begin at `width - amount`.
    if hi < width - amount {
        return Some(terms.bv_extract(hi + amount, lo + amount, x));
    }
    if op == Op::Bv(BvOp::Lshr) {
        if width - amount <= lo {
            return Some(terms.bv_const(Bits::zero(size)));
        }
        let kept = terms.bv_extract(width - 1, lo + amount, x);
        return Some(terms.bv_zero_extend(size, kept));
    }
    let kept = terms.bv_extract(width - 1, (lo.min(width - 1 - amount)) + amount, x);
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
            if is_condition { arg } else { terms.bv_extract(hi, lo, arg) }
        })
        .collect();
    terms.make(op, &args)
}
