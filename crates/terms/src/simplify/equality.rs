//! Equality on every sort.

use glassbox_values::Bits;

use super::linear::Part;
use super::pattern::{Extension, survives_narrowing};
use super::{choice, fold, multiply, square};
use crate::intern::{TermId, Terms};
use crate::op::{BoolOp, BvOp, FpOp, Op};
use crate::sort::Sort;

impl Terms {
    /// Equality on any sort; on floats SMT-LIB `=` (NaN = NaN, +0 ≠ -0), see `fp_eq` for IEEE.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bool_const(true);
        }
        if let Some(folded) = fold::binary(self, Op::Eq, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let simpler = match self.sort(a) {
            Sort::Bool => eq_bool(self, a, b),
            Sort::Bv(_) => eq_bv(self, a, b),
            Sort::Float(_) => eq_float(self, a, b),
            Sort::Array { .. } => None,
        };
        if let Some(simpler) = simpler {
            return simpler;
        }
        if let Some(pushed) = choice::push_into_chain(self, Op::Eq, a, b) {
            return pushed;
        }
        if let Some(dissolved) = eq_choice(self, a, b) {
            return dissolved;
        }
        self.intern(Op::Eq, &[a, b])
    }
}

fn eq_bool(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(truth) = terms.as_bool_const(b) {
        return Some(if truth { a } else { terms.not(a) });
    }
    match (terms.unary(Op::Bool(BoolOp::Not), a), terms.unary(Op::Bool(BoolOp::Not), b)) {
        (Some(a), Some(b)) => Some(terms.eq(a, b)),
        (Some(a), None) => Some(terms.xor(a, b)),
        (None, Some(b)) => Some(terms.xor(a, b)),
        (None, None) => {
            let opposite = terms.existing_not(a) == Some(b);
            opposite.then(|| terms.bool_const(false))
        }
    }
}

fn eq_float(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let constant = terms.as_float_const(b)?;
    if constant.is_nan() {
        return Some(terms.fp_is_nan(a));
    }
    let inner = terms.unary(Op::Fp(FpOp::Neg), a)?;
    let opposite = terms.float_const(constant.neg());
    Some(terms.eq(inner, opposite))
}

fn eq_bv(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(constant) = terms.as_bv_const(b) {
        return eq_bv_constant(terms, a, constant);
    }
    if let Some(narrowed) = eq_extended(terms, a, b) {
        return Some(narrowed);
    }
    if let (Some(x), Some(y)) =
        (terms.unary(Op::Bv(BvOp::Not), a), terms.unary(Op::Bv(BvOp::Not), b))
    {
        return Some(terms.eq(x, y));
    }
    if let (Some((p, q)), Some((r, s))) =
        (terms.binary(Op::Bv(BvOp::Concat), a), terms.binary(Op::Bv(BvOp::Concat), b))
        && terms.width(q) == terms.width(s)
    {
        let (high, low) = (terms.eq(p, r), terms.eq(q, s));
        return Some(terms.and(&[high, low]));
    }
    eq_linear(terms, a, b)
}

