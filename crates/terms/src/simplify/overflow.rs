//! Overflow predicates: against a constant they are comparisons.

use glassbox_values::Signedness::{Signed, Unsigned};
use glassbox_values::{Bits, Signedness};

use super::{bounds, fold};
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

impl Terms {
    /// Whether the exact result does not fit.
    pub fn bv_add_overflow(&mut self, signedness: Signedness, a: TermId, b: TermId) -> TermId {
        let op = Op::Bv(BvOp::AddOverflow(signedness));
        if let Some(folded) = fold::binary(self, op, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        if fits(self, signedness, a, b, i128::checked_add, u128::checked_add) {
            return self.bool_const(false);
        }
        if let Some(constant) = self.as_bv_const(b) {
            let width = constant.width();
            let (max, min) =
                (Bits::max_value(signedness, width), Bits::min_value(signedness, width));
            return match signedness {
                // max - c < a
                Unsigned => above(self, Unsigned, max.sub(constant), a),
                Signed if !constant.sign_bit() => above(self, Signed, max.sub(constant), a),
                // a < min - c
                Signed => below(self, Signed, a, min.sub(constant)),
            };
        }
        self.intern(op, &[a, b])
    }

    /// Whether the exact result does not fit.
    pub fn bv_sub_overflow(&mut self, signedness: Signedness, a: TermId, b: TermId) -> TermId {
        let op = Op::Bv(BvOp::SubOverflow(signedness));
        if let Some(folded) = fold::binary(self, op, a, b) {
            return folded;
        }
        if signedness == Unsigned {
            return self.bv_ult(a, b);
        }
        if a == b || fits(self, signedness, a, b, i128::checked_sub, u128::checked_sub) {
            return self.bool_const(false);
        }
        let width = self.width(a);
        let (max, min) = (Bits::max_signed(width), Bits::min_signed(width));
        if let Some(constant) = self.as_bv_const(b) {
            return if constant.sign_bit() {
                // a - c > max
                above(self, Signed, max.add(constant), a)
            } else {
                below(self, Signed, a, min.add(constant))
            };
        }
        if let Some(constant) = self.as_bv_const(a) {
            return if constant.sign_bit() {
                // c - b < min
                above(self, Signed, constant.sub(min), b)
            } else {
                // c - b > max
                below(self, Signed, b, constant.sub(max))
            };
        }
        self.intern(op, &[a, b])
    }

    /// Whether the exact result does not fit.
    pub fn bv_mul_overflow(&mut self, signedness: Signedness, a: TermId, b: TermId) -> TermId {
        let op = Op::Bv(BvOp::MulOverflow(signedness));
        if let Some(folded) = fold::binary(self, op, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        if fits(self, signedness, a, b, i128::checked_mul, u128::checked_mul) {
            return self.bool_const(false);
        }
        if let Some(constant) = self.as_bv_const(b) {
            return mul_by_constant(self, signedness, a, constant);
        }
        self.intern(op, &[a, b])
    }

    /// Whether signed negation does not fit.
    pub fn bv_neg_overflow(&mut self, a: TermId) -> TermId {
        let min = self.bv_const(Bits::min_signed(self.width(a)));
        self.eq(a, min)
    }
}

fn mul_by_constant(terms: &mut Terms, signedness: Signedness, a: TermId, constant: Bits) -> TermId {
    let width = constant.width();
    if constant.is_zero() {
        return terms.bool_const(false);
    }
    if signedness == Unsigned {
        let last = Bits::ones(width).udiv(constant);
        return above(terms, Unsigned, last, a);
    }
    // Truncation is toward zero, so both ends of the fitting range are exact.
    let (min, max) = (Bits::min_signed(width), Bits::max_signed(width));
    if constant.is_ones() {
        return terms.bv_neg_overflow(a);
    }
    let (first, last) = if constant.sign_bit() {
        (max.sdiv(constant), min.sdiv(constant))
    } else {
        (min.sdiv(constant), max.sdiv(constant))
    };
    let too_low = below(terms, Signed, a, first);
    let too_high = above(terms, Signed, last, a);
    terms.or(&[too_low, too_high])
}

fn below(terms: &mut Terms, signedness: Signedness, a: TermId, bound: Bits) -> TermId {
    let bound = terms.bv_const(bound);
    match signedness {
        Unsigned => terms.bv_ult(a, bound),
        Signed => terms.bv_slt(a, bound),
    }
}

fn above(terms: &mut Terms, signedness: Signedness, bound: Bits, a: TermId) -> TermId {
    let bound = terms.bv_const(bound);
    match signedness {
        Unsigned => terms.bv_ult(bound, a),
        Signed => terms.bv_slt(bound, a),
    }
}

// Whether the exact result of a monotone or bilinear operation is in range at all corners of the
// cheap bounds of its arguments.
fn fits(
    terms: &Terms,
    signedness: Signedness,
    a: TermId,
    b: TermId,
    signed: fn(i128, i128) -> Option<i128>,
    unsigned: fn(u128, u128) -> Option<u128>,
) -> bool {
    let width = terms.width(a);
    match signedness {
        Unsigned => {
            let (a, b) = (bounds::unsigned_max(terms, a), bounds::unsigned_max(terms, b));
            unsigned(a, b).is_some_and(|result| result <= Bits::ones(width).unsigned())
        }
        Signed => {
            let (a, b) = (bounds::signed_range(terms, a), bounds::signed_range(terms, b));
            let fits = |x, y| {
                signed(x, y).is_some_and(|result| {
                    Bits::min_signed(width).signed() <= result
                        && result <= Bits::max_signed(width).signed()
                })
            };
            fits(a.0, b.0) && fits(a.0, b.1) && fits(a.1, b.0) && fits(a.1, b.1)
        }
    }
}
