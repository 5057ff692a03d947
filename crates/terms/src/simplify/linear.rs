//! Sums, differences and negation: constants are collected at the top, equal bases are merged.
//!
//! Normal form of a term with a constant part: `base + c`, or `c - base` when the base is negated.
//! Two summands are merged only when that leaves fewer operators; there is no search through
//! longer sums.

use glassbox_values::Bits;

use super::{fold, multiply};
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

/// A term read as `±base + constant`; without a base it is the constant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) base: Option<TermId>,
    pub(super) negative: bool,
    pub(super) constant: Bits,
}

impl Part {
    pub(super) fn of(terms: &Terms, term: TermId) -> Part {
        let zero = Bits::zero(terms.width(term));
        match terms.op(term) {
            Op::BvConst(constant) => Part { base: None, negative: false, constant },
            Op::Bv(BvOp::Neg) => {
                Part { base: Some(terms.arg(term, 0)), negative: true, constant: zero }
            }
            Op::Bv(BvOp::Add) => match terms.as_bv_const(terms.arg(term, 1)) {
                Some(constant) => {
                    Part { base: Some(terms.arg(term, 0)), negative: false, constant }
                }
                None => Part { base: Some(term), negative: false, constant: zero },
            },
            Op::Bv(BvOp::Sub) => match terms.as_bv_const(terms.arg(term, 0)) {
                Some(constant) => Part { base: Some(terms.arg(term, 1)), negative: true, constant },
                None => Part { base: Some(term), negative: false, constant: zero },
            },
            _ => Part { base: Some(term), negative: false, constant: zero },
        }
    }

    fn negated(self) -> Part {
        Part { base: self.base, negative: !self.negative, constant: self.constant.neg() }
    }
}

impl Terms {
    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Bv(BvOp::Add), a, b) {
            return folded;
        }
        let (a, b) = (Part::of(self, a), Part::of(self, b));
        sum(self, a, b)
    }

    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Bv(BvOp::Sub), a, b) {
            return folded;
        }
        let (a, b) = (Part::of(self, a), Part::of(self, b).negated());
        sum(self, a, b)
    }

    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        if let Some(folded) = fold::unary(self, Op::Bv(BvOp::Neg), a) {
            return folded;
        }
        let part = Part::of(self, a).negated();
        let base = part.base.expect("constants were folded");
        attach(self, base, part.negative, part.constant)
    }
}

fn sum(terms: &mut Terms, a: Part, b: Part) -> TermId {
    let constant = a.constant.add(b.constant);
    match (a.base, b.base) {
        (None, None) => terms.bv_const(constant),
        (Some(base), None) => attach(terms, base, a.negative, constant),
        (None, Some(base)) => attach(terms, base, b.negative, constant),
        (Some(x), Some(y)) => {
            if let Some(merged) = merge(terms, x, y, [a.negative, b.negative]) {
                let constant = terms.bv_const(constant);
                return terms.bv_add(merged, constant);
            }
            let (core, negative) = match (a.negative, b.negative) {
                (false, true) => (terms.intern(BvOp::Sub, &[x, y]), false),
                (true, false) => (terms.intern(BvOp::Sub, &[y, x]), false),
                (false, false) | (true, true) => {
                    let (x, y) = terms.ordered(x, y);
                    (terms.intern(BvOp::Add, &[x, y]), a.negative)
                }
            };
            attach(terms, core, negative, constant)
        }
    }
}

/// `±base + constant` in normal form; `base` is not a constant.
fn attach(terms: &mut Terms, base: TermId, negative: bool, constant: Bits) -> TermId {
    if negative {
        return attach_negated(terms, base, constant);
    }
    if constant.is_zero() {
        return base;
    }
    // ~x + c = (c - 1) - x
    if let Some(inner) = terms.unary(Op::Bv(BvOp::Not), base) {
        return attach(terms, inner, true, constant.sub(Bits::one(constant.width())));
    }
    let part = Part::of(terms, base);
    if part.base != Some(base) {
        return sum(terms, part, Part { base: None, negative: false, constant });
    }
    let constant = terms.bv_const(constant);
    terms.intern(BvOp::Add, &[base, constant])
}

