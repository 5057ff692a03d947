//! The exact core: a finite non-zero number of any precision, and the one place that rounds.

use super::{Float, Format, RoundingMode, Sign};

/// `± (significand + s) · 2^exponent` with `s = 0`, or `0 < s < 1` when `sticky`.
///
/// Not zero, unless an exact subtraction made it so; callers that subtract handle that case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) sign: Sign,
    pub(super) exponent: i32,
    pub(super) significand: u128,
    pub(super) sticky: bool,
}

/// What was cut off below the kept digits, compared with half a unit of the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    Nothing,
    BelowHalf,
    Half,
    AboveHalf,
}

impl Float {
    /// The number of a finite non-zero float, `None` for the others.
    #[inline]
    pub(super) fn unpack(self) -> Option<Number> {
        if !self.is_finite() || self.is_zero() {
            return None;
        }
        let format = self.format;
        let fraction = self.bits & format.fraction_mask();
        let biased = (self.magnitude_bits() >> format.fraction_width()) as i32;
        let (significand, exponent) = if biased == 0 {
            (fraction, format.quantum_exponent())
        } else {
            (fraction | 1 << format.fraction_width(), format.quantum_exponent() + biased - 1)
        };
        let significand = u128::from(significand);
        Some(Number { sign: self.sign(), exponent, significand, sticky: false })
    }
}

impl Number {
    /// Bits of the significand, from its highest set one.
    #[inline]
    pub(super) const fn length(self) -> i32 {
        128 - self.significand.leading_zeros() as i32
    }

    /// The number, rounded to the format: the only rounding of every operation.
    pub(super) fn round(self, format: Format, rounding: RoundingMode) -> Float {
        let precision = i32::from(format.significand);
        let quantum = (self.exponent + self.length() - precision).max(format.quantum_exponent());
        let shift = quantum - self.exponent;
        assert!(shift >= 1 || !self.sticky, "an inexact number should have bits to spare");
        let kept = if shift <= 0 {
            self.significand << shift.unsigned_abs()
        } else {
            self.shift_rounded(shift.unsigned_abs(), rounding)
        };
        // `kept <= 2^precision`. Adding it to an encoding with its hidden bit counted in carries
        // rounding up to the next binade, out of the subnormals, and to infinity, all by itself.
        let binade = (quantum - format.quantum_exponent()) as u64;
        let infinity = format.infinity_bits();
        if binade >= infinity >> format.fraction_width() {
            return overflowed(self.sign, format, rounding);
        }
        let magnitude = (binade << format.fraction_width()) + kept as u64;
        if magnitude >= infinity {
            return overflowed(self.sign, format, rounding);
        }
        Float { bits: magnitude, format }.with_sign(self.sign)
    }

    /// The number with at most `bits` significant bits, of any exponent.
    pub(super) fn cut(self, bits: u32, rounding: RoundingMode) -> Number {
        let excess = self.length().unsigned_abs().saturating_sub(bits);
        if excess == 0 {
            return self;
        }
        let significand = self.shift_rounded(excess, rounding);
        let exponent = self.exponent.saturating_add_unsigned(excess);
        Number { significand, exponent, sticky: false, ..self }
    }

    /// The magnitude divided by `2^shift`, rounded to an integer.
    pub(super) fn shift_rounded(self, shift: u32, rounding: RoundingMode) -> u128 {
        let (kept, tail) = self.split(shift);
        let away = match rounding {
            RoundingMode::NearestEven => {
                tail == Tail::AboveHalf || tail == Tail::Half && kept % 2 == 1
            }
            RoundingMode::NearestAway => tail == Tail::AboveHalf || tail == Tail::Half,
            RoundingMode::TowardPositive => tail != Tail::Nothing && self.sign == Sign::Positive,
            RoundingMode::TowardNegative => tail != Tail::Nothing && self.sign == Sign::Negative,
            RoundingMode::TowardZero => false,
        };
        kept + u128::from(away)
    }

    /// The integer part of the magnitude divided by `2^shift`, and what that leaves.
    fn split(self, shift: u32) -> (u128, Tail) {
        if shift == 0 {
            assert!(!self.sticky, "an inexact number should have bits to spare");
            return (self.significand, Tail::Nothing);
        }
        if shift > 128 {
            // The number is not zero, so there is something.
            return (0, Tail::BelowHalf);
        }
        let half = 1u128 << (shift - 1);
        let (kept, rest) = if shift == 128 {
            (0, self.significand)
        } else {
            (self.significand >> shift, self.significand & ((1 << shift) - 1))
        };
        let tail = if rest > half || rest == half && self.sticky {
            Tail::AboveHalf
        } else if rest == half {
            Tail::Half
        } else if rest > 0 || self.sticky {
            Tail::BelowHalf
        } else {
            Tail::Nothing
        };
        (kept, tail)
    }

    /// True when there is no fractional part.
    pub(super) fn is_integral(self) -> bool {
        if self.exponent >= 0 {
            !self.sticky
        } else {
            self.split(self.exponent.unsigned_abs()).1 == Tail::Nothing
        }
    }

    /// The same value with the highest set bit at bit 126: one bit of room for a carry.
    #[inline]
    pub(super) fn normalized(self) -> Number {
        let shift = self.significand.leading_zeros() as i32 - 1;
        assert!(shift >= 0 && !self.sticky, "an exact number below 2^127 should be normalized");
        Number { significand: self.significand << shift, exponent: self.exponent - shift, ..self }
    }
}

/// The result of a number beyond the largest finite one.
fn overflowed(sign: Sign, format: Format, rounding: RoundingMode) -> Float {
    let to_infinity = match rounding {
        RoundingMode::NearestEven | RoundingMode::NearestAway => true,
        RoundingMode::TowardPositive => sign == Sign::Positive,
        RoundingMode::TowardNegative => sign == Sign::Negative,
        RoundingMode::TowardZero => false,
    };
    if to_infinity { Float::infinity(sign, format) } else { Float::max_finite(sign, format) }
}
