//! Order comparisons.
//!
//! Normal form with a constant: strict, `x < c` or `c < x`, and an equality where only one value is
//! left or missing. Without a constant both `<` and `<=` exist. The negation of a comparison is the
//! opposite comparison, never a `not`.

use glassbox_values::Signedness::{Signed, Unsigned};
use glassbox_values::{Bits, Signedness};

use super::pattern::Extension;
use super::{bounds, choice, fold};
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

impl Terms {
    pub fn bv_ult(&mut self, a: TermId, b: TermId) -> TermId {
        less(self, Unsigned, a, b)
    }

    pub fn bv_ule(&mut self, a: TermId, b: TermId) -> TermId {
        less_equal(self, Unsigned, a, b)
    }

    pub fn bv_slt(&mut self, a: TermId, b: TermId) -> TermId {
        less(self, Signed, a, b)
    }

    pub fn bv_sle(&mut self, a: TermId, b: TermId) -> TermId {
        less_equal(self, Signed, a, b)
    }
}

fn less_op(signedness: Signedness) -> Op {
    match signedness {
        Unsigned => Op::Bv(BvOp::Ult),
        Signed => Op::Bv(BvOp::Slt),
    }
}

fn less_equal_op(signedness: Signedness) -> Op {
    match signedness {
        Unsigned => Op::Bv(BvOp::Ule),
        Signed => Op::Bv(BvOp::Sle),
    }
}

/// `a < b`.
fn less(terms: &mut Terms, signedness: Signedness, a: TermId, b: TermId) -> TermId {
    let op = less_op(signedness);
    if let Some(folded) = fold::binary(terms, op, a, b) {
        return folded;
    }
    if let Some(pushed) = choice::push_into_chain(terms, op, a, b) {
        return pushed;
    }
    if a == b {
        return terms.bool_const(false);
    }
    if let Some(bound) = terms.as_bv_const(b) {
        return below(terms, signedness, a, bound);
    }
    if let Some(bound) = terms.as_bv_const(a) {
        return above(terms, signedness, bound, b);
    }
    if let Some((signedness, a, b)) = narrow(terms, signedness, a, b) {
        return less(terms, signedness, a, b);
    }
    terms.intern(op, &[a, b])
}

/// `a <= b`.
fn less_equal(terms: &mut Terms, signedness: Signedness, a: TermId, b: TermId) -> TermId {
    let op = less_equal_op(signedness);
    if let Some(folded) = fold::binary(terms, op, a, b) {
        return folded;
    }
    if let Some(pushed) = choice::push_into_chain(terms, op, a, b) {
        return pushed;
    }
    if a == b {
        return terms.bool_const(true);
    }
    let width = terms.width(a);
    if let Some(bound) = terms.as_bv_const(b) {
        if bound == Bits::max_value(signedness, width) {
            return terms.bool_const(true);
        }
        return below(terms, signedness, a, bound.add(Bits::one(width)));
    }
    if let Some(bound) = terms.as_bv_const(a) {
        if bound == Bits::min_value(signedness, width) {
            return terms.bool_const(true);
        }
        return above(terms, signedness, bound.sub(Bits::one(width)), b);
    }
    if let Some((signedness, a, b)) = narrow(terms, signedness, a, b) {
        return less_equal(terms, signedness, a, b);
    }
    terms.intern(op, &[a, b])
}

// `a < bound`.
fn below(terms: &mut Terms, signedness: Signedness, a: TermId, bound: Bits) -> TermId {
    let width = bound.width();
    let (min, max) = (Bits::min_value(signedness, width), Bits::max_value(signedness, width));
    if bound == min {
        return terms.bool_const(false);
    }
    let last = bound.sub(Bits::one(width));
    if last == min {
        let min = terms.bv_const(min);
        return terms.eq(a, min);
    }
    if bound == max {
        let max = terms.bv_const(max);
        return terms.ne(a, max);
    }
    if let Some(decided) = decided_below(terms, signedness, a, bound) {
        return terms.bool_const(decided);
    }
    if let Some((extension, inner)) = terms.as_extended(a) {
        return below_extended(terms, signedness, extension, inner, bound);
    }
    let bound = terms.bv_const(bound);
    terms.intern(less_op(signedness), &[a, bound])
}

