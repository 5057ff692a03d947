//! The floats of a format as a line: neighbors, and a position for each.

use super::{Float, Format, Sign};

impl Float {
    /// The least float above, as IEEE `nextUp`: both zeros go to the smallest subnormal, +infinity and
    /// NaN stay.
    #[inline]
    pub fn next_up(self) -> Float {
        if self.is_nan() || self == Float::infinity(Sign::Positive, self.format) {
            self
        } else if self.is_zero() {
            Float::min_subnormal(Sign::Positive, self.format)
        } else if self.is_negative() {
            Float { bits: self.bits - 1, format: self.format }
        } else {
            Float { bits: self.bits + 1, format: self.format }
        }
    }

    /// The greatest float below, as IEEE `nextDown`: both zeros go to the negative smallest subnormal,
    /// -infinity and NaN stay.
    #[inline]
    pub fn next_down(self) -> Float {
        self.neg().next_up().neg()
    }

    /// The place on the line from -infinity to +infinity on which -0 comes right before +0; `None` for
    /// NaN. +0 is at 0, -0 at -1, and neighbors differ by 1.
    #[inline]
    pub fn order_index(self) -> Option<i64> {
        let magnitude = self.magnitude_bits().cast_signed();
        if self.is_nan() {
            None
        } else if self.is_negative() {
            Some(-1 - magnitude)
        } else {
            Some(magnitude)
        }
    }

    /// The float at a place of [`Float::order_index`], if the format has it.
    #[inline]
    pub fn from_order_index(index: i64, format: Format) -> Option<Float> {
        assert!(
            format.is_supported(),
            "format should have 2..=11 exponent and 2..=53 significand bits"
        );
        let (sign, magnitude) = if index < 0 {
            (Sign::Negative, (-1 - index).cast_unsigned())
        } else {
            (Sign::Positive, index.cast_unsigned())
        };
        (magnitude <= format.infinity_bits())
            .then(|| Float { bits: magnitude, format }.with_sign(sign))
    }
}
