//! Sum, difference, product, quotient, square root, fused multiply-add; absolute value, negation.
//!
//! Each `pub` operation asks the host first and else the exact core, named `soft_`.

use super::number::Number;
use super::{Float, Format, RoundingMode, Sign, host};

impl Float {
    #[inline]
    #[track_caller]
    pub fn add(self, other: Float, rounding: RoundingMode) -> Float {
        self.same_format(other);
        host::binary(self, other, rounding, |a, b| a + b, |a, b| a + b)
            .unwrap_or_else(|| self.soft_add(other, rounding))
    }

    #[inline]
    #[track_caller]
    pub fn sub(self, other: Float, rounding: RoundingMode) -> Float {
        self.same_format(other);
        host::binary(self, other, rounding, |a, b| a - b, |a, b| a - b)
            .unwrap_or_else(|| self.soft_add(other.neg(), rounding))
    }

    #[inline]
    #[track_caller]
    pub fn mul(self, other: Float, rounding: RoundingMode) -> Float {
        self.same_format(other);
        host::binary(self, other, rounding, |a, b| a * b, |a, b| a * b)
            .unwrap_or_else(|| self.soft_mul(other, rounding))
    }

    #[inline]
    #[track_caller]
    pub fn div(self, other: Float, rounding: RoundingMode) -> Float {
        self.same_format(other);
        host::binary(self, other, rounding, |a, b| a / b, |a, b| a / b)
            .unwrap_or_else(|| self.soft_div(other, rounding))
    }

    #[inline]
    pub fn sqrt(self, rounding: RoundingMode) -> Float {
        host::unary(self, rounding, f32::sqrt, f64::sqrt)
            .unwrap_or_else(|| self.soft_sqrt(rounding))
    }

    /// `self * factor + addend`, rounded once.
    #[track_caller]
    pub fn fma(self, factor: Float, addend: Float, rounding: RoundingMode) -> Float {
        let format = self.same_format(factor);
        factor.same_format(addend);
        if self.is_nan() || factor.is_nan() || addend.is_nan() {
            return Float::nan(format);
        }
        let sign = self.sign().times(factor.sign());
        if self.is_infinite() || factor.is_infinite() {
            let undefined =
                self.is_zero() || factor.is_zero() || addend.is_infinite() && addend.sign() != sign;
            return if undefined { Float::nan(format) } else { Float::infinity(sign, format) };
        }
        if addend.is_infinite() {
            return addend;
        }
        let product = match (self.unpack(), factor.unpack()) {
            (Some(x), Some(y)) => exact_product(x, y),
            // A zero product leaves the addend, or a sum of two zeros.
            _ => return Float::zero(sign, format).soft_add(addend, rounding),
        };
        match addend.unpack() {
            Some(addend) => round_sum(product, addend, format, rounding),
            None => product.round(format, rounding),
        }
    }

    #[inline]
    pub const fn abs(self) -> Float {
        self.with_sign(Sign::Positive)
    }

    /// The opposite sign, of zeros too; NaN stays.
    #[inline]
    pub const fn neg(self) -> Float {
        self.with_sign(self.sign().opposite())
    }

    /// `self * 2^power`, rounded once.
    pub fn scale(self, power: i32, rounding: RoundingMode) -> Float {
        match self.unpack() {
            None => self,
            Some(number) => {
                // Beyond this every format has overflowed or vanished.
                let power = power.clamp(-8192, 8192);
                Number { exponent: number.exponent + power, ..number }.round(self.format, rounding)
            }
        }
    }

    /// `add` by the exact core, whatever the host could do.
    pub fn soft_add(self, other: Float, rounding: RoundingMode) -> Float {
        let format = self.same_format(other);
        if self.is_nan() || other.is_nan() {
            return Float::nan(format);
        }
        if self.is_infinite() || other.is_infinite() {
            return if self.is_infinite() && other.is_infinite() && self.sign() != other.sign() {
                Float::nan(format)
            } else if self.is_infinite() {
                self
            } else {
                other
            };
        }
        match (self.unpack(), other.unpack()) {
            (Some(x), Some(y)) => round_sum(x, y, format, rounding),
            (Some(_), None) => self,
            (None, Some(_)) => other,
            (None, None) if self.sign() == other.sign() => self,
            (None, None) => cancelled(format, rounding),
        }
    }

