//! Rounding: from an exact number to an encoding.

use glassbox_values::{Format, RoundingMode};

use crate::circuit::Circuit;
use crate::float::exponent::Exponent;
use crate::float::special::infinity_word;
use crate::float::sticky::shift_right_sticky;
use crate::lit::{Lit, Word, constant_word};
use crate::op;

/// A nonzero number: `(significand + s) * 2^(exponent - (len - 1))` with the top bit of the
/// significand set and `0 < s < 1` when `sticky`, else `s = 0`.
#[derive(Debug, Clone)]
pub(crate) struct Exact {
    pub(crate) sign: Lit,
    pub(crate) exponent: Exponent,
    pub(crate) significand: Word,
    pub(crate) sticky: Lit,
}

/// Whether a magnitude with this last kept bit, next bit and rest goes up.
pub(crate) fn rounds_up(
    circuit: &mut Circuit,
    mode: RoundingMode,
    sign: Lit,
    last: Lit,
    guard: Lit,
    sticky: Lit,
) -> Lit {
    match mode {
        RoundingMode::NearestEven => {
            let not_tie_to_even = circuit.or(sticky, last);
            circuit.and(guard, not_tie_to_even)
        }
        RoundingMode::NearestAway => guard,
        RoundingMode::TowardPositive => {
            let inexact = circuit.or(guard, sticky);
            circuit.and(inexact, !sign)
        }
        RoundingMode::TowardNegative => {
            let inexact = circuit.or(guard, sticky);
            circuit.and(inexact, sign)
        }
        RoundingMode::TowardZero => Lit::FALSE,
    }
}

/// Whether a magnitude beyond the largest finite one becomes infinite.
fn overflows_to_infinity(mode: RoundingMode, sign: Lit) -> Lit {
    match mode {
        RoundingMode::NearestEven | RoundingMode::NearestAway => Lit::TRUE,
        RoundingMode::TowardPositive => !sign,
        RoundingMode::TowardNegative => sign,
        RoundingMode::TowardZero => Lit::FALSE,
    }
}

/// The encoding of the number in `format`. The carry out of the fraction is let run into the
/// exponent field, which is right for every case: to the next binade, from the subnormals to the
/// normals, and to infinity.
pub(crate) fn round(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    exact: &Exact,
) -> Word {
    let p = usize::from(format.significand);
    let (kept, sticky) = keep(circuit, &exact.significand, exact.sticky, p + 1);

    // Below the normal range the significand moves down instead of the exponent.
    let above = exact.exponent.add_constant(circuit, -format.min_exponent());
    let subnormal = above.is_negative();
    let (kept, sticky) = if subnormal == Lit::FALSE {
        (kept, sticky)
    } else {
        let distance = op::neg::neg(circuit, &above.word);
        let distance = op::bitwise::and_bit(circuit, &distance, subnormal);
        let (shifted, lost) = shift_right_sticky(circuit, &kept, &distance);
        (shifted, circuit.or(sticky, lost))
    };
    let base = op::bitwise::and_bit(circuit, &above.word, !subnormal);

    let (guard, last) = (kept[0], kept[1]);
    let up = rounds_up(circuit, mode, exact.sign, last, guard, sticky);
    let (fraction, carry) = op::add::increment_if(circuit, &kept[1..p], up);
    // The hidden bit is the one that makes a normal's field `base + 1`.
    let width = base.len().max(usize::from(format.exponent)) + 1;
    let base = op::slice::zero_extend(&base, width);
    let hidden = op::slice::zero_extend(&kept[p..], width);
    let (field, _) = op::add::add_with_carry(circuit, &base, &hidden, carry);

    let top_field = (1u128 << format.exponent) - 1;
    let in_range = op::compare::ult(circuit, &field, &constant_word(top_field, width));
    let mut finite = fraction;
    finite.extend_from_slice(&field[..usize::from(format.exponent)]);
    finite.push(exact.sign);

    let to_infinity = overflows_to_infinity(mode, exact.sign);
    let infinity = infinity_word(format, exact.sign);
    let largest = constant_word((top_field << (p - 1)) - 1, usize::from(format.width()) - 1);
    let largest = op::slice::concat(&[exact.sign], &largest);
    let beyond = op::ite::ite(circuit, to_infinity, &infinity, &largest);
    op::ite::ite(circuit, in_range, &finite, &beyond)
}

/// The top `width` bits; lower ones go into the sticky bit, missing ones are zero.
fn keep(circuit: &mut Circuit, word: &[Lit], sticky: Lit, width: usize) -> (Word, Lit) {
    if word.len() <= width {
        let mut padded = vec![Lit::FALSE; width - word.len()];
        padded.extend_from_slice(word);
        return (padded, sticky);
    }
    let (low, high) = word.split_at(word.len() - width);
    let lost = circuit.or_all(low);
    (high.to_vec(), circuit.or(sticky, lost))
}
