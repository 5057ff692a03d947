//! Known bits: which bits of a vector are surely one and surely zero.
//!
//! The transfer functions that need only bit positions live here; each is the best possible on known
//! bits alone unless it says otherwise.

/// Bits known to be one and bits known to be zero. Bits above the width are neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KnownBits {
    // Invariant of every domain: ones & zeros == 0.
    pub ones: u64,
    pub zeros: u64,
}

impl KnownBits {
    pub const NONE: KnownBits = KnownBits { ones: 0, zeros: 0 };

    pub const fn exact(value: u64, mask: u64) -> KnownBits {
        KnownBits { ones: value & mask, zeros: !value & mask }
    }

    #[inline]
    pub const fn known(self) -> u64 {
        self.ones | self.zeros
    }

    #[inline]
    pub const fn matches(self, value: u64) -> bool {
        value & self.zeros == 0 && !value & self.ones == 0
    }

    /// The number of low bits that are all known.
    #[inline]
    pub const fn known_low(self) -> u32 {
        self.known().trailing_ones()
    }

    /// The least number that is at least `from`, fits the known bits and does not exceed `mask`.
    #[inline]
    pub fn next_match(self, from: u64, mask: u64) -> Option<u64> {
        let wrong = (from & self.zeros) | (!from & self.ones);
        if wrong == 0 {
            return Some(from);
        }
        let bit = 1u64 << (63 - wrong.leading_zeros());
        let below = bit - 1;
        if from & bit == 0 {
            // It must be one: setting it exceeds `from`, so all lower free bits may be zero.
            return Some((from & !below) | bit | (self.ones & below));
        }
        // It must be zero: carry into the lowest free zero above it.
        let carriers = mask & !(below | bit) & !from & !self.known();
        if carriers == 0 {
            return None;
        }
        let carry = carriers & carriers.wrapping_neg();
        Some((from & !(carry | (carry - 1))) | carry | (self.ones & (carry - 1)))
    }

    /// The greatest number that is at most `from` and fits the known bits.
    #[inline]
    pub fn previous_match(self, from: u64, mask: u64) -> Option<u64> {
        let flipped = KnownBits { ones: self.zeros, zeros: self.ones };
        flipped.next_match(!from & mask, mask).map(|value| !value & mask)
    }

    #[must_use]
    pub const fn join(self, other: KnownBits) -> KnownBits {
        KnownBits { ones: self.ones & other.ones, zeros: self.zeros & other.zeros }
    }

    #[must_use]
    pub const fn not(self) -> KnownBits {
        KnownBits { ones: self.zeros, zeros: self.ones }
    }

    #[must_use]
    pub const fn and(self, other: KnownBits) -> KnownBits {
        KnownBits { ones: self.ones & other.ones, zeros: self.zeros | other.zeros }
    }

    #[must_use]
    pub const fn or(self, other: KnownBits) -> KnownBits {
        KnownBits { ones: self.ones | other.ones, zeros: self.zeros & other.zeros }
    }

    #[must_use]
    pub const fn xor(self, other: KnownBits) -> KnownBits {
        KnownBits {
            ones: (self.ones & other.zeros) | (self.zeros & other.ones),
            zeros: (self.ones & other.ones) | (self.zeros & other.zeros),
        }
    }

    /// Known bits of `x + y + carry` modulo the mask.
    #[must_use]
    pub const fn add(self, other: KnownBits, carry: bool, mask: u64) -> KnownBits {
        let carry = carry as u64;
        // A sum bit is known where both operand bits and the incoming carry are; the carries are the
        // ones of the smallest and of the largest possible sum.
        let largest = (!self.zeros & mask).wrapping_add(!other.zeros & mask).wrapping_add(carry);
        let smallest = self.ones.wrapping_add(other.ones).wrapping_add(carry);
        let carry_zero = !(largest ^ self.zeros ^ other.zeros);
        let carry_one = smallest ^ self.ones ^ other.ones;
        let known = self.known() & other.known() & (carry_zero | carry_one) & mask;
        KnownBits { ones: smallest & known, zeros: !smallest & known }
    }

    /// Known bits of `x - y`.
    #[must_use]
    pub const fn sub(self, other: KnownBits, mask: u64) -> KnownBits {
        self.add(other.not(), true, mask)
    }

    /// Known low bits of `x * y`: trailing zeros add up, and the lowest known bits of both multiply.
    #[must_use]
    pub fn mul(self, other: KnownBits, mask: u64) -> KnownBits {
        let x_low = self.known_low();
        let y_low = other.known_low();
        let x_zeros = self.zeros.trailing_ones();
        let y_zeros = other.zeros.trailing_ones();
        // x = 2^a x', y = 2^b y' with k known bits beyond the zeros on both sides: a + b + k known.
        let beyond = x_low.saturating_sub(x_zeros).min(y_low.saturating_sub(y_zeros));
        let count = x_zeros.saturating_add(y_zeros).saturating_add(beyond);
        let low = if count >= 64 { u64::MAX } else { (1u64 << count) - 1 } & mask;
        let product = self.ones.wrapping_mul(other.ones);
        KnownBits { ones: product & low, zeros: !product & low }
    }
}
