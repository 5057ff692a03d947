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
}
