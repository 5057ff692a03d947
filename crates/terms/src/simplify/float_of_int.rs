//! Comparisons and classes of floats that are integers in disguise: `(double)i < 2.5` is `i <= 2`.
//!
//! Only for formats that hold every integer of the width, so that nothing was rounded.

use glassbox_values::{Bits, Float, RoundingMode, Signedness};

use super::float_convert::holds_integers;
use crate::intern::{TermId, Terms};
use crate::op::{FpOp, Op};

/// An integer under an exact conversion to float.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Disguised {
    integer: TermId,
    signedness: Signedness,
}

fn disguised(terms: &Terms, term: TermId) -> Option<Disguised> {
    let Op::Fp(FpOp::FromInt { format, signedness, .. }) = terms.op(term) else { return None };
    let integer = terms.arg(term, 0);
    holds_integers(format, signedness, terms.width(integer))
        .then_some(Disguised { integer, signedness })
}

/// `op(a, b)` for `FpEq`, `FpLt` or `FpLe` as a comparison of integers.
pub(super) fn compare(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let (left, right) = (disguised(terms, a), disguised(terms, b));
    match (left, right) {
        (Some(left), Some(right)) => {
            let same = left.signedness == right.signedness
                && terms.width(left.integer) == terms.width(right.integer);
            if same { both(terms, op, left, right) } else { None }
        }
        (Some(left), None) => {
            let constant = terms.as_float_const(b)?;
            with_constant_right(terms, op, left, constant)
        }
        (None, Some(right)) => {
            let constant = terms.as_float_const(a)?;
            with_constant_left(terms, op, constant, right)
        }
        (None, None) => None,
    }
}

fn both(terms: &mut Terms, op: Op, a: Disguised, b: Disguised) -> Option<TermId> {
    let (x, y) = (a.integer, b.integer);
    Some(match (op, a.signedness) {
        (Op::Fp(FpOp::Lt), Signedness::Signed) => terms.bv_slt(x, y),
        (Op::Fp(FpOp::Lt), Signedness::Unsigned) => terms.bv_ult(x, y),
        (Op::Fp(FpOp::Le), Signedness::Signed) => terms.bv_sle(x, y),
        (Op::Fp(FpOp::Le), Signedness::Unsigned) => terms.bv_ule(x, y),
        (Op::Fp(FpOp::Eq), _) => terms.eq(x, y),
        _ => return None,
    })
}

// The constant is not NaN: comparisons have dealt with that.
fn with_constant_right(terms: &mut Terms, op: Op, a: Disguised, constant: Float) -> Option<TermId> {
    Some(match op {
        // a < c is a < ceil(c), a <= c is a < floor(c) + 1.
        Op::Fp(FpOp::Lt) => below(terms, a, whole(constant, RoundingMode::TowardPositive)),
        Op::Fp(FpOp::Le) => {
            below(terms, a, whole(constant, RoundingMode::TowardNegative).saturating_add(1))
        }
        Op::Fp(FpOp::Eq) => equals(terms, a, constant),
        _ => return None,
    })
}

fn with_constant_left(terms: &mut Terms, op: Op, constant: Float, b: Disguised) -> Option<TermId> {
    let not_above = match op {
        // c < b is not b < floor(c) + 1, c <= b is not b < ceil(c).
        Op::Fp(FpOp::Lt) => {
            below(terms, b, whole(constant, RoundingMode::TowardNegative).saturating_add(1))
        }
        Op::Fp(FpOp::Le) => below(terms, b, whole(constant, RoundingMode::TowardPositive)),
        Op::Fp(FpOp::Eq) => return Some(equals(terms, b, constant)),
        _ => return None,
    };
    Some(terms.not(not_above))
}

// Rounded to a whole number; what is too large for 128 bits is beyond every integer compared here.
fn whole(constant: Float, rounding: RoundingMode) -> i128 {
    match constant.to_int(rounding, 128, Signedness::Signed) {
        Some(bits) => bits.signed(),
        None if constant.is_negative() => i128::MIN,
        None => i128::MAX,
    }
}

fn range(terms: &Terms, a: Disguised) -> (i128, i128) {
    let width = terms.width(a.integer);
    // A format holds at most 53 digits, so the width is far below 128.
    match a.signedness {
        Signedness::Signed => (Bits::min_signed(width).signed(), Bits::max_signed(width).signed()),
        Signedness::Unsigned => (0, Bits::ones(width).unsigned().cast_signed()),
    }
}

fn below(terms: &mut Terms, a: Disguised, bound: i128) -> TermId {
    let (lo, hi) = range(terms, a);
    if bound <= lo {
        return terms.bool_const(false);
    }
    if bound > hi {
        return terms.bool_const(true);
    }
    let bound = terms.bv_s(bound, terms.width(a.integer));
    match a.signedness {
        Signedness::Signed => terms.bv_slt(a.integer, bound),
        Signedness::Unsigned => terms.bv_ult(a.integer, bound),
    }
}

fn equals(terms: &mut Terms, a: Disguised, constant: Float) -> TermId {
    let value = whole(constant, RoundingMode::TowardZero);
    let (lo, hi) = range(terms, a);
    if !constant.is_integral() || value < lo || hi < value {
        return terms.bool_const(false);
    }
    let value = terms.bv_s(value, terms.width(a.integer));
    terms.eq(a.integer, value)
}

/// Whether a converted integer is zero: also when it was rounded, since no other rounds to zero.
pub(super) fn is_zero(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let Op::Fp(FpOp::FromInt { .. }) = terms.op(a) else { return None };
    let integer = terms.arg(a, 0);
    let zero = terms.bv_const(Bits::zero(terms.width(integer)));
    Some(terms.eq(integer, zero))
}

/// Whether a converted integer is negative: zero becomes +0, and rounding keeps the sign.
pub(super) fn is_negative(terms: &mut Terms, a: TermId) -> Option<TermId> {
    let Op::Fp(FpOp::FromInt { signedness, .. }) = terms.op(a) else { return None };
    let integer = terms.arg(a, 0);
    match signedness {
        Signedness::Signed => {
            let zero = terms.bv_const(Bits::zero(terms.width(integer)));
            Some(terms.bv_slt(integer, zero))
        }
        Signedness::Unsigned => Some(terms.bool_const(false)),
    }
}
