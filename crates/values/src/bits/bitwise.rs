//! Bitwise operations.

use super::{Bits, mask};

impl Bits {
    #[inline]
    #[track_caller]
    pub const fn and(self, other: Bits) -> Bits {
        let width = self.same_width(other);
        Bits { value: self.value & other.value, width }
    }

    #[inline]
    #[track_caller]
    pub const fn or(self, other: Bits) -> Bits {
        let width = self.same_width(other);
        Bits { value: self.value | other.value, width }
    }

    #[inline]
    #[track_caller]
    pub const fn xor(self, other: Bits) -> Bits {
        let width = self.same_width(other);
        Bits { value: self.value ^ other.value, width }
    }

    /// Every bit flipped.
    #[inline]
    pub const fn not(self) -> Bits {
        Bits { value: self.value ^ mask(self.width), width: self.width }
    }

    /// Bit `index` replaced by `bit`.
    #[inline]
    #[track_caller]
    pub const fn with_bit(self, index: u8, bit: bool) -> Bits {
        assert!(index < self.width, "bit index should be below the width");
        let cleared = self.value & !(1 << index);
        Bits { value: cleared | (bit as u128) << index, width: self.width }
    }
}
