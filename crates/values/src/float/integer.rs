//! Between floats and integers.

use super::number::Number;
use super::{Float, Format, RoundingMode, Sign};
use crate::bits::{Bits, Signedness};

impl Float {
    /// An integer as a float, rounded; zero gives +0.
    pub fn from_int(
        value: Bits,
        signedness: Signedness,
        format: Format,
        rounding: RoundingMode,
    ) -> Float {
        assert!(
            format.is_supported(),
            "format should have 2..=11 exponent and 2..=53 significand bits"
        );
        let negative = signedness == Signedness::Signed && value.sign_bit();
        let (sign, significand) = if negative {
            (Sign::Negative, value.signed().unsigned_abs())
        } else {
            (Sign::Positive, value.unsigned())
        };
        if significand == 0 {
            return Float::zero(Sign::Positive, format);
        }
        Number { sign, exponent: 0, significand, sticky: false }.round(format, rounding)
    }

    /// The float rounded to a whole number, as an integer of `width` bits; `None` for NaN, infinities
    /// and what does not fit. C's conversion is this with `TowardZero`, undefined where `None`.
    pub fn to_int(self, rounding: RoundingMode, width: u8, signedness: Signedness) -> Option<Bits> {
        let Some(number) = self.unpack() else {
            return self.is_zero().then(|| Bits::zero(width));
        };
        let magnitude = if number.exponent <= 0 {
            number.shift_rounded(number.exponent.unsigned_abs(), rounding)
        } else if number.exponent + number.length() <= 128 {
            number.significand << number.exponent
        } else {
            return None;
        };
        match (number.sign, signedness) {
            (Sign::Positive, Signedness::Unsigned) => Bits::try_from_unsigned(magnitude, width),
            (Sign::Negative, Signedness::Unsigned) => (magnitude == 0).then(|| Bits::zero(width)),
            (Sign::Positive, Signedness::Signed) => {
                Bits::try_from_signed(i128::try_from(magnitude).ok()?, width)
            }
            (Sign::Negative, Signedness::Signed) => {
                Bits::try_from_signed(0i128.checked_sub_unsigned(magnitude)?, width)
            }
        }
    }
}
