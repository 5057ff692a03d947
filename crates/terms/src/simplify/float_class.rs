//! Classification of floats.

use super::float_convert::is_exact;
use super::{float_of_int, fold};
use crate::intern::{TermId, Terms};
use crate::op::Op;

/// `isNormal`, `isSubnormal`, `isZero`, `isInfinite`: blind to the sign.
pub(crate) fn magnitude(terms: &mut Terms, op: Op, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, op, a) {
        return folded;
    }
    match terms.op(a) {
        Op::FpNeg | Op::FpAbs => magnitude(terms, op, terms.arg(a, 0)),
        // Widening keeps zeros and infinities, but makes subnormal numbers normal.
        Op::FpToFp { format, .. }
            if matches!(op, Op::FpIsZero | Op::FpIsInfinite)
                && is_exact(terms.format(terms.arg(a, 0)), format) =>
        {
            magnitude(terms, op, terms.arg(a, 0))
        }
        Op::FpFromInt { .. } if op == Op::FpIsZero => {
            float_of_int::is_zero(terms, a).expect("a converted integer")
        }
        _ => terms.intern(op, &[a]),
    }
}

pub(crate) fn is_nan(terms: &mut Terms, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, Op::FpIsNan, a) {
        return folded;
    }
    match terms.op(a) {
        Op::FpNeg | Op::FpAbs | Op::FpRoundToIntegral(_) | Op::FpToFp { .. } => {
            is_nan(terms, terms.arg(a, 0))
        }
        Op::FpFromInt { .. } => terms.bool_const(false),
        _ => terms.intern(Op::FpIsNan, &[a]),
    }
}

pub(crate) fn is_negative(terms: &mut Terms, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, Op::FpIsNegative, a) {
        return folded;
    }
    match terms.op(a) {
        Op::FpNeg => is_positive(terms, terms.arg(a, 0)),
        Op::FpAbs => terms.bool_const(false),
        Op::FpFromInt { .. } => float_of_int::is_negative(terms, a).expect("a converted integer"),
        _ => terms.intern(Op::FpIsNegative, &[a]),
    }
}

pub(crate) fn is_positive(terms: &mut Terms, a: TermId) -> TermId {
    if let Some(folded) = fold::unary(terms, Op::FpIsPositive, a) {
        return folded;
    }
    match terms.op(a) {
        Op::FpNeg => is_negative(terms, terms.arg(a, 0)),
        Op::FpAbs => {
            let nan = is_nan(terms, terms.arg(a, 0));
            terms.not(nan)
        }
        Op::FpFromInt { .. } => {
            let negative = float_of_int::is_negative(terms, a).expect("a converted integer");
            terms.not(negative)
        }
        _ => terms.intern(Op::FpIsPositive, &[a]),
    }
}
