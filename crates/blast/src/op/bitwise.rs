//! Bit-by-bit operations.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};

pub(crate) fn not(a: &[Lit]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

pub(crate) fn and(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(&x, &y)| circuit.and(x, y)).collect()
}

pub(crate) fn or(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(&x, &y)| circuit.or(x, y)).collect()
}

pub(crate) fn xor(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Word {
    a.iter().zip(b).map(|(&x, &y)| circuit.xor(x, y)).collect()
}

/// Every bit of `a` and the one bit `mask`.
pub(crate) fn and_bit(circuit: &mut Circuit, a: &[Lit], mask: Lit) -> Word {
    a.iter().map(|&bit| circuit.and(bit, mask)).collect()
}