// `bound < a`.
fn above(terms: &mut Terms, signedness: Signedness, bound: Bits, a: TermId) -> TermId {
    let width = bound.width();
    let (min, max) = (Bits::min_value(signedness, width), Bits::max_value(signedness, width));
    if bound == max {
        return terms.bool_const(false);
    }
    let first = bound.add(Bits::one(width));
    if first == max {
        let max = terms.bv_const(max);
        return terms.eq(a, max);
    }
    if bound == min {
        let min = terms.bv_const(min);
        return terms.ne(a, min);
    }
    if let Some(decided) = decided_below(terms, signedness, a, first) {
        return terms.bool_const(!decided);
    }
    if let Some((extension, inner)) = terms.as_extended(a) {
        let not_above = below_extended(terms, signedness, extension, inner, first);
        return terms.not(not_above);
    }
    let bound = terms.bv_const(bound);
    terms.intern(less_op(signedness), &[bound, a])
}

// Whether `a < bound` follows from cheap bounds.
fn decided_below(terms: &Terms, signedness: Signedness, a: TermId, bound: Bits) -> Option<bool> {
    match signedness {
        Unsigned => (bounds::unsigned_max(terms, a) < bound.unsigned()).then_some(true),
        Signed => {
            let (lo, hi) = bounds::signed_range(terms, a);
            if hi < bound.signed() {
                Some(true)
            } else if bound.signed() <= lo {
                Some(false)
            } else {
                None
            }
        }
    }
}

/// `extend(inner) < bound` in the inner width; the bound is not the minimum.
fn below_extended(
    terms: &mut Terms,
    signedness: Signedness,
    extension: Extension,
    inner: TermId,
    bound: Bits,
) -> TermId {
    let narrow = terms.width(inner);
    if narrow == bound.width() {
        let bound = terms.bv_const(bound);
        return less(terms, signedness, inner, bound);
    }
    let cut = terms.bv_const(bound.extract(narrow - 1, 0));
    match (signedness, extension) {
        // The bounds decided what lies outside 0..2^narrow; what is left compares unsigned.
        (Unsigned | Signed, Extension::Zero) => {
            if signedness == Signed && bound.sign_bit() {
                return terms.bool_const(false);
            }
            if bound.unsigned() >> narrow != 0 {
                return terms.bool_const(true);
            }
            less(terms, Unsigned, inner, cut)
        }
        (Signed, Extension::Sign) => {
            let (lo, hi) = (Bits::min_signed(narrow).signed(), Bits::max_signed(narrow).signed());
            if bound.signed() <= lo {
                return terms.bool_const(false);
            }
            if hi < bound.signed() {
                return terms.bool_const(true);
            }
            less(terms, Signed, inner, cut)
        }
        (Unsigned, Extension::Sign) => {
            // The wide numbers are the low half of the narrow ones, then a gap, then the high half.
            let half = Bits::min_signed(narrow).unsigned();
            let high_half = Bits::min_signed(narrow).sign_extend(bound.width()).unsigned();
            if half < bound.unsigned() && bound.unsigned() <= high_half {
                let zero = terms.bv_const(Bits::zero(narrow));
                return less_equal(terms, Signed, zero, inner);
            }
            less(terms, Unsigned, inner, cut)
        }
    }
}

// What both sides were widened from, and how to compare that.
fn narrow(
    terms: &mut Terms,
    signedness: Signedness,
    a: TermId,
    b: TermId,
) -> Option<(Signedness, TermId, TermId)> {
    let (a_extension, a_inner) = terms.as_extended(a)?;
    let (b_extension, b_inner) = terms.as_extended(b)?;
    if a_extension != b_extension {
        return None;
    }
    let wide = terms.width(a);
    let common = terms.width(a_inner).max(terms.width(b_inner));
    if common == wide {
        return None;
    }
    // Zero-extended numbers have no sign; sign extension keeps both orders.
    let signedness = match a_extension {
        Extension::Zero => Unsigned,
        Extension::Sign => signedness,
    };
    let a = terms.extend(a_extension, common, a_inner);
    let b = terms.extend(b_extension, common, b_inner);
    Some((signedness, a, b))
}
