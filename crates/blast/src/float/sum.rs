//! The sum of two finite numbers of one precision, exact up to a sticky bit; shared by add and fma.
//!
//! Three extra bits below the significand are enough for one later rounding in any mode: a shift
//! that loses bits moves by at least two, and then at most one leading bit cancels.

use glassbox_values::RoundingMode;

use crate::circuit::Circuit;
use crate::float::exponent::Exponent;
use crate::float::normalize::normalize;
use crate::float::round::Exact;
use crate::float::sticky::shift_right_sticky;
use crate::lit::{Lit, Word};
use crate::op;

/// A finite summand; a zero has a zero significand.
#[derive(Debug, Clone)]
pub(crate) struct Summand {
    pub(crate) zero: Lit,
    pub(crate) sign: Lit,
    pub(crate) exponent: Exponent,
    pub(crate) significand: Word,
}

/// The sum, and whether it is zero (then the sign is that of the zero).
pub(crate) fn sum(
    circuit: &mut Circuit,
    mode: RoundingMode,
    a: &Summand,
    b: &Summand,
) -> (Exact, Lit) {
    debug_assert_eq!(a.significand.len(), b.significand.len(), "one precision");
    let a_first = is_larger(circuit, a, b);
    let (large_exponent, small_exponent) = (
        Exponent::choose(circuit, a_first, &a.exponent, &b.exponent),
        Exponent::choose(circuit, a_first, &b.exponent, &a.exponent),
    );
    let mut distance = large_exponent.sub(circuit, &small_exponent);
    // The larger is first, so the distance is not negative (or the smaller is zero).
    distance.lo = 0;
    distance.word.pop();
    let large = op::ite::ite(circuit, a_first, &a.significand, &b.significand);
    let small = op::ite::ite(circuit, a_first, &b.significand, &a.significand);
    let (large, small) = (with_extra_bits(&large, 2), with_extra_bits(&small, 2));

    let (mut small, lost) = shift_right_sticky(circuit, &small, &distance.word);
    small.insert(0, lost);
    let mut large = large;
    large.insert(0, Lit::FALSE);
    large.push(Lit::FALSE);
    small.push(Lit::FALSE);

    let differ = circuit.xor(a.sign, b.sign);
    let small: Word = small.iter().map(|&bit| circuit.xor(bit, differ)).collect();
    let (total, _) = op::add::add_with_carry(circuit, &large, &small, differ);

    let zero = op::equal::is_zero(circuit, &total);
    let (significand, amount) = normalize(circuit, &total);
    let amount_hi = i32::try_from(total.len()).expect("significands are short");
    let amount = Exponent::from_unsigned(&amount, amount_hi.max((1 << amount.len()) - 1));
    let lo = large_exponent.lo + 2 - amount_hi;
    let hi = large_exponent.hi + 1;
    let exponent = large_exponent.add_constant(circuit, 1).sub(circuit, &amount);
    let exponent = Exponent::new(&exponent.word, lo, hi);

    let larger_sign = circuit.ite(a_first, a.sign, b.sign);
    // An exact cancellation is +0, or -0 when rounding down; equal signs keep theirs.
    let zero_sign = match mode {
        RoundingMode::TowardNegative => circuit.or(a.sign, b.sign),
        RoundingMode::NearestEven
        | RoundingMode::NearestAway
        | RoundingMode::TowardPositive
        | RoundingMode::TowardZero => circuit.and(a.sign, b.sign),
    };
    let sign = circuit.ite(zero, zero_sign, larger_sign);
    (Exact { sign, exponent, significand, sticky: Lit::FALSE }, zero)
}

fn with_extra_bits(word: &[Lit], n_bits: usize) -> Word {
    let mut wide = vec![Lit::FALSE; n_bits];
    wide.extend_from_slice(word);
    wide
}

/// Whether the magnitude of `a` is at least that of `b`.
fn is_larger(circuit: &mut Circuit, a: &Summand, b: &Summand) -> Lit {
    let (lo, hi) = (a.exponent.lo.min(b.exponent.lo), a.exponent.hi.max(b.exponent.hi));
    let key = |summand: &Summand| {
        let exponent = Exponent::new(&summand.exponent.word, lo, hi);
        op::slice::concat(&exponent.word, &summand.significand)
    };
    let at_least = op::compare::sle(circuit, &key(b), &key(a));
    let both = circuit.and(!a.zero, at_least);
    circuit.or(b.zero, both)
}