    /// `mul` by the exact core, whatever the host could do.
    pub fn soft_mul(self, other: Float, rounding: RoundingMode) -> Float {
        let format = self.same_format(other);
        let sign = self.sign().times(other.sign());
        if self.is_nan() || other.is_nan() {
            Float::nan(format)
        } else if self.is_infinite() || other.is_infinite() {
            let undefined = self.is_zero() || other.is_zero();
            if undefined { Float::nan(format) } else { Float::infinity(sign, format) }
        } else if let (Some(x), Some(y)) = (self.unpack(), other.unpack()) {
            exact_product(x, y).round(format, rounding)
        } else {
            Float::zero(sign, format)
        }
    }

    /// `div` by the exact core, whatever the host could do.
    pub fn soft_div(self, other: Float, rounding: RoundingMode) -> Float {
        let format = self.same_format(other);
        let sign = self.sign().times(other.sign());
        if self.is_nan() || other.is_nan() {
            return Float::nan(format);
        }
        if self.is_infinite() {
            let undefined = other.is_infinite();
            return if undefined { Float::nan(format) } else { Float::infinity(sign, format) };
        }
        if other.is_infinite() {
            return Float::zero(sign, format);
        }
        match (self.unpack(), other.unpack()) {
            (Some(x), Some(y)) => {
                // 127 bits over at most 53: a quotient of at least 74 bits.
                let x = x.normalized();
                let significand = x.significand / y.significand;
                let sticky = x.significand % y.significand != 0;
                let exponent = x.exponent - y.exponent;
                Number { sign, exponent, significand, sticky }.round(format, rounding)
            }
            (None, Some(_)) => Float::zero(sign, format),
            (Some(_), None) => Float::infinity(sign, format),
            (None, None) => Float::nan(format),
        }
    }

    /// `sqrt` by the exact core, whatever the host could do.
    pub fn soft_sqrt(self, rounding: RoundingMode) -> Float {
        let format = self.format;
        if self.is_nan() || self.is_zero() {
            return self;
        }
        if self.is_negative() {
            return Float::nan(format);
        }
        match self.unpack() {
            None => self, // Positive infinity.
            Some(number) => {
                // An even exponent and 126 or 127 bits: a root of at least 63 bits.
                let mut number = number.normalized();
                if number.exponent % 2 != 0 {
                    number.significand >>= 1;
                    number.exponent += 1;
                }
                let root = number.significand.isqrt();
                let sticky = root * root != number.significand;
                let exponent = number.exponent / 2;
                Number { sign: Sign::Positive, exponent, significand: root, sticky }
                    .round(format, rounding)
            }
        }
    }
}

/// The product of two unpacked floats; at most 106 bits.
fn exact_product(x: Number, y: Number) -> Number {
    Number {
        sign: x.sign.times(y.sign),
        exponent: x.exponent + y.exponent,
        significand: x.significand * y.significand,
        sticky: false,
    }
}

/// The sum of two exact numbers of at most 106 bits, rounded.
fn round_sum(x: Number, y: Number, format: Format, rounding: RoundingMode) -> Float {
    let (x, y) = (x.normalized(), y.normalized());
    let (large, small) =
        if (x.exponent, x.significand) >= (y.exponent, y.significand) { (x, y) } else { (y, x) };
    // At most 106 of the 127 bits are in use, so bits are lost only when the exponents are over 20
    // apart; then at most one leading bit cancels and the sticky bit is far below the last one kept.
    let distance = (large.exponent - small.exponent).unsigned_abs();
    let (aligned, lost) = if distance >= 128 {
        (0, true)
    } else {
        let aligned = small.significand >> distance;
        (aligned, aligned << distance != small.significand)
    };
    let significand = if large.sign == small.sign {
        large.significand + aligned
    } else {
        // What is lost counts against the large one: borrow one unit, keep a fraction of it.
        large.significand - aligned - u128::from(lost)
    };
    if significand == 0 {
        return cancelled(format, rounding);
    }
    Number { significand, sticky: lost, ..large }.round(format, rounding)
}

/// The zero of `x - x`.
fn cancelled(format: Format, rounding: RoundingMode) -> Float {
    match rounding {
        RoundingMode::TowardNegative => Float::zero(Sign::Negative, format),
        RoundingMode::NearestEven
        | RoundingMode::NearestAway
        | RoundingMode::TowardPositive
        | RoundingMode::TowardZero => Float::zero(Sign::Positive, format),
    }
}
