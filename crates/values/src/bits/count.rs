//! Counting and reordering bits: what compilers offer as built-ins.

use super::{Bits, MAX_WIDTH};

impl Bits {
    /// Zeros above the highest set bit; the width for zero.
    #[inline]
    pub const fn leading_zeros(self) -> u8 {
        self.value.leading_zeros() as u8 - (MAX_WIDTH - self.width)
    }

    /// Zeros below the lowest set bit; the width for zero.
    #[inline]
    pub const fn trailing_zeros(self) -> u8 {
        if self.is_zero() { self.width } else { self.value.trailing_zeros() as u8 }
    }

    /// Copies of the sign bit below it, as gcc's `clrsb` counts.
    #[inline]
    pub const fn redundant_sign_bits(self) -> u8 {
        let flipped = if self.sign_bit() { self.not() } else { self };
        flipped.leading_zeros() - 1
    }

    /// The number of set bits.
    #[inline]
    pub const fn count_ones(self) -> u8 {
        self.value.count_ones() as u8
    }

    /// True for an odd number of set bits.
    #[inline]
    pub const fn parity(self) -> bool {
        self.value.count_ones() % 2 == 1
    }

    /// The bytes in opposite order; the width must be a multiple of 8.
    #[inline]
    #[track_caller]
    pub const fn swap_bytes(self) -> Bits {
        assert!(self.width.is_multiple_of(8), "byte swap should be on whole bytes");
        Bits { value: self.value.swap_bytes() >> (MAX_WIDTH - self.width), width: self.width }
    }
}
