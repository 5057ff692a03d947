//! Division and remainder: total as SMT-LIB has them, and checked as C needs them.

use super::{Bits, mask};

impl Bits {
    /// Unsigned quotient; by zero: all ones.
    #[inline]
    #[track_caller]
    pub const fn udiv(self, other: Bits) -> Bits {
        match self.checked_udiv(other) {
            Some(quotient) => quotient,
            None => Bits::ones(self.width),
        }
    }

    /// Unsigned remainder; by zero: the dividend.
    #[inline]
    #[track_caller]
    pub const fn urem(self, other: Bits) -> Bits {
        match self.checked_urem(other) {
            Some(remainder) => remainder,
            None => self,
        }
    }

    /// Signed quotient, truncated toward zero; by zero: 1 for a negative dividend and -1 otherwise;
    /// MIN / -1 = MIN.
    #[inline]
    #[track_caller]
    pub const fn sdiv(self, other: Bits) -> Bits {
        let width = self.same_width(other);
        if other.is_zero() {
            if self.sign_bit() { Bits::one(width) } else { Bits::ones(width) }
        } else if width <= 64 {
            Bits::narrow(
                self.signed_word().wrapping_div(other.signed_word()).cast_unsigned(),
                width,
            )
        } else {
            Bits::from_signed(self.signed().wrapping_div(other.signed()), width)
        }
    }

    /// Signed remainder with the dividend's sign; by zero: the dividend; MIN % -1 = 0.
    #[inline]
    #[track_caller]
    pub const fn srem(self, other: Bits) -> Bits {
        let width = self.same_width(other);
        if other.is_zero() {
            self
        } else if width <= 64 {
            Bits::narrow(
                self.signed_word().wrapping_rem(other.signed_word()).cast_unsigned(),
                width,
            )
        } else {
            Bits::from_signed(self.signed().wrapping_rem(other.signed()), width)
        }
    }

    /// Signed remainder with the divisor's sign; by zero: the dividend.
    #[inline]
    #[track_caller]
    pub const fn smod(self, other: Bits) -> Bits {
        let remainder = self.srem(other);
        if other.is_zero() || remainder.is_zero() || remainder.sign_bit() == other.sign_bit() {
            remainder
        } else {
            remainder.add(other)
        }
    }

    /// Unsigned quotient; `None` for a zero divisor.
    #[inline]
    #[track_caller]
    pub const fn checked_udiv(self, other: Bits) -> Option<Bits> {
        let width = self.same_width(other);
        if other.is_zero() {
            None
        } else if width <= 64 {
            Some(Bits { value: (self.word() / other.word()) as u128, width })
        } else {
            Some(Bits { value: self.value / other.value, width })
        }
    }

    /// Unsigned remainder; `None` for a zero divisor.
    #[inline]
    #[track_caller]
    pub const fn checked_urem(self, other: Bits) -> Option<Bits> {
        let width = self.same_width(other);
        if other.is_zero() {
            None
        } else if width <= 64 {
            Some(Bits { value: (self.word() % other.word()) as u128, width })
        } else {
            Some(Bits { value: self.value % other.value, width })
        }
    }

    /// Signed quotient where C defines it: `None` for a zero divisor and for MIN / -1.
    #[inline]
    #[track_caller]
    pub const fn checked_sdiv(self, other: Bits) -> Option<Bits> {
        if other.is_zero() || self.sdiv_overflows(other) { None } else { Some(self.sdiv(other)) }
    }

    /// Signed remainder where C defines it: `None` for a zero divisor and for MIN % -1.
    #[inline]
    #[track_caller]
    pub const fn checked_srem(self, other: Bits) -> Option<Bits> {
        if other.is_zero() || self.sdiv_overflows(other) { None } else { Some(self.srem(other)) }
    }

    /// True for MIN and -1: the one signed quotient that does not fit.
    #[inline]
    #[track_caller]
    pub const fn sdiv_overflows(self, other: Bits) -> bool {
        let width = self.same_width(other);
        other.value == mask(width) && self.is_min_signed()
    }
}