// Solves the top operator of `a` for its one argument that is not constant.
fn eq_bv_constant(terms: &mut Terms, a: TermId, constant: Bits) -> Option<TermId> {
    let op = terms.op(a);
    match op {
        Op::Bv(BvOp::Not) => return Some(eq_constant(terms, terms.arg(a, 0), constant.not())),
        Op::Bv(BvOp::Neg) => return Some(eq_constant(terms, terms.arg(a, 0), constant.neg())),
        Op::Bv(BvOp::ZeroExtend { .. } | BvOp::SignExtend { .. }) => {
            let (extension, inner) = terms.as_extended(a)?;
            let narrow = terms.width(inner);
            if !survives_narrowing(constant, narrow, extension) {
                return Some(terms.bool_const(false));
            }
            return Some(eq_constant(terms, inner, constant.extract(narrow - 1, 0)));
        }
        _ => {}
    }
    let &[x, y] = terms.args(a) else { return None };
    match (op, terms.as_bv_const(x), terms.as_bv_const(y)) {
        (Op::Bv(BvOp::Add), _, Some(known)) => Some(eq_constant(terms, x, constant.sub(known))),
        (Op::Bv(BvOp::Sub), Some(known), _) => Some(eq_constant(terms, y, known.sub(constant))),
        (Op::Bv(BvOp::Sub), None, _) if constant.is_zero() => Some(terms.eq(x, y)),
        (Op::Bv(BvOp::Xor), _, Some(known)) => Some(eq_constant(terms, x, known.xor(constant))),
        (Op::Bv(BvOp::Xor), _, None) if constant.is_zero() => Some(terms.eq(x, y)),
        (Op::Bv(BvOp::Mul), _, Some(factor)) => eq_product(terms, x, factor, constant),
        (Op::Bv(BvOp::Mul), _, None) if x == y => Some(square::eq_square(terms, x, constant)),
        (Op::Bv(BvOp::Shl), _, Some(amount)) => {
            let factor = Bits::one(constant.width()).shl(amount);
            eq_product(terms, x, factor, constant)
        }
        (Op::Bv(BvOp::Lshr | BvOp::Ashr), _, Some(amount)) => {
            eq_shifted_right(terms, op, x, amount, constant)
        }
        (Op::Bv(BvOp::And), _, Some(mask)) => eq_masked(terms, x, mask, constant),
        (Op::Bv(BvOp::Or), _, Some(set)) if !set.and(constant.not()).is_zero() => {
            Some(terms.bool_const(false))
        }
        // Bytes of a number are compared one by one, which propagation can use at once.
        (Op::Bv(BvOp::Concat), _, _) => {
            let low = terms.width(y);
            let high_part = eq_constant(terms, x, constant.extract(constant.width() - 1, low));
            let low_part = eq_constant(terms, y, constant.extract(low - 1, 0));
            Some(terms.and(&[high_part, low_part]))
        }
        _ => None,
    }
}

// The bits under a mask in one piece are an extract.
fn eq_masked(terms: &mut Terms, x: TermId, mask: Bits, constant: Bits) -> Option<TermId> {
    if !constant.and(mask.not()).is_zero() {
        return Some(terms.bool_const(false));
    }
    if mask.is_zero() {
        return Some(terms.bool_const(true));
    }
    let (lo, length) = (mask.trailing_zeros(), mask.count_ones());
    let hi = mask.width() - 1 - mask.leading_zeros();
    if hi - lo + 1 != length {
        return None;
    }
    let bits = terms.bv_extract(hi, lo, x);
    Some(eq_constant(terms, bits, constant.extract(hi, lo)))
}

pub(super) fn eq_constant(terms: &mut Terms, a: TermId, constant: Bits) -> TermId {
    let constant = terms.bv_const(constant);
    terms.eq(a, constant)
}

// `x * factor = constant`: the odd part of the factor has an inverse, the power of two shifts.
fn eq_product(terms: &mut Terms, x: TermId, factor: Bits, constant: Bits) -> Option<TermId> {
    let width = constant.width();
    if factor.is_zero() {
        return Some(terms.bool_const(constant.is_zero()));
    }
    let shift = factor.trailing_zeros();
    if !constant.is_zero() && constant.trailing_zeros() < shift {
        return Some(terms.bool_const(false));
    }
    let kept = width - shift;
    let factor = factor.extract(width - 1, shift);
    let constant = constant.extract(width - 1, shift);
    let solution = constant.mul(inverse(factor));
    let low = terms.bv_extract(kept - 1, 0, x);
    Some(eq_constant(terms, low, solution))
}

/// The inverse of an odd number modulo 2^width.
fn inverse(odd: Bits) -> Bits {
    let width = odd.width();
    // Newton: every step doubles the number of right low bits, from the three that `odd` has.
    let two = Bits::new(2, width.max(2)).extract(width - 1, 0);
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.mul(two.sub(odd.mul(inverse)));
    }
    inverse
}

// The bits that survive the shift are compared where they came from.
fn eq_shifted_right(
    terms: &mut Terms,
    op: Op,
    x: TermId,
    amount: Bits,
    constant: Bits,
) -> Option<TermId> {
    let width = constant.width();
    let amount = u8::try_from(amount.unsigned()).ok().filter(|&amount| amount < width)?;
    let extension = if op == Op::Bv(BvOp::Lshr) { Extension::Zero } else { Extension::Sign };
    if !survives_narrowing(constant, width - amount, extension) {
        return Some(terms.bool_const(false));
    }
    let kept = terms.bv_extract(width - 1, amount, x);
    Some(eq_constant(terms, kept, constant.extract(width - amount - 1, 0)))
}

