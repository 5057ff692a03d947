//! Conversions: between formats, to whole numbers, to and from integers and encodings.

use glassbox_terms::{FpOp, Op};
use glassbox_values::{Bits, Float, RoundingMode, Signedness};

use super::arithmetic::is_rounded;
use super::exact::{Exact, Reading, read};
use super::is_same;
use super::rounding::rounded_to_whole;

pub(super) fn convert_holds(x: Float, z: Float, mode: RoundingMode) -> bool {
    match (read(x), read(z)) {
        (Reading::Nan, found) => matches!(found, Reading::Nan),
        (Reading::Infinite { negative }, found) => {
            matches!(found, Reading::Infinite { negative: sign } if sign == negative)
        }
        (Reading::Finite(number), Reading::Finite(found)) if number.is_zero() => {
            found.is_zero() && found.negative == number.negative
        }
        (Reading::Finite(number), _) => !number.is_zero() && is_rounded(&number, z, mode),
    }
}

pub(super) fn integral_holds(x: Float, z: Float, mode: RoundingMode) -> bool {
    let Reading::Finite(number) = read(x) else { return is_same(x, z) };
    let whole = rounded_to_whole(&number, mode);
    if whole.is_zero() {
        return matches!(read(z), Reading::Finite(found)
            if found.is_zero() && found.negative == number.negative);
    }
    is_rounded(&whole, z, mode)
}

pub(super) fn to_bits_holds(op: Op, x: Float, z: Bits) -> Option<bool> {
    match op {
        Op::Fp(FpOp::ToBits) => {
            // NaN has one encoding: positive, the highest fraction bit alone.
            let format = x.format();
            let canonical = ((1_u128 << (format.exponent + 1)) - 1) << (format.significand - 2);
            let is_nan = matches!(read(x), Reading::Nan);
            let pattern = if is_nan { canonical } else { u128::from(x.to_bits()) };
            Some(z.unsigned() == pattern)
        }
        Op::Fp(FpOp::ToInt { rounding, signedness, .. }) => {
            Some(z.unsigned() == whole_bits(x, z.width(), rounding, signedness).unwrap_or(0))
        }
        _ => None,
    }
}

/// The encoding of `x` rounded to a whole number, if it fits.
fn whole_bits(x: Float, width: u8, mode: RoundingMode, signedness: Signedness) -> Option<u128> {
    let Reading::Finite(number) = read(x) else { return None };
    let whole = rounded_to_whole(&number, mode);
    let magnitude = whole.magnitude.small()?;
    let all = u128::MAX >> (128 - width);
    match (signedness, whole.negative) {
        (Signedness::Unsigned, false) => (magnitude <= all).then_some(magnitude),
        (Signedness::Unsigned, true) => (magnitude == 0).then_some(0),
        (Signedness::Signed, false) => (magnitude <= all >> 1).then_some(magnitude),
        (Signedness::Signed, true) => {
            (magnitude <= (all >> 1) + 1).then(|| magnitude.wrapping_neg() & all)
        }
    }
}

pub(super) fn from_bits_holds(op: Op, x: Bits, z: Float) -> Option<bool> {
    match op {
        Op::Fp(FpOp::FromBits(format)) if format == z.format() => {
            let fraction_and_exponent = (1_u128 << (format.width() - 1)) - 1;
            let infinity = ((1_u128 << format.exponent) - 1) << (format.significand - 1);
            let is_nan = x.unsigned() & fraction_and_exponent > infinity;
            Some(match read(z) {
                Reading::Nan => is_nan,
                Reading::Infinite { .. } | Reading::Finite(_) => {
                    !is_nan && u128::from(z.to_bits()) == x.unsigned()
                }
            })
        }
        Op::Fp(FpOp::FromInt { format, rounding, signedness }) if format == z.format() => {
            let negative = signedness == Signedness::Signed && x.signed() < 0;
            let magnitude = if negative { x.signed().unsigned_abs() } else { x.unsigned() };
            if magnitude == 0 {
                // The integer zero is +0.
                return Some(z.to_bits() == 0);
            }
            Some(is_rounded(&Exact::integer(negative, magnitude), z, rounding))
        }
        _ => None,
    }
}
