//! Between formats, and to a whole number within a format.

use super::number::Number;
use super::{Float, Format, RoundingMode};

impl Float {
    /// The same number in another format, rounded.
    #[inline]
    pub fn convert(self, format: Format, rounding: RoundingMode) -> Float {
        assert!(
            format.is_supported(),
            "format should have 2..=11 exponent and 2..=53 significand bits"
        );
        if self.format == format {
            return self;
        }
        // Widening is exact and narrowing to nearest even is what the host does.
        if self.format == Format::F32 && format == Format::F64 {
            return Float::from_f64(f64::from(self.to_f32()));
        }
        if self.format == Format::F64
            && format == Format::F32
            && rounding == RoundingMode::NearestEven
        {
            return Float::from_f32(f64::from_bits(self.bits) as f32);
        }
        self.soft_convert(format, rounding)
    }

    /// `convert` by the exact core, whatever the host could do.
    pub fn soft_convert(self, format: Format, rounding: RoundingMode) -> Float {
        match self.unpack() {
            Some(number) => number.round(format, rounding),
            None if self.is_nan() => Float::nan(format),
            None if self.is_infinite() => Float::infinity(self.sign(), format),
            None => Float::zero(self.sign(), format),
        }
    }

    /// The whole number next to `self` in the rounding direction; a zero keeps the sign of `self`.
    ///
    /// In formats so small that a whole number can be beyond the largest finite one, that number is
    /// rounded to the format in the same direction.
    pub fn round_to_integral(self, rounding: RoundingMode) -> Float {
        let Some(number) = self.unpack() else {
            return self;
        };
        if number.exponent >= 0 {
            return self;
        }
        let significand = number.shift_rounded(number.exponent.unsigned_abs(), rounding);
        if significand == 0 {
            return Float::zero(self.sign(), self.format);
        }
        Number { significand, exponent: 0, ..number }.round(self.format, rounding)
    }
}
