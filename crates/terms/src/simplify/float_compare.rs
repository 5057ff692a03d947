//! IEEE comparisons. Negation does not flip them: both `x < y` and `y <= x` fail on NaN.

use glassbox_values::{Float, RoundingMode, Sign};

use super::float_convert::is_exact;
use super::{float_of_int, fold};
use crate::intern::{TermId, Terms};
use crate::op::{FpOp, Op};

impl Terms {
    /// IEEE equality: false on NaN, -0 equals +0.
    pub fn fp_eq(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Fp(FpOp::Eq), a, b) {
            return folded;
        }
        if a == b {
            return not_nan(self, a);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_float_const(b) {
            if constant.is_nan() {
                return self.bool_const(false);
            }
            if constant.is_zero() {
                return self.fp_is_zero(a);
            }
            if let Some(of_integers) = float_of_int::compare(self, Op::Fp(FpOp::Eq), a, b) {
                return of_integers;
            }
            // Every other number has one encoding.
            return self.eq_after_widening(a, constant);
        }
        if let Some(simpler) = simpler_operands(self, Op::Fp(FpOp::Eq), a, b) {
            return simpler;
        }
        self.intern(FpOp::Eq, &[a, b])
    }

    pub fn fp_le(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Fp(FpOp::Le), a, b) {
            return folded;
        }
        if is_nan(self, a) || is_nan(self, b) {
            return self.bool_const(false);
        }
        if a == b {
            return not_nan(self, a);
        }
        if let Some(constant) = self.as_float_const(a)
            && constant == Float::infinity(Sign::Negative, constant.format())
        {
            return not_nan(self, b);
        }
        if let Some(constant) = self.as_float_const(b)
            && constant == Float::infinity(Sign::Positive, constant.format())
        {
            return not_nan(self, a);
        }
        if let Some(simpler) = simpler_operands(self, Op::Fp(FpOp::Le), a, b) {
            return simpler;
        }
        self.intern(FpOp::Le, &[a, b])
    }

    pub fn fp_lt(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = fold::binary(self, Op::Fp(FpOp::Lt), a, b) {
            return folded;
        }
        if a == b || is_nan(self, a) || is_nan(self, b) {
            return self.bool_const(false);
        }
        let is_infinity = |this: &Terms, term, sign| {
            this.as_float_const(term)
                .is_some_and(|float| float == Float::infinity(sign, float.format()))
        };
        if is_infinity(self, a, Sign::Positive) || is_infinity(self, b, Sign::Negative) {
            return self.bool_const(false);
        }
        if let Some(simpler) = simpler_operands(self, Op::Fp(FpOp::Lt), a, b) {
            return simpler;
        }
        self.intern(FpOp::Lt, &[a, b])
    }
}

impl Terms {
    // `a = constant` for a constant that is neither NaN nor a zero.
    fn eq_after_widening(&mut self, a: TermId, constant: Float) -> TermId {
        if let Some(inner) = widened_from(self, a) {
            return match narrowed(constant, self, inner) {
                Some(narrow) => {
                    let narrow = self.float_const(narrow);
                    self.fp_eq(inner, narrow)
                }
                None => self.bool_const(false),
            };
        }
        let constant = self.float_const(constant);
        self.eq(a, constant)
    }
}

// Widening before a comparison, and signs on both sides, do not matter.
fn simpler_operands(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(of_integers) = float_of_int::compare(terms, op, a, b) {
        return Some(of_integers);
    }
    if let (Some(x), Some(y)) = (unsigned_operand(terms, a), unsigned_operand(terms, b))
        && (terms.op(a) == Op::Fp(FpOp::Neg) || terms.op(b) == Op::Fp(FpOp::Neg))
    {
        return Some(terms.make(op, &[y, x]));
    }
    let (x, y) = (widened_from(terms, a), widened_from(terms, b));
    match (x, y) {
        (Some(x), Some(y)) if terms.sort(x) == terms.sort(y) => Some(terms.make(op, &[x, y])),
        (Some(x), None) => {
            let constant = narrowed(terms.as_float_const(b)?, terms, x)?;
            let constant = terms.float_const(constant);
            Some(terms.make(op, &[x, constant]))
        }
        (None, Some(y)) => {
            let constant = narrowed(terms.as_float_const(a)?, terms, y)?;
            let constant = terms.float_const(constant);
            Some(terms.make(op, &[constant, y]))
        }
        (Some(_), Some(_)) | (None, None) => None,
    }
}

// The operand with its sign flipped, when that costs nothing.
fn unsigned_operand(terms: &mut Terms, term: TermId) -> Option<TermId> {
    if let Some(inner) = terms.unary(Op::Fp(FpOp::Neg), term) {
        return Some(inner);
    }
    let constant = terms.as_float_const(term)?;
    Some(terms.float_const(constant.neg()))
}

fn widened_from(terms: &Terms, term: TermId) -> Option<TermId> {
    let Op::Fp(FpOp::ToFp { format, .. }) = terms.op(term) else { return None };
    let inner = terms.arg(term, 0);
    is_exact(terms.format(inner), format).then_some(inner)
}

// The constant in the format of `like`, if it is a number of that format.
fn narrowed(constant: Float, terms: &Terms, like: TermId) -> Option<Float> {
    let narrow = constant.convert(terms.format(like), RoundingMode::TowardZero);
    let back = narrow.convert(constant.format(), RoundingMode::TowardZero);
    (back == constant).then_some(narrow)
}

fn not_nan(terms: &mut Terms, a: TermId) -> TermId {
    let nan = terms.fp_is_nan(a);
    terms.not(nan)
}

fn is_nan(terms: &Terms, term: TermId) -> bool {
    terms.as_float_const(term).is_some_and(Float::is_nan)
}