fn attach_negated(terms: &mut Terms, base: TermId, constant: Bits) -> TermId {
    // c - ~x = x + (c + 1)
    if let Some(inner) = terms.unary(Op::Bv(BvOp::Not), base) {
        return attach(terms, inner, false, constant.add(Bits::one(constant.width())));
    }
    // -(x - y) = y - x, and -(c * x) = (-c) * x: no negation is needed.
    if let Some((x, y)) = terms.binary(Op::Bv(BvOp::Sub), base)
        && !terms.is_const(x)
    {
        let swapped = terms.intern(BvOp::Sub, &[y, x]);
        return attach(terms, swapped, false, constant);
    }
    if let Some((x, factor)) = terms.with_const(Op::Bv(BvOp::Mul), base)
        && constant.is_zero()
    {
        return multiply::scale(terms, x, factor.neg());
    }
    let part = Part::of(terms, base);
    if part.base != Some(base) {
        return sum(terms, part.negated(), Part { base: None, negative: false, constant });
    }
    if constant.is_zero() {
        terms.intern(BvOp::Neg, &[base])
    } else if constant.is_ones() {
        terms.bv_not(base)
    } else {
        let constant = terms.bv_const(constant);
        terms.intern(BvOp::Sub, &[constant, base])
    }
}

/// `±x ± y` when the two collapse into one term.
fn merge(terms: &mut Terms, x: TermId, y: TermId, negative: [bool; 2]) -> Option<TermId> {
    let [x_neg, y_neg] = negative;
    let (x_factor, x_base) = multiply::factor_of(terms, x);
    let (y_factor, y_base) = multiply::factor_of(terms, y);
    if x_base == y_base {
        let signed = |factor: Bits, negative| if negative { factor.neg() } else { factor };
        let factor = signed(x_factor, x_neg).add(signed(y_factor, y_neg));
        return Some(multiply::scale(terms, x_base, factor));
    }
    // x + ~x is all ones.
    let complements = terms.unary(Op::Bv(BvOp::Not), x) == Some(y)
        || terms.unary(Op::Bv(BvOp::Not), y) == Some(x);
    if complements && x_neg == y_neg {
        let ones = Bits::ones(terms.width(x));
        return Some(terms.bv_const(if x_neg { ones.neg() } else { ones }));
    }
    match (x_neg, y_neg) {
        (false, false) => cancel_sum(terms, x, y).or_else(|| cancel_sum(terms, y, x)),
        (false, true) => cancel_difference(terms, x, y),
        (true, false) => cancel_difference(terms, y, x),
        (true, true) => None,
    }
}

// (p - y) + y = p
fn cancel_sum(terms: &Terms, x: TermId, y: TermId) -> Option<TermId> {
    let (p, q) = terms.binary(Op::Bv(BvOp::Sub), x)?;
    (q == y).then_some(p)
}

// (y + z) - y = z; x - (x + z) = -z; x - (x - z) = z; (y - z) - y = -z
fn cancel_difference(terms: &mut Terms, x: TermId, y: TermId) -> Option<TermId> {
    if let Some((p, q)) = terms.binary(Op::Bv(BvOp::Add), x) {
        if p == y {
            return Some(q);
        }
        if q == y {
            return Some(p);
        }
    }
    if let Some((p, q)) = terms.binary(Op::Bv(BvOp::Add), y) {
        if p == x {
            return Some(terms.bv_neg(q));
        }
        if q == x {
            return Some(terms.bv_neg(p));
        }
    }
    if let Some((p, q)) = terms.binary(Op::Bv(BvOp::Sub), y)
        && p == x
    {
        return Some(q);
    }
    if let Some((p, q)) = terms.binary(Op::Bv(BvOp::Sub), x)
        && p == y
    {
        return Some(terms.bv_neg(q));
    }
    None
}
