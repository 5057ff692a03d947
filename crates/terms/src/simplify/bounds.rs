//! Cheap bounds of a bit-vector term, from its top two or three operators.
//!
//! Sound, never tight by promise: enough to see that promoted bytes do not overflow an `int`.

use glassbox_values::bits::mask;

use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

const DEPTH: u32 = 3;

/// No value of the term is above this, read unsigned.
pub(super) fn unsigned_max(terms: &Terms, term: TermId) -> u128 {
    unsigned_max_within(terms, term, DEPTH)
}

/// Whether the top bit is never set.
pub(super) fn never_negative(terms: &Terms, term: TermId) -> bool {
    unsigned_max(terms, term) <= mask(terms.width(term)) >> 1
}

/// The signed range that contains all values of the term.
pub(super) fn signed_range(terms: &Terms, term: TermId) -> (i128, i128) {
    signed_range_within(terms, term, DEPTH)
}

fn unsigned_max_within(terms: &Terms, term: TermId, depth: u32) -> u128 {
    let width = terms.width(term);
    let top = mask(width);
    if depth == 0 {
        return top;
    }
    let below = |position| unsigned_max_within(terms, terms.arg(term, position), depth - 1);
    match terms.op(term) {
        Op::BvConst(bits) => bits.unsigned(),
        Op::Bv(BvOp::ZeroExtend { .. }) => below(0),
        Op::Bv(BvOp::And) => below(0).min(below(1)),
        Op::Bv(BvOp::Urem) => match terms.as_bv_const(terms.arg(term, 1)) {
            Some(divisor) if !divisor.is_zero() => below(0).min(divisor.unsigned() - 1),
            Some(_) | None => below(0),
        },
        Op::Bv(BvOp::Udiv) => match terms.as_bv_const(terms.arg(term, 1)) {
            Some(divisor) if !divisor.is_zero() => below(0) / divisor.unsigned(),
            Some(_) | None => top,
        },
        Op::Bv(BvOp::Lshr) => match terms.as_bv_const(terms.arg(term, 1)) {
            Some(amount) if amount.unsigned() < u128::from(width) => below(0) >> amount.unsigned(),
            Some(_) => 0,
            None => below(0),
        },
        Op::Ite => below(1).max(below(2)),
        _ => top,
    }
}

fn signed_range_within(terms: &Terms, term: TermId, depth: u32) -> (i128, i128) {
    let width = terms.width(term);
    let highest = (mask(width) >> 1).cast_signed();
    let whole = (-highest - 1, highest);
    if depth == 0 {
        return whole;
    }
    match terms.op(term) {
        Op::BvConst(bits) => (bits.signed(), bits.signed()),
        Op::Bv(BvOp::SignExtend { .. }) => {
            signed_range_within(terms, terms.arg(term, 0), depth - 1)
        }
        Op::Ite => {
            let then = signed_range_within(terms, terms.arg(term, 1), depth - 1);
            let otherwise = signed_range_within(terms, terms.arg(term, 2), depth - 1);
            (then.0.min(otherwise.0), then.1.max(otherwise.1))
        }
        _ => {
            let max = unsigned_max_within(terms, term, depth);
            if max <= highest.cast_unsigned() { (0, max.cast_signed()) } else { whole }
        }
    }
}
