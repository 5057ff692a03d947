//! Natural numbers of any size: just enough to read decimal numbers exactly.

use std::cmp::Ordering;

use super::Sign;
use super::number::Number;

/// A natural number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Natural {
    // Invariant: lowest limb first; the last limb is not zero.
    limbs: Vec<u32>,
}

impl Natural {
    /// The number that ASCII decimal digits write.
    pub(super) fn from_decimal_digits(digits: &[u8]) -> Natural {
        let mut number = Natural { limbs: Vec::new() };
        for chunk in digits.chunks(9) {
            let value = chunk.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
            number.multiply_add(10u32.pow(chunk.len() as u32), value);
        }
        number
    }

    pub(super) fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// `self * 10^power`.
    pub(super) fn times_power_of_ten(mut self, power: u32) -> Natural {
        for _ in 0..power / 9 {
            self.multiply_add(10u32.pow(9), 0);
        }
        self.multiply_add(10u32.pow(power % 9), 0);
        self
    }

    /// `± numerator / denominator`, both non-zero, with 99 or 100 bits and the rest as sticky.
    pub(super) fn quotient(sign: Sign, numerator: &Natural, denominator: &Natural) -> Number {
        const STEPS: i32 = 100;
        let distance = numerator.length() as i32 - denominator.length() as i32;
        let mut rest = numerator.shifted_left((-distance).max(0).unsigned_abs());
        let divisor = denominator.shifted_left(distance.max(0).unsigned_abs());
        // Of equal length now, so the quotient is between 1/2 and 2: one digit before the point.
        let mut significand = 0u128;
        for _ in 0..STEPS {
            significand <<= 1;
            if rest.compare(&divisor) != Ordering::Less {
                significand |= 1;
                rest.subtract(&divisor);
            }
            rest = rest.shifted_left(1);
        }
        let sticky = !rest.is_zero();
        Number { sign, exponent: distance - (STEPS - 1), significand, sticky }
    }

    fn length(&self) -> u32 {
        match self.limbs.last() {
            Some(top) => self.limbs.len() as u32 * u32::BITS - top.leading_zeros(),
            None => 0,
        }
    }

    fn multiply_add(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for limb in &mut self.limbs {
            let sum = u64::from(*limb) * u64::from(factor) + carry;
            *limb = sum as u32;
            carry = sum >> u32::BITS;
        }
        if carry > 0 {
            self.limbs.push(carry as u32);
        }
    }

    fn shifted_left(&self, amount: u32) -> Natural {
        let mut limbs = vec![0; (amount / u32::BITS) as usize];
        let mut carry = 0u64;
        for limb in &self.limbs {
            let moved = u64::from(*limb) << (amount % u32::BITS) | carry;
            limbs.push(moved as u32);
            carry = moved >> u32::BITS;
        }
        limbs.push(carry as u32);
        let mut shifted = Natural { limbs };
        shifted.trim();
        shifted
    }

    fn compare(&self, other: &Natural) -> Ordering {
        let by_length = self.limbs.len().cmp(&other.limbs.len());
        by_length.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }

    /// Subtracts a number that is not larger.
    fn subtract(&mut self, other: &Natural) {
        let mut borrow = 0u32;
        for (idx, limb) in self.limbs.iter_mut().enumerate() {
            let taken = u64::from(other.limbs.get(idx).copied().unwrap_or(0)) + u64::from(borrow);
            borrow = u32::from(u64::from(*limb) < taken);
            *limb = limb.wrapping_sub(taken as u32);
        }
        assert!(borrow == 0, "the subtrahend should not be larger");
        self.trim();
    }

    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }
}
