//! Rounding to a whole number within the format.

use glassbox_values::{Format, RoundingMode};

use crate::circuit::Circuit;
use crate::float::exponent::Exponent;
use crate::float::normalize::normalize;
use crate::float::number::unpack;
use crate::float::round::{Exact, round, rounds_up};
use crate::float::special::zero_word;
use crate::float::sticky::shift_right_sticky;
use crate::lit::{Lit, Word, constant_word};
use crate::op::add::increment_if;
use crate::op::equal::is_zero;
use crate::op::ite::ite;

pub(crate) fn fp_round_to_integral(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    a: &[Lit],
) -> Word {
    let number = unpack(circuit, format, a);
    let p = number.significand.len();
    let last = i32::try_from(p).expect("significands are short") - 1;
    let has_fraction = number.exponent.less_than(circuit, last);

    // Shift until the last place is one; a guard bit goes along.
    let last_word = Exponent::new(&constant_word(last.unsigned_abs().into(), 32), last, last);
    let distance = last_word.sub(circuit, &number.exponent);
    let mut with_guard: Word = vec![Lit::FALSE];
    with_guard.extend_from_slice(&number.significand);
    // Where there is a fraction the distance is positive, so its sign bit is clear.
    let amount = &distance.word[..distance.word.len() - 1];
    let (shifted, sticky) = shift_right_sticky(circuit, &with_guard, amount);
    let up = rounds_up(circuit, mode, number.sign, shifted[1], shifted[0], sticky);
    let (mut whole, carry) = increment_if(circuit, &shifted[1..], up);
    whole.push(carry);

    let zero = is_zero(circuit, &whole);
    let (significand, amount) = normalize(circuit, &whole);
    let top = Exponent::new(&constant_word(last.unsigned_abs().into(), 32), last, last)
        .add_constant(circuit, 1);
    let amount = Exponent::from_unsigned(&amount, (1 << amount.len()) - 1);
    let exponent = top.sub(circuit, &amount);
    let exponent = Exponent::new(&exponent.word, 0, last + 1);
    // In very small formats a whole number can be beyond the largest finite one.
    let exact = Exact { sign: number.sign, exponent, significand, sticky: Lit::FALSE };
    let rounded = round(circuit, format, mode, &exact);
    let result = ite(circuit, zero, &zero_word(format, number.sign), &rounded);

    let special = circuit.or_all(&[number.nan, number.infinite, number.zero, !has_fraction]);
    ite(circuit, special, a, &result)
}
