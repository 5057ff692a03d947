//! The domain of a bit-vector of 65 to 128 bits: an unsigned interval and known bits.
//!
//! Weaker than `BitsDomain` on purpose: no wrap-around, no congruence, no holes. Such vectors are
//! rare (double-width products), and the complete layer decides them.

use glassbox_values::bits::mask;

/// Which values of a wide bit-vector are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WideBits {
    // Invariant: lo <= hi, both match the known bits; ones & zeros == 0.
    lo: u128,
    hi: u128,
    ones: u128,
    zeros: u128,
    width: u8,
}

impl WideBits {
    pub fn full(width: u8) -> WideBits {
        WideBits { lo: 0, hi: mask(width), ones: 0, zeros: !mask(width), width }
    }

    pub fn point(value: u128, width: u8) -> WideBits {
        WideBits { lo: value, hi: value, ones: value, zeros: !value, width }
    }

    /// The values in `lo..=hi` that match the known bits.
    pub fn new(lo: u128, hi: u128, ones: u128, zeros: u128, width: u8) -> Option<WideBits> {
        WideBits { lo, hi, ones, zeros: zeros | !mask(width), width }.reduce()
    }

    pub fn range(lo: u128, hi: u128, width: u8) -> Option<WideBits> {
        WideBits::new(lo, hi, 0, 0, width)
    }

    pub fn known(ones: u128, zeros: u128, width: u8) -> Option<WideBits> {
        WideBits::new(0, mask(width), ones, zeros, width)
    }

    pub fn width(&self) -> u8 {
        self.width
    }

    pub fn lo(&self) -> u128 {
        self.lo
    }

    pub fn hi(&self) -> u128 {
        self.hi
    }

    pub fn ones(&self) -> u128 {
        self.ones
    }

    pub fn zeros(&self) -> u128 {
        self.zeros & mask(self.width)
    }

    pub fn value(&self) -> Option<u128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub fn is_full(&self) -> bool {
        self.lo == 0 && self.hi == mask(self.width) && self.ones == 0 && self.zeros() == 0
    }

    pub fn contains(&self, value: u128) -> bool {
        self.lo <= value
            && value <= self.hi
            && value & self.zeros == 0
            && value & self.ones == self.ones
    }

    pub fn meet(&self, other: &WideBits) -> Option<WideBits> {
        WideBits {
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
            ones: self.ones | other.ones,
            zeros: self.zeros | other.zeros,
            width: self.width,
        }
        .reduce()
    }

    #[must_use]
    pub fn join(&self, other: &WideBits) -> WideBits {
        WideBits {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            ones: self.ones & other.ones,
            zeros: self.zeros & other.zeros,
            width: self.width,
        }
    }

    /// The least allowed number by known bits that is at least `from`.
    fn next_match(&self, from: u128) -> Option<u128> {
        let wrong = (from & self.zeros) | (!from & self.ones);
        if wrong == 0 {
            return Some(from);
        }
        let top = 127 - wrong.leading_zeros();
        let bit = 1u128 << top;
        let kept = if from & bit == 0 {
            // The bit must be one: setting it already exceeds `from`.
            (from & !((bit << 1).wrapping_sub(1))) | bit
        } else {
            // The bit must be zero: carry into a free zero above it.
            let above = !((bit << 1).wrapping_sub(1));
            let carriers = above & !from & !self.zeros & !self.ones;
            if carriers == 0 {
                return None;
            }
            let carry = carriers & carriers.wrapping_neg();
            return Some((from & !(carry | (carry - 1))) | carry | (self.ones & (carry - 1)));
        };
        Some(kept | (self.ones & (bit - 1)))
    }

    fn previous_match(&self, from: u128) -> Option<u128> {
        let flipped = WideBits { ones: self.zeros, zeros: self.ones, ..*self };
        flipped.next_match(!from).map(|value| !value)
    }

    fn reduce(mut self) -> Option<WideBits> {
        if self.ones & self.zeros != 0 || self.lo > self.hi {
            return None;
        }
        self.lo = self.next_match(self.lo)?;
        self.hi = self.previous_match(self.hi)?;
        if self.lo > self.hi {
            return None;
        }
        let differ = self.lo ^ self.hi;
        let shared = if differ == 0 { u128::MAX } else { !(u128::MAX >> differ.leading_zeros()) };
        self.ones |= self.lo & shared;
        self.zeros |= !self.lo & shared;
        Some(self)
    }
}
