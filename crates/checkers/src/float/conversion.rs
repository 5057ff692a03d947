//! Conversions: between formats, to whole numbers, to and from integers and encodings.

use glassbox_values::{Bits, Float, RoundingMode, Signedness};

use super::arithmetic::is_rounded;
use super::exact::{Exact, Reading, read};
use super::rounding::rounded_to_whole;
use super::{is_nan, is_same};

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

/// Whether the bits of `z` encode `x`. NaN has one encoding: positive, the highest fraction bit alone.
pub(super) fn encoding_holds(x: Float, z: Bits) -> bool {
    let format = x.format();
    let canonical = ((1_u128 << (format.exponent + 1)) - 1) << (format.significand - 2);
    z.unsigned() == if is_nan(x) { canonical } else { u128::from(x.to_bits()) }
}

/// Whether `z` is what the bits of `x` encode.
pub(super) fn decoding_holds(x: Bits, z: Float) -> bool {
    let format = z.format();
    let fraction_and_exponent = (1_u128 << (format.width() - 1)) - 1;
    let infinity = ((1_u128 << format.exponent) - 1) << (format.significand - 1);
    if x.unsigned() & fraction_and_exponent > infinity {
        is_nan(z)
    } else {
        !is_nan(z) && u128::from(z.to_bits()) == x.unsigned()
    }
}

pub(super) fn to_integer_holds(
    x: Float,
    z: Bits,
    mode: RoundingMode,
    signedness: Signedness,
) -> bool {
    z.unsigned() == whole_bits(x, z.width(), mode, signedness).unwrap_or(0)
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

pub(super) fn from_integer_holds(
    x: Bits,
    z: Float,
    mode: RoundingMode,
    signedness: Signedness,
) -> bool {
    let negative = signedness == Signedness::Signed && x.signed() < 0;
    let magnitude = if negative { x.signed().unsigned_abs() } else { x.unsigned() };
    if magnitude == 0 {
        // The integer zero is +0.
        return z.to_bits() == 0;
    }
    is_rounded(&Exact::integer(negative, magnitude), z, mode)
}
