//! Overflow predicates: does the exact result fall outside the width's range?

use super::{Bits, Signedness, mask};

impl Bits {
    /// The exact sum does not fit.
    #[inline]
    #[track_caller]
    pub const fn add_overflows(self, other: Bits, signedness: Signedness) -> bool {
        let sum = self.add(other);
        match signedness {
            // Signed: the sum's sign differs from that of both operands.
            Signedness::Signed => self.xor(sum).and(other.xor(sum)).sign_bit(),
            Signedness::Unsigned => sum.value < self.value,
        }
    }

    /// The exact difference does not fit.
    #[inline]
    #[track_caller]
    pub const fn sub_overflows(self, other: Bits, signedness: Signedness) -> bool {
        match signedness {
            // Signed: the operands differ in sign, and the difference has the second one's.
            Signedness::Signed => self.xor(other).and(self.xor(self.sub(other))).sign_bit(),
            Signedness::Unsigned => self.ult(other),
        }
    }

    /// The exact product does not fit.
    #[inline]
    #[track_caller]
    pub const fn mul_overflows(self, other: Bits, signedness: Signedness) -> bool {
        let width = self.same_width(other);
        match signedness {
            Signedness::Signed => match self.signed().checked_mul(other.signed()) {
                Some(product) => Bits::from_signed(product, width).signed() != product,
                None => true,
            },
            Signedness::Unsigned => match self.value.checked_mul(other.value) {
                Some(product) => product > mask(width),
                None => true,
            },
        }
    }

    /// The signed negation does not fit: the value is MIN.
    #[inline]
    pub const fn neg_overflows(self) -> bool {
        self.is_min_signed()
    }

    /// The sum, or `None` when it does not fit.
    #[inline]
    #[track_caller]
    pub const fn checked_add(self, other: Bits, signedness: Signedness) -> Option<Bits> {
        if self.add_overflows(other, signedness) { None } else { Some(self.add(other)) }
    }

    /// The difference, or `None` when it does not fit.
    #[inline]
    #[track_caller]
    pub const fn checked_sub(self, other: Bits, signedness: Signedness) -> Option<Bits> {
        if self.sub_overflows(other, signedness) { None } else { Some(self.sub(other)) }
    }

    /// The product, or `None` when it does not fit.
    #[inline]
    #[track_caller]
    pub const fn checked_mul(self, other: Bits, signedness: Signedness) -> Option<Bits> {
        if self.mul_overflows(other, signedness) { None } else { Some(self.mul(other)) }
    }

    /// The signed negation, or `None` for MIN.
    #[inline]
    pub const fn checked_neg(self) -> Option<Bits> {
        if self.neg_overflows() { None } else { Some(self.neg()) }
    }
}
