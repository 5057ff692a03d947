//! Float instructions as terms, rounding to nearest even.

use glassbox_ir::instr::{FloatBinaryOp, FloatClassifyOp, FloatCompareOp, FloatUnaryOp};
use glassbox_terms::{TermId, Terms};
use glassbox_values::{Bits, Float, RoundingMode, Signedness};

pub(super) const NEAREST: RoundingMode = RoundingMode::NearestEven;

pub(super) fn unary(terms: &mut Terms, op: FloatUnaryOp, arg: TermId) -> TermId {
    match op {
        FloatUnaryOp::Neg => terms.fp_neg(arg),
        FloatUnaryOp::Abs => terms.fp_abs(arg),
        FloatUnaryOp::Sqrt => terms.fp_sqrt(NEAREST, arg),
        FloatUnaryOp::Round(mode) => terms.fp_round_to_integral(mode, arg),
    }
}

/// The sign of a NaN is that of the one NaN that terms have.
pub(super) fn binary(terms: &mut Terms, op: FloatBinaryOp, a: TermId, b: TermId) -> TermId {
    match op {
        FloatBinaryOp::Add => terms.fp_add(NEAREST, a, b),
        FloatBinaryOp::Sub => terms.fp_sub(NEAREST, a, b),
        FloatBinaryOp::Mul => terms.fp_mul(NEAREST, a, b),
        FloatBinaryOp::Div => terms.fp_div(NEAREST, a, b),
        FloatBinaryOp::Fmod => terms.fp_fmod(a, b),
        FloatBinaryOp::Remainder => terms.fp_rem(a, b),
        FloatBinaryOp::Fmin => terms.fp_min(a, b),
        FloatBinaryOp::Fmax => terms.fp_max(a, b),
        FloatBinaryOp::JavaMin => java_extreme(terms, a, b, true),
        FloatBinaryOp::JavaMax => java_extreme(terms, a, b, false),
        FloatBinaryOp::CopySign => {
            let (magnitude, sign) = (terms.fp_abs(a), terms.fp_to_bits(b));
            let top = terms.format(b).width() - 1;
            let sign = terms.bv_extract(top, top, sign);
            let is_negative = terms.bv_is_nonzero(sign);
            let negative = terms.fp_neg(magnitude);
            terms.ite(is_negative, negative, magnitude)
        }
    }
}

/// NaN wins, and -0 is less than +0.
fn java_extreme(terms: &mut Terms, a: TermId, b: TermId, is_min: bool) -> TermId {
    let format = terms.format(a);
    let (a_nan, b_nan) = (terms.fp_is_nan(a), terms.fp_is_nan(b));
    let any_nan = terms.or2(a_nan, b_nan);
    let nan = terms.float_const(Float::nan(format));
    let (first, second) = if is_min { (a, b) } else { (b, a) };
    let is_less = terms.fp_lt(first, second);
    let both_zero = {
        let (a_zero, b_zero) = (terms.fp_is_zero(a), terms.fp_is_zero(b));
        terms.and2(a_zero, b_zero)
    };
    let a_negative = terms.fp_is_negative(a);
    let a_wins_zero = if is_min { a_negative } else { terms.not(a_negative) };
    let zero = terms.ite(a_wins_zero, a, b);
    let ordinary = terms.ite(is_less, a, b);
    let number = terms.ite(both_zero, zero, ordinary);
    terms.ite(any_nan, nan, number)
}

pub(super) fn compare(terms: &mut Terms, op: FloatCompareOp, a: TermId, b: TermId) -> TermId {
    match op {
        FloatCompareOp::Eq => terms.fp_eq(a, b),
        FloatCompareOp::Ne => {
            let equal = terms.fp_eq(a, b);
            terms.not(equal)
        }
        FloatCompareOp::Lt => terms.fp_lt(a, b),
        FloatCompareOp::Le => terms.fp_le(a, b),
    }
}

/// The sign bit of a NaN is that of the one NaN that terms have.
pub(super) fn classify(terms: &mut Terms, op: FloatClassifyOp, arg: TermId) -> TermId {
    match op {
        FloatClassifyOp::IsNan => terms.fp_is_nan(arg),
        FloatClassifyOp::IsInfinite => terms.fp_is_infinite(arg),
        FloatClassifyOp::IsFinite => {
            let (nan, infinite) = (terms.fp_is_nan(arg), terms.fp_is_infinite(arg));
            let either = terms.or2(nan, infinite);
            terms.not(either)
        }
        FloatClassifyOp::IsNormal => terms.fp_is_normal(arg),
        FloatClassifyOp::IsSubnormal => terms.fp_is_subnormal(arg),
        FloatClassifyOp::IsZero => terms.fp_is_zero(arg),
        FloatClassifyOp::SignBit => {
            let bits = terms.fp_to_bits(arg);
            let top = terms.width(bits) - 1;
            let sign = terms.bv_extract(top, top, bits);
            terms.bv_is_nonzero(sign)
        }
    }
}

/// The JVM's conversion: clamped, NaN gives zero.
pub(super) fn float_to_int_saturating(terms: &mut Terms, arg: TermId, width: u8) -> TermId {
    let format = terms.format(arg);
    let low = Bits::min_signed(width);
    let limit = Float::from_int(low, Signedness::Signed, format, NEAREST);
    let low_limit = terms.float_const(limit);
    let high_limit = terms.float_const(limit.neg());
    let converted = terms.fp_to_int(width, RoundingMode::TowardZero, Signedness::Signed, arg);
    let is_high = terms.fp_le(high_limit, arg);
    let is_low = terms.fp_lt(arg, low_limit);
    let highest = terms.bv_const(Bits::max_signed(width));
    let lowest = terms.bv_const(low);
    let zero = terms.bv_u(0, width);
    let is_nan = terms.fp_is_nan(arg);
    let clamped = terms.ite(is_low, lowest, converted);
    let clamped = terms.ite(is_high, highest, clamped);
    terms.ite(is_nan, zero, clamped)
}
