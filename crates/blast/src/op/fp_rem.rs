//! The two exact remainders, IEEE `remainder` and C `fmod`, by long division.
//!
//! The loop has one step for every possible distance of the exponents: some 280 for binary32 and
//! 2100 for binary64 (about half a million gates), so the gate limit may refuse it.

use glassbox_values::{Format, RoundingMode};

use crate::circuit::Circuit;
use crate::float::exponent::Exponent;
use crate::float::normalize::normalize;
use crate::float::number::{Number, unpack};
use crate::float::round::{Exact, round};
use crate::float::special::{nan_word, zero_word};
use crate::lit::{Lit, Word};
use crate::op::compare::ult;
use crate::op::equal::{equal, is_zero};
use crate::op::ite::ite;
use crate::op::sub::{sub, sub_with_no_borrow};

/// How the quotient is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quotient {
    NearestEven,
    Truncated,
}

pub(crate) fn fp_rem(
    circuit: &mut Circuit,
    format: Format,
    quotient: Quotient,
    a: &[Lit],
    b: &[Lit],
) -> Word {
    let (x, y) = (unpack(circuit, format, a), unpack(circuit, format, b));
    let distance = x.exponent.sub(circuit, &y.exponent);
    let (rest, odd) = reduce(circuit, &x, &y, &distance);

    // In units of half the last place of y: one bit more, and a dividend of half y's binade fits.
    let just_below = distance.less_than(circuit, 0);
    let far_below = match quotient {
        Quotient::NearestEven => distance.less_than(circuit, -1),
        Quotient::Truncated => just_below,
    };
    let double_rest = doubled(&rest);
    let mut small = x.significand.clone();
    small.push(Lit::FALSE);
    let halves = ite(circuit, just_below, &small, &double_rest);
    let (halves, sign) = match quotient {
        Quotient::Truncated => (halves, x.sign),
        Quotient::NearestEven => {
            let odd = circuit.and(odd, !just_below);
            to_nearest(circuit, &halves, &y, odd, x.sign)
        }
    };

    let zero = is_zero(circuit, &halves);
    let (significand, amount) = normalize(circuit, &halves);
    let n_bits = i32::try_from(halves.len()).expect("significands are short");
    let amount = Exponent::from_unsigned(&amount, (1 << amount.len()) - 1);
    let exponent = y.exponent.sub(circuit, &amount);
    let exponent = Exponent::new(&exponent.word, y.exponent.lo - n_bits, y.exponent.hi);
    let exact = Exact { sign, exponent, significand, sticky: Lit::FALSE };
    // Exact, so any direction will do.
    let rounded = round(circuit, format, RoundingMode::TowardZero, &exact);
    let result = ite(circuit, zero, &zero_word(format, x.sign), &rounded);

    let unchanged = circuit.or_all(&[x.zero, y.infinite, far_below]);
    let number = ite(circuit, unchanged, a, &result);
    let nan = circuit.or_all(&[x.nan, y.nan, x.infinite, y.zero]);
    ite(circuit, nan, &nan_word(format), &number)
}

/// What is left of x after subtracting y, doubled, doubled, …, as often as it goes, in units of
/// the last place of y, and whether the quotient is odd; for a distance of at least zero.
fn reduce(circuit: &mut Circuit, x: &Number, y: &Number, distance: &Exponent) -> (Word, Lit) {
    let mut divisor = y.significand.clone();
    divisor.push(Lit::FALSE);
    let mut start = x.significand.clone();
    start.push(Lit::FALSE);
    let (difference, fits) = sub_with_no_borrow(circuit, &start, &divisor);
    let mut rest = ite(circuit, fits, &difference, &start);
    rest.pop();
    let mut odd = fits;
    for step in 1..=distance.hi {
        if circuit.overflowed() {
            break;
        }
        let active = !distance.less_than(circuit, step);
        let twice = doubled(&rest);
        let (difference, fits) = sub_with_no_borrow(circuit, &twice, &divisor);
        let mut next = ite(circuit, fits, &difference, &twice);
        next.pop();
        rest = ite(circuit, active, &next, &rest);
        odd = circuit.ite(active, fits, odd);
    }
    (rest, odd)
}

/// Moves a rest of more than half the divisor (or half, when the quotient is odd) to the other side.
fn to_nearest(
    circuit: &mut Circuit,
    halves: &[Lit],
    y: &Number,
    odd: Lit,
    sign: Lit,
) -> (Word, Lit) {
    let mut half_divisor = y.significand.clone();
    half_divisor.push(Lit::FALSE);
    let above = ult(circuit, &half_divisor, halves);
    let tie = equal(circuit, &half_divisor, halves);
    let odd_tie = circuit.and(tie, odd);
    let up = circuit.or(above, odd_tie);
    let other = sub(circuit, &doubled(&y.significand), halves);
    (ite(circuit, up, &other, halves), circuit.xor(sign, up))
}

fn doubled(word: &[Lit]) -> Word {
    let mut twice = vec![Lit::FALSE];
    twice.extend_from_slice(word);
    twice
}
