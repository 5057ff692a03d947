//! Float arithmetic: only what holds for every NaN, infinity, zero and rounding direction.

use glassbox_values::{Float, RoundingMode, Sign};

use super::fold;
use crate::intern::{TermId, Terms};
use crate::op::{FpOp, Op};

pub(crate) fn add(terms: &mut Terms, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
    let op = Op::Fp(FpOp::Add(rounding));
    if let Some(done) = fold_or_nan(terms, op, a, b) {
        return done;
    }
    let (a, b) = terms.ordered(a, b);
    if terms.as_float_const(b).is_some_and(|zero| is_neutral_addend(zero, rounding)) {
        return a;
    }
    terms.intern(op, &[a, b])
}

pub(crate) fn sub(terms: &mut Terms, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
    let op = Op::Fp(FpOp::Sub(rounding));
    if let Some(done) = fold_or_nan(terms, op, a, b) {
        return done;
    }
    if terms.as_float_const(b).is_some_and(|zero| is_neutral_addend(zero.neg(), rounding)) {
        return a;
    }
    // x - y is x + (-y) to the last bit.
    if let Some(inner) = terms.unary(Op::Fp(FpOp::Neg), b) {
        return add(terms, rounding, a, inner);
    }
    terms.intern(op, &[a, b])
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

pub(crate) fn mul(terms: &mut Terms, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
    let op = Op::Fp(FpOp::Mul(rounding));
    if let Some(done) = fold_or_nan(terms, op, a, b) {
        return done;
    }
    let (a, b) = terms.ordered(a, b);
    if let Some(done) = unit(terms, a, b) {
        return done;
    }
    let (a, b) = drop_signs(terms, a, b);
    let (a, b) = terms.ordered(a, b);
    terms.intern(op, &[a, b])
}

pub(crate) fn div(terms: &mut Terms, rounding: RoundingMode, a: TermId, b: TermId) -> TermId {
    let op = Op::Fp(FpOp::Div(rounding));
    if let Some(done) = fold_or_nan(terms, op, a, b) {
        return done;
    }
    if let Some(done) = unit(terms, a, b) {
        return done;
    }
    // Division by a power of two is multiplication by its reciprocal: the same exact number is
    // rounded.
    if let Some(reciprocal) = terms.as_float_const(b).and_then(exact_reciprocal) {
        let reciprocal = terms.float_const(reciprocal);
        return mul(terms, rounding, a, reciprocal);
    }
    let (a, b) = drop_signs(terms, a, b);
    terms.intern(op, &[a, b])
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

pub(crate) fn fma(
    terms: &mut Terms,
    rounding: RoundingMode,
    a: TermId,
    b: TermId,
    c: TermId,
) -> TermId {
    let op = Op::Fp(FpOp::Fma(rounding));
    if let (Some(x), Some(y), Some(z)) =
        (terms.as_float_const(a), terms.as_float_const(b), terms.as_float_const(c))
    {
        return terms.float_const(x.fma(y, z, rounding));
    }
    if [a, b, c].iter().any(|&arg| is_nan(terms, arg)) {
        return terms.float_const(Float::nan(terms.format(a)));
    }
    let (a, b) = terms.ordered(a, b);
    if unit(terms, a, b) == Some(a) {
        return add(terms, rounding, a, c);
    }
    terms.intern(op, &[a, b, c])
}

pub(crate) fn sqrt(terms: &mut Terms, rounding: RoundingMode, a: TermId) -> TermId {
    let op = Op::Fp(FpOp::Sqrt(rounding));
    fold::unary(terms, op, a).unwrap_or_else(|| terms.intern(op, &[a]))
}

pub(crate) fn remainder(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> TermId {
    if let Some(done) = fold_or_nan(terms, op, a, b) {
        return done;
    }
    // The sign of the divisor does not matter.
    if let Op::Fp(FpOp::Neg | FpOp::Abs) = terms.op(b) {
        return remainder(terms, op, a, terms.arg(b, 0));
    }
    terms.intern(op, &[a, b])
}

pub(crate) fn round_to_integral(terms: &mut Terms, rounding: RoundingMode, a: TermId) -> TermId {
    let op = Op::Fp(FpOp::RoundToIntegral(rounding));
    if let Some(folded) = fold::unary(terms, op, a) {
        return folded;
    }
    if let Op::Fp(FpOp::RoundToIntegral(_)) = terms.op(a) { a } else { terms.intern(op, &[a]) }
}

pub(crate) fn min_max(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> TermId {
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

pub(crate) fn neg(terms: &mut Terms, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, Op::Fp(FpOp::Neg), a) {
        return folded;
    }
    terms.unary(Op::Fp(FpOp::Neg), a).unwrap_or_else(|| terms.intern(FpOp::Neg, &[a]))
}

pub(crate) fn abs(terms: &mut Terms, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, Op::Fp(FpOp::Abs), a) {
        return folded;
    }
    match terms.op(a) {
        Op::Fp(FpOp::Abs) => a,
        Op::Fp(FpOp::Neg) => abs(terms, terms.arg(a, 0)),
        _ => terms.intern(FpOp::Abs, &[a]),
    }
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
