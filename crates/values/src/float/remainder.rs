//! The two remainders: C's `fmod` with a truncated quotient, IEEE's `remainder` with a rounded one.
//!
//! Both are exact, so there is no rounding direction.

use super::number::Number;
use super::{Float, RoundingMode, Sign};

impl Float {
    /// C's `fmod`, the JVM's `frem`/`drem`: what the truncated quotient leaves, with the sign of `self`.
    #[track_caller]
    pub fn fmod(self, other: Float) -> Float {
        self.rest_of_division(other, |sign, reduced| (sign, reduced.rest))
    }

    /// IEEE remainder, C's `remainder`: what the quotient rounded to nearest even leaves.
    #[track_caller]
    pub fn remainder(self, other: Float) -> Float {
        self.rest_of_division(other, |sign, Reduced { rest, divisor, odd, .. }| {
            let up = 2 * rest > divisor || 2 * rest == divisor && odd;
            if up { (sign.opposite(), divisor - rest) } else { (sign, rest) }
        })
    }

    /// The special cases both share, and the exact scaling around `choose`.
    fn rest_of_division(
        self,
        other: Float,
        choose: impl Fn(Sign, Reduced) -> (Sign, u128),
    ) -> Float {
        let format = self.same_format(other);
        if self.is_nan() || other.is_nan() || self.is_infinite() || other.is_zero() {
            return Float::nan(format);
        }
        let (Some(x), Some(y)) = (self.unpack(), other.unpack()) else {
            // A zero dividend or an infinite divisor.
            return self;
        };
        let Some(reduced) = reduce(x, y) else {
            return self;
        };
        let (sign, significand) = choose(self.sign(), reduced);
        if significand == 0 {
            return Float::zero(self.sign(), format);
        }
        let rest = Number { sign, exponent: reduced.exponent, significand, sticky: false };
        let exact = rest.round(format, RoundingMode::TowardZero);
        debug_assert_eq!(
            exact,
            rest.round(format, RoundingMode::NearestAway),
            "it should be exact"
        );
        exact
    }
}

/// `|x| = (quotient * divisor + rest) * 2^exponent` with `rest < divisor`, `|y| = divisor * 2^exponent`.
#[derive(Debug, Clone, Copy)]
struct Reduced {
    rest: u128,
    divisor: u128,
    exponent: i32,
    /// The quotient is odd.
    odd: bool,
}

/// Divides two unpacked floats; `None` when `|x|` is so far below `|y| / 2` that it stays.
fn reduce(x: Number, y: Number) -> Option<Reduced> {
    let distance = (x.exponent - y.exponent).unsigned_abs();
    if x.exponent < y.exponent {
        // Significands have at most 53 bits, so beyond 64 places there is nothing to divide.
        if distance > 64 {
            return None;
        }
        let divisor = y.significand << distance;
        let odd = x.significand / divisor % 2 == 1;
        return Some(Reduced { rest: x.significand % divisor, divisor, exponent: x.exponent, odd });
    }
    // Modulo twice the divisor: the extra bit is the parity of the quotient.
    let divisor = y.significand;
    let modulus = 2 * divisor;
    let double_rest = x.significand % modulus * power_of_two_modulo(distance, modulus) % modulus;
    Some(Reduced {
        rest: double_rest % divisor,
        divisor,
        exponent: y.exponent,
        odd: double_rest >= divisor,
    })
}

/// `2^power % modulus` for a modulus below `2^64`.
fn power_of_two_modulo(power: u32, modulus: u128) -> u128 {
    let mut result = 1 % modulus;
    for bit in (0..u32::BITS - power.leading_zeros()).rev() {
        result = result * result % modulus;
        if power >> bit & 1 == 1 {
            result = 2 * result % modulus;
        }
    }
    result
}
