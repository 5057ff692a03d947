//! Unsigned division and remainder: `q * d + r = n` without overflow and `r < d`.
//!
//! Quotient and remainder are free words that these conditions determine; a zero divisor, for which
//! SMT-LIB wants all ones and the dividend, is a case of its own. Measured against restoring long
//! division: laws that tie division to multiplication need tens of conflicts instead of a hundred
//! thousand, and equations with a constant divisor take a tenth of the time. Weaker: antitony in the
//! divisor takes twice as long, and a quotient of known wide operands is found by search (some 2000
//! conflicts at 64 bits), where long division propagates it. That `q <= n` and `r <= n` is implied,
//! and stated because the search does not find it.

use glassbox_values::Signedness;

use crate::circuit::Circuit;
use crate::lit::{Lit, Word, as_constant_word, constant_word};
use crate::op;

/// Quotient and remainder of words of at most 128 bits.
pub(crate) fn udiv_urem(circuit: &mut Circuit, n: &[Lit], d: &[Lit]) -> (Word, Word) {
    if let Some(divisor) = as_constant_word(d)
        && divisor.is_power_of_two()
    {
        return by_power_of_two(n, divisor.trailing_zeros() as usize);
    }
    if let Some(known) = circuit.division(n, d) {
        return known;
    }
    let width = n.len();
    let word = circuit.defined_word(2 * width, |circuit, word| {
        let (quotient, remainder) = word.split_at(width);
        conditions(circuit, n, d, quotient, remainder)
    });
    let (quotient, remainder) = word.split_at(width);
    circuit.remember_division(n, d, (quotient.to_vec(), remainder.to_vec()));
    (quotient.to_vec(), remainder.to_vec())
}

fn by_power_of_two(n: &[Lit], shift: usize) -> (Word, Word) {
    (op::slice::zero_extend(&n[shift..], n.len()), op::slice::zero_extend(&n[..shift], n.len()))
}

fn conditions(circuit: &mut Circuit, n: &[Lit], d: &[Lit], q: &[Lit], r: &[Lit]) -> Vec<Lit> {
    let zero = op::equal::is_zero(circuit, d);
    let product = op::mul::mul(circuit, q, d);
    let overflow = product_overflows(circuit, q, d);
    let (sum, carry) = op::add::add_with_carry(circuit, &product, r, Lit::FALSE);
    let less = op::compare::ult(circuit, r, d);
    let quotient_above = op::compare::ult(circuit, n, q);
    let remainder_above = op::compare::ult(circuit, n, r);
    let mut conditions: Vec<Lit> = [!overflow, !carry, less, !quotient_above]
        .iter()
        .map(|&condition| circuit.or(zero, condition))
        .collect();
    conditions.push(!remainder_above);
    for (position, &bit) in n.iter().enumerate() {
        let same = circuit.equal(sum[position], bit);
        conditions.push(circuit.or(zero, same));
        conditions.push(circuit.implies(zero, q[position]));
        let same = circuit.equal(r[position], bit);
        conditions.push(circuit.implies(zero, same));
    }
    conditions
}

/// Whether `q * d` does not fit; for a constant divisor a bound on the quotient.
fn product_overflows(circuit: &mut Circuit, q: &[Lit], d: &[Lit]) -> Lit {
    match as_constant_word(d) {
        None => op::overflow::mul_overflows(circuit, Signedness::Unsigned, q, d),
        Some(0) => Lit::FALSE,
        Some(divisor) => {
            let largest = u128::MAX >> (128 - q.len());
            op::compare::ult(circuit, &constant_word(largest / divisor, q.len()), q)
        }
    }
}
