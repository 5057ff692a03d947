//! Natural numbers of any size, by school arithmetic.

use std::cmp::Ordering;

/// A natural number: binary digits, 32 to a limb, lowest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Natural {
    // Invariant: the last limb is not zero, so that equal numbers are equal values.
    limbs: Vec<u32>,
}

impl Natural {
    pub(super) fn new(value: u128) -> Natural {
        let limbs = (0..4).map(|limb| low_half(value >> (32 * limb))).collect();
        Natural { limbs }.trimmed()
    }

    fn trimmed(mut self) -> Natural {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        self
    }

    pub(super) fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    fn limb(&self, index: usize) -> u64 {
        u64::from(self.limbs.get(index).copied().unwrap_or(0))
    }

    /// Binary digits up to the highest one.
    pub(super) fn length(&self) -> usize {
        match self.limbs.last() {
            Some(last) => 32 * self.limbs.len() - last.leading_zeros() as usize,
            None => 0,
        }
    }

    pub(super) fn bit(&self, position: usize) -> bool {
        self.limb(position / 32) >> (position % 32) & 1 == 1
    }

    pub(super) fn plus(&self, other: &Natural) -> Natural {
        let length = self.limbs.len().max(other.limbs.len()) + 1;
        let mut limbs = Vec::with_capacity(length);
        let mut carry = 0;
        for index in 0..length {
            let sum = self.limb(index) + other.limb(index) + carry;
            limbs.push(low_half(u128::from(sum)));
            carry = sum >> 32;
        }
        Natural { limbs }.trimmed()
    }

    /// The difference; `other` must not be greater.
    pub(super) fn minus(&self, other: &Natural) -> Natural {
        assert!(other.compare(self) != Ordering::Greater, "a difference should not be negative");
        let mut limbs = Vec::with_capacity(self.limbs.len());
        let mut borrow = 0;
        for index in 0..self.limbs.len() {
            let taken = other.limb(index) + borrow;
            let digit = self.limb(index);
            borrow = u64::from(digit < taken);
            limbs.push(low_half(u128::from((borrow << 32) + digit - taken)));
        }
        Natural { limbs }.trimmed()
    }

    pub(super) fn times(&self, other: &Natural) -> Natural {
        let mut product = Natural { limbs: Vec::new() };
        for position in 0..other.length() {
            if other.bit(position) {
                product = product.plus(&self.shifted(position));
            }
        }
        product
    }

    /// Times 2^amount.
    pub(super) fn shifted(&self, amount: usize) -> Natural {
        let mut limbs = vec![0; amount / 32];
        let bits = amount % 32;
        let mut carry = 0;
        for &limb in &self.limbs {
            let moved = u64::from(limb) << bits | carry;
            limbs.push(low_half(u128::from(moved)));
            carry = moved >> 32;
        }
        limbs.push(low_half(u128::from(carry)));
        Natural { limbs }.trimmed()
    }

    pub(super) fn compare(&self, other: &Natural) -> Ordering {
        self.limbs
            .len()
            .cmp(&other.limbs.len())
            .then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }

    /// Quotient and remainder, one binary digit at a time; `divisor` must not be zero.
    pub(super) fn divided(&self, divisor: &Natural) -> (Natural, Natural) {
        assert!(!divisor.is_zero(), "a divisor should not be zero");
        let mut quotient = Natural { limbs: Vec::new() };
        let mut rest = Natural { limbs: Vec::new() };
        for position in (0..self.length()).rev() {
            rest = rest.shifted(1).plus(&Natural::new(u128::from(self.bit(position))));
            quotient = quotient.shifted(1);
            if divisor.compare(&rest) != Ordering::Greater {
                rest = rest.minus(divisor);
                quotient = quotient.plus(&Natural::new(1));
            }
        }
        (quotient, rest)
    }

    /// The number, if it fits 128 bits.
    pub(super) fn small(&self) -> Option<u128> {
        (self.limbs.len() <= 4)
            .then(|| (0..4).map(|index| u128::from(self.limb(index)) << (32 * index)).sum())
    }
}

/// The lowest 32 bits.
fn low_half(value: u128) -> u32 {
    u32::try_from(value & u128::from(u32::MAX)).expect("masked to 32 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_128_bit_arithmetic() {
        let samples = [0, 1, 2, 3, 5, 0xffff_ffff, 1 << 32, (1 << 63) + 12345, (1 << 60) - 1];
        for &x in &samples {
            for &y in &samples {
                let (a, b) = (Natural::new(x), Natural::new(y));
                assert_eq!(a.plus(&b), Natural::new(x + y));
                assert_eq!(a.compare(&b), x.cmp(&y));
                assert_eq!(a.plus(&b).minus(&b), a);
                assert_eq!(a.times(&b), Natural::new(x * y));
                if let (Some(quotient), Some(rest)) = (x.checked_div(y), x.checked_rem(y)) {
                    assert_eq!(a.divided(&b), (Natural::new(quotient), Natural::new(rest)));
                }
            }
            assert_eq!(Natural::new(x).shifted(40).small(), Some(x << 40));
            assert_eq!(
                Natural::new(x).shifted(90).divided(&Natural::new(1 << 50).shifted(40)).0,
                Natural::new(x)
            );
            assert_eq!(Natural::new(x).length(), (128 - x.leading_zeros()) as usize);
        }
    }
}
