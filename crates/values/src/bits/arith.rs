//! Addition, subtraction, multiplication and negation, all modulo 2^width.

use super::{Bits, Signedness};

impl Bits {
    /// The sum, wrapped.
    #[inline]
    #[track_caller]
    pub const fn add(self, other: Bits) -> Bits {
        let width = self.same_width(other);
        if width <= 64 {
            Bits::narrow(self.word().wrapping_add(other.word()), width)
        } else {
            Bits::new(self.value.wrapping_add(other.value), width)
        }
    }

    /// The difference, wrapped.
    #[inline]
    #[track_caller]
    pub const fn sub(self, other: Bits) -> Bits {
        let width = self.same_width(other);
        if width <= 64 {
            Bits::narrow(self.word().wrapping_sub(other.word()), width)
        } else {
            Bits::new(self.value.wrapping_sub(other.value), width)
        }
    }

    /// The low half of the product.
    #[inline]
    #[track_caller]
    pub const fn mul(self, other: Bits) -> Bits {
        let width = self.same_width(other);
        if width <= 64 {
            Bits::narrow(self.word().wrapping_mul(other.word()), width)
        } else {
            Bits::new(self.value.wrapping_mul(other.value), width)
        }
    }

    /// Two's complement negation; MIN stays MIN.
    #[inline]
    pub const fn neg(self) -> Bits {
        if self.width <= 64 {
            Bits::narrow(self.word().wrapping_neg(), self.width)
        } else {
            Bits::new(self.value.wrapping_neg(), self.width)
        }
    }

    /// The absolute value of the signed reading; MIN stays MIN.
    #[inline]
    pub const fn abs(self) -> Bits {
        if self.sign_bit() { self.neg() } else { self }
    }

    /// The sum, held at the smallest or largest number instead of wrapping.
    #[inline]
    #[track_caller]
    pub const fn saturating_add(self, other: Bits, signedness: Signedness) -> Bits {
        if !self.add_overflows(other, signedness) {
            return self.add(other);
        }
        match signedness {
            Signedness::Signed if self.sign_bit() => Bits::min_signed(self.width),
            Signedness::Signed => Bits::max_signed(self.width),
            Signedness::Unsigned => Bits::ones(self.width),
        }
    }

    /// The difference, held at the smallest or largest number instead of wrapping.
    #[inline]
    #[track_caller]
    pub const fn saturating_sub(self, other: Bits, signedness: Signedness) -> Bits {
        if !self.sub_overflows(other, signedness) {
            return self.sub(other);
        }
        match signedness {
            Signedness::Signed if self.sign_bit() => Bits::min_signed(self.width),
            Signedness::Signed => Bits::max_signed(self.width),
            Signedness::Unsigned => Bits::zero(self.width),
        }
    }
}
