//! Addition: a ripple of full adders.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};

/// The sum modulo 2^width and the carry out.
pub(crate) fn add_with_carry(
    circuit: &mut Circuit,
    a: &[Lit],
    b: &[Lit],
    carry_in: Lit,
) -> (Word, Lit) {
    debug_assert_eq!(a.len(), b.len(), "both operands should have one width");
    let mut carry = carry_in;
    let mut sum = Word::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        sum.push(circuit.parity(x, y, carry));
        carry = circuit.majority(x, y, carry);
    }
    (sum, carry)
}

pub(crate) fn add(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Word {
    add_with_carry(circuit, a, b, Lit::FALSE).0
}

/// `a` plus the one bit `bit`, with the carry out.
pub(crate) fn increment_if(circuit: &mut Circuit, a: &[Lit], bit: Lit) -> (Word, Lit) {
    let zero = vec![Lit::FALSE; a.len()];
    add_with_carry(circuit, a, &zero, bit)
}
