//! Multiplication modulo 2^width: rows added one after the other.
//!
//! Measured on factoring and on refuting primes (`examples/bench_blast.rs`): adding row by row takes
//! half to a third of the conflicts of column compression (first in first out, Wallace, Dadda). A
//! square has half the rows, and its equations need few conflicts or none where a general product
//! needs hundreds. A constant factor is added in signed digits.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word, as_constant_word};
use crate::op::add::add;
use crate::op::bitwise::and_bit;
use crate::op::sub::sub;

pub(crate) fn mul(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Word {
    debug_assert_eq!(a.len(), b.len(), "both operands should have one width");
    // The operand order is fixed by the literals, so that x*y and y*x are the same gates.
    let (a, b) = if a <= b { (a, b) } else { (b, a) };
    if a.len() <= 128 {
        if let Some(factor) = as_constant_word(a) {
            return mul_constant(circuit, b, factor);
        }
        if let Some(factor) = as_constant_word(b) {
            return mul_constant(circuit, a, factor);
        }
    }
    if a == b {
        return square(circuit, a);
    }
    let (a, b) = if n_constants(b) >= n_constants(a) { (a, b) } else { (b, a) };
    let mut sum = vec![Lit::FALSE; a.len()];
    for (shift, &bit) in b.iter().enumerate() {
        if bit == Lit::FALSE {
            continue;
        }
        let row = and_bit(circuit, &a[..a.len() - shift], bit);
        let high = add(circuit, &sum[shift..], &row);
        sum.splice(shift.., high);
    }
    sum
}

/// The square: every product of two different bits counts twice, one place higher.
fn square(circuit: &mut Circuit, a: &[Lit]) -> Word {
    let width = a.len();
    let mut sum = vec![Lit::FALSE; width];
    for (i, &bit) in a.iter().enumerate().take_while(|(i, _)| 2 * i < width) {
        if bit == Lit::FALSE {
            continue;
        }
        let mut row = vec![bit, Lit::FALSE];
        row.extend(and_bit(circuit, &a[i + 1..], bit));
        row.resize(width - 2 * i, Lit::FALSE);
        let high = add(circuit, &sum[2 * i..], &row);
        sum.splice(2 * i.., high);
    }
    sum
}

fn n_constants(word: &[Lit]) -> usize {
    word.iter().filter(|lit| lit.as_constant().is_some()).count()
}

/// Adds and subtracts shifted copies of `a` as the canonical signed digits of `factor` say: no two
/// adjacent digits are nonzero, so there are at most half as many rows as bits.
fn mul_constant(circuit: &mut Circuit, a: &[Lit], factor: u128) -> Word {
    let width = a.len();
    let mut sum = vec![Lit::FALSE; width];
    for (shift, digit) in signed_digits(factor, width) {
        let row = &a[..width - shift];
        let high = match digit {
            Digit::Plus => add(circuit, &sum[shift..], row),
            Digit::Minus => sub(circuit, &sum[shift..], row),
        };
        sum.splice(shift.., high);
    }
    sum
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digit {
    Plus,
    Minus,
}

/// The non-adjacent form of `factor` modulo 2^width, as (position, digit) from below.
fn signed_digits(factor: u128, width: usize) -> Vec<(usize, Digit)> {
    let mut digits = Vec::new();
    let bit = |position: usize| position < 128 && factor >> position & 1 == 1;
    let mut carry = false;
    for position in 0..width {
        let (here, above) = (bit(position), position + 1 < width && bit(position + 1));
        // `here + carry` is 0, 1 or 2; a one below another one becomes -1 with a carry.
        if here == carry {
            continue;
        }
        if above {
            digits.push((position, Digit::Minus));
            carry = true;
        } else {
            digits.push((position, Digit::Plus));
            carry = false;
        }
    }
    digits
}