fn eq_extended(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (a_extension, a_inner) = terms.as_extended(a)?;
    let (b_extension, b_inner) = terms.as_extended(b)?;
    let common = terms.width(a_inner).max(terms.width(b_inner));
    if a_extension != b_extension || common == terms.width(a) {
        return None;
    }
    let a = terms.extend(a_extension, common, a_inner);
    let b = terms.extend(b_extension, common, b_inner);
    Some(terms.eq(a, b))
}

// Constants of both sides are joined, common summands dropped.
fn eq_linear(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (a_part, b_part) = (Part::of(terms, a), Part::of(terms, b));
    let (x, y) = (a_part.base?, b_part.base?);
    if a_part.negative == b_part.negative {
        if x == y {
            let same = a_part.constant == b_part.constant;
            return Some(terms.bool_const(same));
        }
        let has_both = !a_part.constant.is_zero() && !b_part.constant.is_zero();
        if has_both || a_part.negative {
            // ±x + c = ±y + d becomes x = y ± (d - c).
            let difference = b_part.constant.sub(a_part.constant);
            let offset = if a_part.negative { difference.neg() } else { difference };
            let offset = terms.bv_const(offset);
            let moved = terms.bv_add(y, offset);
            return Some(terms.eq(x, moved));
        }
    }
    if a_part.constant.is_zero() && b_part.constant.is_zero() {
        return eq_common(terms, a, b);
    }
    None
}

fn eq_common(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for op in [Op::Bv(BvOp::Add), Op::Bv(BvOp::Xor)] {
        let (a_args, b_args) = (terms.binary(op, a), terms.binary(op, b));
        if let (Some((p, q)), Some((r, s))) = (a_args, b_args) {
            for (common_a, rest_a, common_b, rest_b) in
                [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)]
            {
                if common_a == common_b {
                    return Some(terms.eq(rest_a, rest_b));
                }
            }
        }
        for (sum, other) in [(a_args, b), (b_args, a)] {
            if let Some((p, q)) = sum {
                let rest = if p == other {
                    Some(q)
                } else if q == other {
                    Some(p)
                } else {
                    None
                };
                if let Some(rest) = rest {
                    return Some(eq_constant(terms, rest, Bits::zero(terms.width(a))));
                }
            }
        }
    }
    for (difference, other) in [(a, b), (b, a)] {
        if let Some((p, q)) = terms.binary(Op::Bv(BvOp::Sub), difference)
            && p == other
        {
            return Some(eq_constant(terms, q, Bits::zero(terms.width(a))));
        }
    }
    // k * x = l * x is (k - l) * x = 0.
    let (a_factor, a_base) = multiply::factor_of(terms, a);
    let (b_factor, b_base) = multiply::factor_of(terms, b);
    if a_base == b_base {
        let scaled = multiply::scale(terms, a_base, a_factor.sub(b_factor));
        return Some(eq_constant(terms, scaled, Bits::zero(terms.width(a))));
    }
    None
}

/// `ite(c, a, b) = a` and, for constants, `ite(c, k, b) = l`: the choice dissolves into its
/// condition. Only where the rest is no longer chain, so that the work is bounded.
fn eq_choice(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for (choice, other) in [(a, b), (b, a)] {
        if let Some((condition, then, otherwise)) = terms.as_ite(choice) {
            if decides(terms, then, other) && terms.op(otherwise) != Op::Ite {
                let rest = terms.eq(otherwise, other);
                return Some(if then == other {
                    terms.or(&[condition, rest])
                } else {
                    let not_condition = terms.not(condition);
                    terms.and(&[not_condition, rest])
                });
            }
            if decides(terms, otherwise, other) && terms.op(then) != Op::Ite {
                let rest = terms.eq(then, other);
                return Some(if otherwise == other {
                    terms.implies(condition, rest)
                } else {
                    terms.and(&[condition, rest])
                });
            }
        }
    }
    None
}

// Whether it is plain that the two are equal, or plain that they are not.
fn decides(terms: &Terms, a: TermId, b: TermId) -> bool {
    a == b || (terms.is_const(a) && terms.is_const(b))
}
