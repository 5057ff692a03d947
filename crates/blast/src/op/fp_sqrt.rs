//! Float square root: one digit per step, with the remainder as the sticky bit.

use glassbox_values::{Format, RoundingMode};

use crate::circuit::Circuit;
use crate::float::exponent::Exponent;
use crate::float::number::unpack;
use crate::float::round::{Exact, round};
use crate::float::special::{infinity_word, nan_word};
use crate::lit::{Lit, Word};
use crate::op::ite::ite;
use crate::op::sub::sub_with_no_borrow;

pub(crate) fn fp_sqrt(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    a: &[Lit],
) -> Word {
    let number = unpack(circuit, format, a);
    let p = number.significand.len();
    // The radicand as two bits before the point: doubled when the exponent is odd.
    let odd = number.exponent.word[0];
    let mut plain = number.significand.clone();
    plain.push(Lit::FALSE);
    let mut doubled = vec![Lit::FALSE];
    doubled.extend_from_slice(&number.significand);
    let radicand = ite(circuit, odd, &doubled, &plain);
    let (root, sticky) = square_root(circuit, &radicand, p + 2);

    // Halving an even exponent, or an odd one after taking one away, is an arithmetic shift.
    let half = Exponent::new(
        &number.exponent.word[1..],
        number.exponent.lo.div_euclid(2),
        number.exponent.hi.div_euclid(2),
    );
    let exact = Exact { sign: Lit::FALSE, exponent: half, significand: root, sticky };
    let rounded = round(circuit, format, mode, &exact);

    let finite = ite(circuit, number.zero, a, &rounded);
    let value = ite(circuit, number.infinite, &infinity_word(format, Lit::FALSE), &finite);
    let negative = circuit.and(number.sign, !number.zero);
    let nan = circuit.or(number.nan, negative);
    ite(circuit, nan, &nan_word(format), &value)
}

/// The first `n_digits` digits of the root of a number in 1..4, given with two bits before the point,
/// the first digit before the point; and whether more follow.
fn square_root(circuit: &mut Circuit, radicand: &[Lit], n_digits: usize) -> (Word, Lit) {
    let mut digits = radicand.iter().rev().copied();
    let mut root = Word::new();
    // Invariant: below twice the root plus one, hence at most two bits longer than the root.
    let mut remainder = Word::new();
    for _ in 0..n_digits {
        let high = digits.next().unwrap_or(Lit::FALSE);
        let low = digits.next().unwrap_or(Lit::FALSE);
        remainder.splice(0..0, [low, high]).for_each(drop);
        // Try the digit one: (2 root + 1)^2 - (2 root)^2 = 4 root + 1.
        let mut trial = vec![Lit::TRUE, Lit::FALSE];
        trial.extend_from_slice(&root);
        let width = remainder.len().max(trial.len());
        remainder.resize(width, Lit::FALSE);
        trial.resize(width, Lit::FALSE);
        let (difference, fits) = sub_with_no_borrow(circuit, &remainder, &trial);
        remainder = ite(circuit, fits, &difference, &remainder);
        root.insert(0, fits);
        remainder.truncate(root.len() + 2);
    }
    let sticky = circuit.or_all(&remainder);
    (root, sticky)
}
