//! Float arithmetic: only what holds for every NaN, infinity, zero and rounding direction.

use glassbox_values::{Float, RoundingMode, Sign};

use super::fold;
use crate::intern::{TermId, Terms};
use crate::op::{FpOp, Op};

impl Terms {
    pub fn fp_add(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        let op = Op::Fp(FpOp::Add(rounding));
        if let Some(done) = fold_or_nan(self, op, a, b) {
            return done;
        }
        let (a, b) = self.ordered(a, b);
        if self.as_float_const(b).is_some_and(|zero| is_neutral_addend(zero, rounding)) {
            return a;
        }
        self.intern(op, &[a, b])
    }

    pub fn fp_sub(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        let op = Op::Fp(FpOp::Sub(rounding));
        if let Some(done) = fold_or_nan(self, op, a, b) {
            return done;
        }
        if self.as_float_const(b).is_some_and(|zero| is_neutral_addend(zero.neg(), rounding)) {
            return a;
        }
        // x - y is x + (-y) to the last bit.
        if let Some(inner) = self.unary(Op::Fp(FpOp::Neg), b) {
            return self.fp_add(rounding, a, inner);
        }
        self.intern(op, &[a, b])
    }

    pub fn fp_mul(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        let op = Op::Fp(FpOp::Mul(rounding));
        if let Some(done) = fold_or_nan(self, op, a, b) {
            return done;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(done) = unit(self, a, b) {
            return done;
        }
        let (a, b) = drop_signs(self, a, b);
        let (a, b) = self.ordered(a, b);
        self.intern(op, &[a, b])
    }

    pub fn fp_div(&mut self, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
        let op = Op::Fp(FpOp::Div(rounding));
        if let Some(done) = fold_or_nan(self, op, a, b) {
            return done;
        }
        if let Some(done) = unit(self, a, b) {
            return done;
        }
        // Division by a power of two is multiplication by its reciprocal: the same exact number is
        // rounded.
        if let Some(reciprocal) = self.as_float_const(b).and_then(exact_reciprocal) {
            let reciprocal = self.float_const(reciprocal);
            return self.fp_mul(rounding, a, reciprocal);
        }
        let (a, b) = drop_signs(self, a, b);
        self.intern(op, &[a, b])
    }

    /// `a * b + c`, rounded once.
    pub fn fp_fma(&mut self, rounding: RoundingMode, a: TermId, b: TermId, c: TermId) -> TermId {
        let op = Op::Fp(FpOp::Fma(rounding));
        if let (Some(x), Some(y), Some(z)) =
            (self.as_float_const(a), self.as_float_const(b), self.as_float_const(c))
        {
            return self.float_const(x.fma(y, z, rounding));
        }
        if [a, b, c].iter().any(|&arg| is_nan(self, arg)) {
            return self.float_const(Float::nan(self.format(a)));
        }
        let (a, b) = self.ordered(a, b);
        if unit(self, a, b) == Some(a) {
            return self.fp_add(rounding, a, c);
        }
        self.intern(op, &[a, b, c])
    }

    pub fn fp_sqrt(&mut self, rounding: RoundingMode, a: TermId) -> TermId {
        let op = Op::Fp(FpOp::Sqrt(rounding));
        fold::unary(self, op, a).unwrap_or_else(|| self.intern(op, &[a]))
    }

    pub fn fp_round_to_integral(&mut self, rounding: RoundingMode, a: TermId) -> TermId {
        let op = Op::Fp(FpOp::RoundToIntegral(rounding));
        if let Some(folded) = fold::unary(self, op, a) {
            return folded;
        }
        if let Op::Fp(FpOp::RoundToIntegral(_)) = self.op(a) { a } else { self.intern(op, &[a]) }
    }

    pub fn fp_neg(&mut self, a: TermId) -> TermId {
        if let Some(folded) = fold::unary(self, Op::Fp(FpOp::Neg), a) {
            return folded;
        }
        self.unary(Op::Fp(FpOp::Neg), a).unwrap_or_else(|| self.intern(FpOp::Neg, &[a]))
    }

    pub fn fp_abs(&mut self, a: TermId) -> TermId {
        if let Some(folded) = fold::unary(self, Op::Fp(FpOp::Abs), a) {
            return folded;
        }
        match self.op(a) {
            Op::Fp(FpOp::Abs) => a,
            Op::Fp(FpOp::Neg) => self.fp_abs(self.arg(a, 0)),
            _ => self.intern(FpOp::Abs, &[a]),
        }
    }

    pub fn fp_rem(&mut self, a: TermId, b: TermId) -> TermId {
        remainder(self, Op::Fp(FpOp::Rem), a, b)
    }

    pub fn fp_fmod(&mut self, a: TermId, b: TermId) -> TermId {
        remainder(self, Op::Fp(FpOp::Fmod), a, b)
    }

    pub fn fp_min(&mut self, a: TermId, b: TermId) -> TermId {
        min_max(self, Op::Fp(FpOp::Min), a, b)
    }

    pub fn fp_max(&mut self, a: TermId, b: TermId) -> TermId {
        min_max(self, Op::Fp(FpOp::Max), a, b)
    }
}

// x + -0 is x, except that +0 + -0 rounds to -0 toward negative; there +0 is the neutral one.
fn is_neutral_addend(zero: Float, rounding: RoundingMode) -> bool {
    let neutral = match rounding {
        RoundingMode::TowardNegative => Sign::Positive,
        RoundingMode::NearestEven
        | RoundingMode::NearestAway
        | RoundingMode::TowardPositive
        | RoundingMode::TowardZero => Sign::Negative,
    };
    zero == Float::zero(neutral, zero.format())
}

fn exact_reciprocal(divisor: Float) -> Option<Float> {
    if divisor.is_zero() || !divisor.is_finite() {
        return None;
    }
    let one = Float::one(Sign::Positive, divisor.format());
    let [down, up] = [RoundingMode::TowardNegative, RoundingMode::TowardPositive]
        .map(|rounding| one.div(divisor, rounding));
    (down == up && down.is_finite() && !down.is_zero()).then_some(down)
}

// x * 1 and x / 1 are x; with -1 they are -x.
fn unit(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let constant = terms.as_float_const(b)?;
    if constant == Float::one(Sign::Positive, constant.format()) {
        return Some(a);
    }
    (constant == Float::one(Sign::Negative, constant.format())).then(|| terms.fp_neg(a))
}

// The operands of a product or quotient without the two signs that cancel.
fn drop_signs(terms: &mut Terms, a: TermId, b: TermId) -> (TermId, TermId) {
    let Some(x) = terms.unary(Op::Fp(FpOp::Neg), a) else {
        let (Some(constant), Some(y)) =
            (terms.as_float_const(a), terms.unary(Op::Fp(FpOp::Neg), b))
        else {
            return (a, b);
        };
        return (terms.float_const(constant.neg()), y);
    };
    if let Some(y) = terms.unary(Op::Fp(FpOp::Neg), b) {
        return (x, y);
    }
    match terms.as_float_const(b) {
        Some(constant) => (x, terms.float_const(constant.neg())),
        None => (a, b),
    }
}

fn remainder(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> TermId {
    if let Some(done) = fold_or_nan(terms, op, a, b) {
        return done;
    }
    // The sign of the divisor does not matter.
    if let Op::Fp(FpOp::Neg | FpOp::Abs) = terms.op(b) {
        return remainder(terms, op, a, terms.arg(b, 0));
    }
    terms.intern(op, &[a, b])
}

fn min_max(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> TermId {
    if a == b {
        return a;
    }
    if let Some(folded) = fold::binary(terms, op, a, b) {
        return folded;
    }
    if is_nan(terms, a) {
        return b;
    }
    if is_nan(terms, b) {
        return a;
    }
    terms.intern(op, &[a, b])
}

// Two constants, or one NaN that every arithmetic operation keeps.
fn fold_or_nan(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(folded) = fold::binary(terms, op, a, b) {
        return Some(folded);
    }
    if is_nan(terms, a) || is_nan(terms, b) {
        return Some(terms.float_const(Float::nan(terms.format(a))));
    }
    None
}

fn is_nan(terms: &Terms, term: TermId) -> bool {
    terms.as_float_const(term).is_some_and(Float::is_nan)
}
