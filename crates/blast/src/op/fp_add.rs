//! Float addition and subtraction.

use glassbox_values::{Format, RoundingMode};

use crate::circuit::Circuit;
use crate::float::number::{Number, unpack};
use crate::float::round::round;
use crate::float::special::{infinity_word, nan_word, zero_word};
use crate::float::sum::{Summand, sum};
use crate::lit::{Lit, Word};
use crate::op::ite::ite;

pub(crate) fn fp_add(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    a: &[Lit],
    b: &[Lit],
) -> Word {
    let (a, b) = (unpack(circuit, format, a), unpack(circuit, format, b));
    add_numbers(circuit, format, mode, &a, &b)
}

/// The sum with the second sign flipped.
pub(crate) fn fp_sub(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    a: &[Lit],
    b: &[Lit],
) -> Word {
    let (a, mut b) = (unpack(circuit, format, a), unpack(circuit, format, b));
    b.sign = !b.sign;
    add_numbers(circuit, format, mode, &a, &b)
}

fn add_numbers(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    a: &Number,
    b: &Number,
) -> Word {
    let (exact, zero) = sum(circuit, mode, &summand(a), &summand(b));
    let rounded = round(circuit, format, mode, &exact);
    let finite = ite(circuit, zero, &zero_word(format, exact.sign), &rounded);

    let infinite = circuit.or(a.infinite, b.infinite);
    let infinite_sign = circuit.ite(a.infinite, a.sign, b.sign);
    let number = ite(circuit, infinite, &infinity_word(format, infinite_sign), &finite);

    let opposite = circuit.xor(a.sign, b.sign);
    let both_infinite = circuit.and(a.infinite, b.infinite);
    let cancel = circuit.and(both_infinite, opposite);
    let nan = circuit.or_all(&[a.nan, b.nan, cancel]);
    ite(circuit, nan, &nan_word(format), &number)
}

fn summand(number: &Number) -> Summand {
    Summand {
        zero: number.zero,
        sign: number.sign,
        exponent: number.exponent.clone(),
        significand: number.significand.clone(),
    }
}
