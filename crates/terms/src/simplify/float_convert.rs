//! Conversions: those that lose nothing are undone or skipped.

use glassbox_values::{Format, RoundingMode, Signedness};

use super::fold;
use super::pattern::Extension;
use crate::intern::{TermId, Terms};
use crate::op::{FpOp, Op};

/// Whether every number of `from` is one of `to`.
pub(super) fn is_exact(from: Format, to: Format) -> bool {
    from.significand <= to.significand
        && from.max_exponent() <= to.max_exponent()
        && to.quantum_exponent() <= from.quantum_exponent()
}

impl Terms {
    pub fn fp_to_fp(&mut self, format: Format, rounding: RoundingMode, a: TermId) -> TermId {
        let from = self.format(a);
        if from == format {
            return a;
        }
        let exact = is_exact(from, format);
        // An exact conversion does not round, so all directions are one term.
        let rounding = if exact { RoundingMode::NearestEven } else { rounding };
        let op = Op::Fp(FpOp::ToFp { format, rounding });
        if let Some(folded) = fold::unary(self, op, a) {
            return folded;
        }
        if let Op::Fp(FpOp::ToFp { .. }) = self.op(a) {
            let source = self.arg(a, 0);
            if is_exact(self.format(source), from) {
                return self.fp_to_fp(format, rounding, source);
            }
        }
        if let Some(narrow) = narrow_operation(self, format, rounding, a) {
            return narrow;
        }
        if let (Op::Fp(FpOp::Neg), true) = (self.op(a), exact) {
            let converted = self.fp_to_fp(format, rounding, self.arg(a, 0));
            return self.fp_neg(converted);
        }
        self.intern(op, &[a])
    }

    /// The float that the bit-vector encodes.
    pub fn fp_from_bits(&mut self, format: Format, a: TermId) -> TermId {
        let op = Op::Fp(FpOp::FromBits(format));
        if let Some(folded) = fold::unary(self, op, a) {
            return folded;
        }
        if let Some(inner) = self.unary(Op::Fp(FpOp::ToBits), a)
            && self.format(inner) == format
        {
            return inner;
        }
        self.intern(op, &[a])
    }

    /// The encoding, the canonical one for NaN.
    // Not `to_bits(from_bits(b)) = b`: NaNs have many encodings and one canonical one.
    pub fn fp_to_bits(&mut self, a: TermId) -> TermId {
        fold::unary(self, Op::Fp(FpOp::ToBits), a)
            .unwrap_or_else(|| self.intern(FpOp::ToBits, &[a]))
    }

    pub fn fp_from_int(
        &mut self,
        format: Format,
        rounding: RoundingMode,
        signedness: Signedness,
        a: TermId,
    ) -> TermId {
        let op = Op::Fp(FpOp::FromInt { format, rounding, signedness });
        if let Some(folded) = fold::unary(self, op, a) {
            return folded;
        }
        if let Some((extension, inner)) = self.as_extended(a) {
            let widened = self.width(inner) < self.width(a);
            match (extension, signedness) {
                (Extension::Zero, _) if widened => {
                    return self.fp_from_int(format, rounding, Signedness::Unsigned, inner);
                }
                (Extension::Sign, Signedness::Signed) => {
                    return self.fp_from_int(format, rounding, signedness, inner);
                }
                (Extension::Zero, _) | (Extension::Sign, Signedness::Unsigned) => {}
            }
        }
        if holds_integers(format, signedness, self.width(a)) {
            let op =
                Op::Fp(FpOp::FromInt { format, rounding: RoundingMode::NearestEven, signedness });
            return self.intern(op, &[a]);
        }
        self.intern(op, &[a])
    }

    /// NaN and what does not fit give zero: guard it.
    pub fn fp_to_int(
        &mut self,
        width: u8,
        rounding: RoundingMode,
        signedness: Signedness,
        a: TermId,
    ) -> TermId {
        let op = Op::Fp(FpOp::ToInt { width, rounding, signedness });
        if let Some(folded) = fold::unary(self, op, a) {
            return folded;
        }
        if let Op::Fp(FpOp::FromInt { format, signedness: source_signedness, .. }) = self.op(a) {
            let source = self.arg(a, 0);
            if source_signedness == signedness
                && self.width(source) == width
                && holds_integers(format, signedness, width)
            {
                return source;
            }
        }
        if let Op::Fp(FpOp::ToFp { format, .. }) = self.op(a) {
            let source = self.arg(a, 0);
            if is_exact(self.format(source), format) {
                return self.fp_to_int(width, rounding, signedness, source);
            }
        }
        self.intern(op, &[a])
    }
}

/// `(float)((double)x * (double)y)` is `x * y`: where the wide format has more than twice the digits,
/// rounding twice to nearest even is rounding once (Figueroa, "When is double rounding innocuous?",
/// 1995). Results that are subnormal in the narrow format are included: sums and products are exact
/// in the wide one, and a quotient or root is never that close to the middle of two numbers. The test
/// is exhaustive in tiny formats.
fn narrow_operation(
    terms: &mut Terms,
    format: Format,
    rounding: RoundingMode,
    a: TermId,
) -> Option<TermId> {
    let nearest = RoundingMode::NearestEven;
    let op = terms.op(a);
    let is_operation = op == Op::Fp(FpOp::Add(nearest))
        || op == Op::Fp(FpOp::Sub(nearest))
        || op == Op::Fp(FpOp::Mul(nearest))
        || op == Op::Fp(FpOp::Div(nearest))
        || op == Op::Fp(FpOp::Sqrt(nearest));
    if !is_operation || rounding != nearest || !doubles(format, terms.format(a)) {
        return None;
    }
    let args: smallvec::SmallVec<[TermId; 2]> = terms.args(a).iter().copied().collect();
    let mut narrow = smallvec::SmallVec::<[TermId; 2]>::new();
    for arg in args {
        narrow.push(narrowed_operand(terms, format, arg)?);
    }
    Some(terms.make(op, &narrow))
}

// Whether rounding to `wide` and then to `narrow` is innocuous, no operation leaving the range.
fn doubles(narrow: Format, wide: Format) -> bool {
    wide.significand >= 2 * narrow.significand + 2
        && wide.max_exponent() >= 2 * narrow.max_exponent() + 2
        && wide.min_exponent() <= 2 * narrow.quantum_exponent()
}

fn narrowed_operand(terms: &mut Terms, format: Format, arg: TermId) -> Option<TermId> {
    if let Some(constant) = terms.as_float_const(arg) {
        let narrow = constant.convert(format, RoundingMode::TowardZero);
        let is_same = narrow.convert(constant.format(), RoundingMode::TowardZero) == constant;
        return is_same.then(|| terms.float_const(narrow));
    }
    let Op::Fp(FpOp::ToFp { .. }) = terms.op(arg) else { return None };
    let source = terms.arg(arg, 0);
    is_exact(terms.format(source), format)
        .then(|| terms.fp_to_fp(format, RoundingMode::NearestEven, source))
}

/// Whether every integer of this width is a number of the format.
pub(super) fn holds_integers(format: Format, signedness: Signedness, width: u8) -> bool {
    let digits = match signedness {
        Signedness::Unsigned => width,
        // The magnitude of MIN is a power of two.
        Signedness::Signed => width - 1,
    };
    digits <= format.significand && i32::from(width) <= format.max_exponent()
}
