//! Comparisons, unsigned and signed.

use std::cmp::Ordering;

use super::{Bits, Signedness};

impl Bits {
    #[inline]
    #[track_caller]
    pub const fn ult(self, other: Bits) -> bool {
        self.same_width(other);
        self.value < other.value
    }

    #[inline]
    #[track_caller]
    pub const fn ule(self, other: Bits) -> bool {
        self.same_width(other);
        self.value <= other.value
    }

    #[inline]
    #[track_caller]
    pub const fn slt(self, other: Bits) -> bool {
        let width = self.same_width(other);
        if width <= 64 {
            self.signed_word() < other.signed_word()
        } else {
            self.signed() < other.signed()
        }
    }

    #[inline]
    #[track_caller]
    pub const fn sle(self, other: Bits) -> bool {
        !other.slt(self)
    }

    /// Less than under the given reading.
    #[inline]
    #[track_caller]
    pub const fn less(self, other: Bits, signedness: Signedness) -> bool {
        match signedness {
            Signedness::Signed => self.slt(other),
            Signedness::Unsigned => self.ult(other),
        }
    }

    /// Less than or equal under the given reading.
    #[inline]
    #[track_caller]
    pub const fn less_equal(self, other: Bits, signedness: Signedness) -> bool {
        !other.less(self, signedness)
    }

    /// The order of two numbers under the given reading.
    #[inline]
    #[track_caller]
    pub fn compare(self, other: Bits, signedness: Signedness) -> Ordering {
        self.same_width(other);
        match signedness {
            Signedness::Signed => self.signed().cmp(&other.signed()),
            Signedness::Unsigned => self.value.cmp(&other.value),
        }
    }
}
