//! Shifts by constants.

use glassbox_values::Bits;

use super::{bounds, fold};
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

impl Terms {
    pub fn bv_shl(&mut self, a: TermId, b: TermId) -> TermId {
        let amount = match prepare(self, Op::Bv(BvOp::Shl), a, b) {
            Prepared::Done(term) => return term,
            Prepared::Open => return self.intern(BvOp::Shl, &[a, b]),
            Prepared::By(amount) => amount,
        };
        if let Some((x, inner)) = self.with_const(Op::Bv(BvOp::Shl), a) {
            return shift_by(self, Op::Bv(BvOp::Shl), x, inner, amount);
        }
        // (c * x) << k = (c << k) * x.
        if let Some((x, factor)) = self.with_const(Op::Bv(BvOp::Mul), a) {
            let factor = self.bv_const(factor.shl(amount));
            return self.bv_mul(x, factor);
        }
        self.intern(BvOp::Shl, &[a, b])
    }

    pub fn bv_lshr(&mut self, a: TermId, b: TermId) -> TermId {
        let amount = match prepare(self, Op::Bv(BvOp::Lshr), a, b) {
            Prepared::Done(term) => return term,
            Prepared::Open => return self.intern(BvOp::Lshr, &[a, b]),
            Prepared::By(amount) => amount,
        };
        let width = self.width(a);
        if let Some((x, inner)) = self.with_const(Op::Bv(BvOp::Lshr), a) {
            return shift_by(self, Op::Bv(BvOp::Lshr), x, inner, amount);
        }
        if bounds::unsigned_max(self, a) >> amount.unsigned() == 0 {
            return self.bv_const(Bits::zero(width));
        }
        // Up and down again only cuts the top off.
        if let Some((x, inner)) = self.with_const(Op::Bv(BvOp::Shl), a)
            && inner == amount
        {
            let kept = self.bv_extract(width - 1 - small(amount), 0, x);
            return self.bv_zero_extend(width, kept);
        }
        self.intern(BvOp::Lshr, &[a, b])
    }

    pub fn bv_ashr(&mut self, a: TermId, b: TermId) -> TermId {
        let amount = match prepare(self, Op::Bv(BvOp::Ashr), a, b) {
            Prepared::Done(term) => return term,
            Prepared::Open => return self.intern(BvOp::Ashr, &[a, b]),
            Prepared::By(amount) => amount,
        };
        let width = self.width(a);
        if let Some((x, inner)) = self.with_const(Op::Bv(BvOp::Ashr), a) {
            return shift_by(self, Op::Bv(BvOp::Ashr), x, inner, amount);
        }
        if bounds::never_negative(self, a) {
            return self.bv_lshr(a, b);
        }
        if let Some((x, inner)) = self.with_const(Op::Bv(BvOp::Shl), a)
            && inner == amount
        {
            let kept = self.bv_extract(width - 1 - small(amount), 0, x);
            return self.bv_sign_extend(width, kept);
        }
        self.intern(BvOp::Ashr, &[a, b])
    }
}

enum Prepared {
    Done(TermId),
    /// The amount is not constant.
    Open,
    /// Neither zero nor beyond the width.
    By(Bits),
}

fn prepare(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Prepared {
    if let Some(folded) = fold::binary(terms, op, a, b) {
        return Prepared::Done(folded);
    }
    let width = terms.width(a);
    if let Some(value) = terms.as_bv_const(a)
        && (value.is_zero() || (op == Op::Bv(BvOp::Ashr) && value.is_ones()))
    {
        return Prepared::Done(a);
    }
    match terms.as_bv_const(b) {
        None => Prepared::Open,
        Some(amount) if amount.is_zero() => Prepared::Done(a),
        Some(amount) if amount.unsigned() < u128::from(width) => Prepared::By(amount),
        Some(_) if op == Op::Bv(BvOp::Ashr) => {
            // Only the sign remains, as it does after width - 1 steps.
            let last = Bits::new(u128::from(width - 1), width);
            let last = terms.bv_const(last);
            Prepared::Done(terms.bv_ashr(a, last))
        }
        Some(_) => Prepared::Done(terms.bv_const(Bits::zero(width))),
    }
}

// `op(op(x, first), second)`, both amounts below the width.
fn shift_by(terms: &mut Terms, op: Op, x: TermId, first: Bits, second: Bits) -> TermId {
    let width = terms.width(x);
    // The sum may not fit the width, but then it is past the end in any case.
    let total = first.unsigned() + second.unsigned();
    if total < u128::from(width) {
        let total = terms.bv_u(total, width);
        return terms.make(op, &[x, total]);
    }
    if op == Op::Bv(BvOp::Ashr) {
        let last = terms.bv_u(u128::from(width - 1), width);
        return terms.bv_ashr(x, last);
    }
    terms.bv_const(Bits::zero(width))
}

fn small(amount: Bits) -> u8 {
    u8::try_from(amount.unsigned()).expect("the amount is below the width")
}
