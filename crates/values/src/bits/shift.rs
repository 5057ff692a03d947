//! Shifts and rotations.
//!
//! The amount is an unsigned number of any width. The plain shifts move everything out when the
//! amount reaches the width; the `jvm_` shifts use only the low bits of the amount. C leaves amounts
//! at or above the width undefined: ask [`Bits::shift_amount_in_range`].

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

    /// True when C defines a shift of `self` by `amount`: below the width and, if the amount's type
    /// is signed, not negative.
    #[inline]
    pub const fn shift_amount_in_range(self, amount: Bits) -> bool {
        // A negative amount of a width that C promotes to (32 and up) reads as a huge number.
        amount.value < self.width as u128
    }

    /// `ishl`/`lshl`: only the low 5 or 6 bits of the amount count.
    #[inline]
    pub const fn jvm_shl(self, amount: Bits) -> Bits {
        self.shl_by(self.masked_amount(amount))
    }

    /// `ishr`/`lshr`: arithmetic; only the low 5 or 6 bits of the amount count.
    #[inline]
    pub const fn jvm_shr(self, amount: Bits) -> Bits {
        self.ashr_by(self.masked_amount(amount))
    }

    /// `iushr`/`lushr`: logical; only the low 5 or 6 bits of the amount count.
    #[inline]
    pub const fn jvm_ushr(self, amount: Bits) -> Bits {
        self.lshr_by(self.masked_amount(amount))
    }

    /// Rotation toward the high end by the amount modulo the width.
    #[inline]
    pub const fn rotate_left(self, amount: Bits) -> Bits {
        let amount = (amount.value % self.width as u128) as u8;
        if amount == 0 { self } else { self.shl_by(amount).or(self.lshr_by(self.width - amount)) }
    }

    /// Rotation toward the low end by the amount modulo the width.
    #[inline]
    pub const fn rotate_right(self, amount: Bits) -> Bits {
        let amount = (amount.value % self.width as u128) as u8;
        if amount == 0 { self } else { self.lshr_by(amount).or(self.shl_by(self.width - amount)) }
    }

    #[inline]
    const fn masked_amount(self, amount: Bits) -> u8 {
        assert!(self.width.is_power_of_two(), "masked shifts should be on power-of-two widths");
        amount.value as u8 & (self.width - 1)
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
