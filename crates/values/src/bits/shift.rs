//! Shifts and rotations.
//!
//! The amount is an unsigned number of any width. Shifts move everything out when the amount reaches the
//! width; C leaves such amounts undefined and the JVM reads only their low bits, which is for their users
//! to arrange.

use super::Bits;

impl Bits {
    /// Left shift; zero when the amount reaches the width.
    #[inline]
    pub const fn shl(self, amount: Bits) -> Bits {
        if amount.value >= self.width as u128 {
            Bits { value: 0, width: self.width }
        } else {
            self.shl_by(amount.value as u8)
        }
    }

    /// Right shift filling with zeros; zero when the amount reaches the width.
    #[inline]
    pub const fn lshr(self, amount: Bits) -> Bits {
        if amount.value >= self.width as u128 {
            Bits { value: 0, width: self.width }
        } else {
            self.lshr_by(amount.value as u8)
        }
    }

    /// Right shift filling with the sign; only sign bits remain when the amount reaches the width.
    #[inline]
    pub const fn ashr(self, amount: Bits) -> Bits {
        if amount.value >= self.width as u128 {
            self.ashr_by(self.width - 1)
        } else {
            self.ashr_by(amount.value as u8)
        }
    }

    /// Left shift by `amount < width`.
    #[inline]
    const fn shl_by(self, amount: u8) -> Bits {
        if self.width <= 64 {
            Bits::narrow(self.word() << amount, self.width)
        } else {
            Bits::new(self.value << amount, self.width)
        }
    }

    /// Logical right shift by `amount < width`.
    #[inline]
    const fn lshr_by(self, amount: u8) -> Bits {
        if self.width <= 64 {
            Bits { value: (self.word() >> amount) as u128, width: self.width }
        } else {
            Bits { value: self.value >> amount, width: self.width }
        }
    }

    /// Arithmetic right shift by `amount < width`.
    #[inline]
    const fn ashr_by(self, amount: u8) -> Bits {
        if self.width <= 64 {
            Bits::narrow((self.signed_word() >> amount).cast_unsigned(), self.width)
        } else {
            Bits::from_signed(self.signed() >> amount, self.width)
        }
    }
}
