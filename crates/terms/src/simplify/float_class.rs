//! Classification of floats.

use super::float_convert::is_exact;
use super::{float_of_int, fold};
use crate::intern::{TermId, Terms};
use crate::op::{FpOp, Op};

/// `isNormal`, `isSubnormal`, `isZero`, `isInfinite`: blind to the sign.
fn magnitude(terms: &mut Terms, op: Op, a: TermId) -> TermId {
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

impl Terms {
    pub fn fp_is_nan(&mut self, a: TermId) -> TermId {
        if let Some(folded) = fold::unary(self, Op::Fp(FpOp::IsNan), a) {
            return folded;
        }
        match self.op(a) {
            Op::Fp(FpOp::Neg | FpOp::Abs | FpOp::RoundToIntegral(_) | FpOp::ToFp { .. }) => {
                self.fp_is_nan(self.arg(a, 0))
            }
            Op::Fp(FpOp::FromInt { .. }) => self.bool_const(false),
            _ => self.intern(FpOp::IsNan, &[a]),
        }
    }

    pub fn fp_is_negative(&mut self, a: TermId) -> TermId {
        if let Some(folded) = fold::unary(self, Op::Fp(FpOp::IsNegative), a) {
            return folded;
        }
        match self.op(a) {
            Op::Fp(FpOp::Neg) => self.fp_is_positive(self.arg(a, 0)),
            Op::Fp(FpOp::Abs) => self.bool_const(false),
            Op::Fp(FpOp::FromInt { .. }) => {
                float_of_int::is_negative(self, a).expect("a converted integer")
            }
            _ => self.intern(FpOp::IsNegative, &[a]),
        }
    }

    pub fn fp_is_positive(&mut self, a: TermId) -> TermId {
        if let Some(folded) = fold::unary(self, Op::Fp(FpOp::IsPositive), a) {
            return folded;
        }
        match self.op(a) {
            Op::Fp(FpOp::Neg) => self.fp_is_negative(self.arg(a, 0)),
            Op::Fp(FpOp::Abs) => {
                let nan = self.fp_is_nan(self.arg(a, 0));
                self.not(nan)
            }
            Op::Fp(FpOp::FromInt { .. }) => {
                let negative = float_of_int::is_negative(self, a).expect("a converted integer");
                self.not(negative)
            }
            _ => self.intern(FpOp::IsPositive, &[a]),
        }
    }

    pub fn fp_is_normal(&mut self, a: TermId) -> TermId {
        magnitude(self, Op::Fp(FpOp::IsNormal), a)
    }

    pub fn fp_is_subnormal(&mut self, a: TermId) -> TermId {
        magnitude(self, Op::Fp(FpOp::IsSubnormal), a)
    }

    pub fn fp_is_zero(&mut self, a: TermId) -> TermId {
        magnitude(self, Op::Fp(FpOp::IsZero), a)
    }

    pub fn fp_is_infinite(&mut self, a: TermId) -> TermId {
        magnitude(self, Op::Fp(FpOp::IsInfinite), a)
    }
}
