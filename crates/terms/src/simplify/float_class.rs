//! Classification of floats.

use super::float_convert::is_exact;
use super::{float_of_int, fold};
use crate::intern::{TermId, Terms};
use crate::op::{FpOp, Op};

/// `isNormal`, `isSubnormal`, `isZero`, `isInfinite`: blind to the sign.
pub(crate) fn magnitude(terms: &mut Terms, op: Op, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, op, a) {
        return folded;
    }
    match terms.op(a) {
        Op::Fp(FpOp::Neg | FpOp::Abs) => magnitude(terms, op, terms.arg(a, 0)),
        // Widening keeps zeros and infinities, but makes subnormal numbers normal.
        Op::Fp(FpOp::ToFp { format, .. })
            if matches!(op, Op::Fp(FpOp::IsZero | FpOp::IsInfinite))
                && is_exact(terms.format(terms.arg(a, 0)), format) =>
        {
            magnitude(terms, op, terms.arg(a, 0))
        }
        Op::Fp(FpOp::FromInt { .. }) if op == Op::Fp(FpOp::IsZero) => {
            float_of_int::is_zero(terms, a).expect("a converted integer")
        }
        _ => terms.intern(op, &[a]),
    }
}

pub(crate) fn is_nan(terms: &mut Terms, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, Op::Fp(FpOp::IsNan), a) {
        return folded;
    }
    match terms.op(a) {
        Op::Fp(FpOp::Neg | FpOp::Abs | FpOp::RoundToIntegral(_) | FpOp::ToFp { .. }) => {
            is_nan(terms, terms.arg(a, 0))
        }
        Op::Fp(FpOp::FromInt { .. }) => terms.bool_const(false),
        _ => terms.intern(FpOp::IsNan, &[a]),
    }
}

pub(crate) fn is_negative(terms: &mut Terms, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, Op::Fp(FpOp::IsNegative), a) {
        return folded;
    }
    match terms.op(a) {
        Op::Fp(FpOp::Neg) => is_positive(terms, terms.arg(a, 0)),
        Op::Fp(FpOp::Abs) => terms.bool_const(false),
        Op::Fp(FpOp::FromInt { .. }) => {
            float_of_int::is_negative(terms, a).expect("a converted integer")
        }
        _ => terms.intern(FpOp::IsNegative, &[a]),
    }
}

pub(crate) fn is_positive(terms: &mut Terms, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, Op::Fp(FpOp::IsPositive), a) {
        return folded;
    }
    match terms.op(a) {
        Op::Fp(FpOp::Neg) => is_negative(terms, terms.arg(a, 0)),
        Op::Fp(FpOp::Abs) => {
            let nan = is_nan(terms, terms.arg(a, 0));
            terms.not(nan)
        }
        Op::Fp(FpOp::FromInt { .. }) => {
            let negative = float_of_int::is_negative(terms, a).expect("a converted integer");
            terms.not(negative)
        }
        _ => terms.intern(FpOp::IsPositive, &[a]),
    }
}
