//! Unpacking: from an encoding to sign, class, normalized significand and exponent.

use glassbox_values::Format;

use crate::circuit::Circuit;
use crate::float::exponent::Exponent;
use crate::float::normalize::normalize;
use crate::lit::{Lit, Word, constant_word};
use crate::op;

/// An unpacked float. Exponent and significand are meaningful when it is finite and not zero: the
/// value is `significand * 2^(exponent - (len - 1))`, the top bit of the significand set. A zero
/// has a zero significand.
#[derive(Debug, Clone)]
pub(crate) struct Number {
    pub(crate) nan: Lit,
    pub(crate) infinite: Lit,
    pub(crate) zero: Lit,
    pub(crate) sign: Lit,
    pub(crate) exponent: Exponent,
    pub(crate) significand: Word,
}

/// The parts of an encoding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'a> {
    pub(crate) fraction: &'a [Lit],
    pub(crate) exponent: &'a [Lit],
    pub(crate) sign: Lit,
}

pub(crate) fn fields(format: Format, word: &[Lit]) -> Fields<'_> {
    let (magnitude, sign) = word.split_at(word.len() - 1);
    let (fraction, exponent) = magnitude.split_at(usize::from(format.fraction_width()));
    Fields { fraction, exponent, sign: sign[0] }
}

/// The encoding without its sign.
pub(crate) fn magnitude(word: &[Lit]) -> &[Lit] {
    &word[..word.len() - 1]
}

pub(crate) fn is_nan(circuit: &mut Circuit, format: Format, word: &[Lit]) -> Lit {
    let parts = fields(format, word);
    let top = op::equal::is_all_ones(circuit, parts.exponent);
    let payload = circuit.or_all(parts.fraction);
    circuit.and(top, payload)
}

pub(crate) fn is_infinite(circuit: &mut Circuit, format: Format, word: &[Lit]) -> Lit {
    let parts = fields(format, word);
    let top = op::equal::is_all_ones(circuit, parts.exponent);
    let payload = circuit.or_all(parts.fraction);
    circuit.and(top, !payload)
}

pub(crate) fn is_zero(circuit: &mut Circuit, word: &[Lit]) -> Lit {
    op::equal::is_zero(circuit, magnitude(word))
}

pub(crate) fn unpack(circuit: &mut Circuit, format: Format, word: &[Lit]) -> Number {
    let parts = fields(format, word);
    let p = usize::from(format.significand);
    let top = op::equal::is_all_ones(circuit, parts.exponent);
    let bottom = op::equal::is_zero(circuit, parts.exponent);
    let payload = circuit.or_all(parts.fraction);

    let bias = format.max_exponent();
    let (emin, quantum) = (format.min_exponent(), format.quantum_exponent());
    let mut normal_significand = parts.fraction.to_vec();
    normal_significand.push(Lit::TRUE);
    let field = Exponent::from_unsigned(parts.exponent, 2 * bias + 1);
    let mut normal_exponent = field.add_constant(circuit, -bias);
    normal_exponent.hi = bias;
    normal_exponent.lo = emin;

    let (low, amount) = normalize(circuit, parts.fraction);
    let mut subnormal_significand = vec![Lit::FALSE];
    subnormal_significand.extend(low);
    let amount_hi = i32::try_from((1u64 << amount.len()) - 1).expect("amounts are small");
    let amount = Exponent::from_unsigned(&amount, amount_hi);
    let emin_word =
        Exponent::new(&constant_word(i128::from(emin - 1).cast_unsigned(), 32), emin - 1, emin - 1);
    let mut subnormal_exponent = emin_word.sub(circuit, &amount);
    subnormal_exponent.lo = quantum;

    let exponent = Exponent::choose(circuit, bottom, &subnormal_exponent, &normal_exponent);
    let exponent = Exponent::new(&exponent.word, quantum, bias);
    let significand = op::ite::ite(circuit, bottom, &subnormal_significand, &normal_significand);
    debug_assert_eq!(significand.len(), p, "the hidden bit is included");
    Number {
        nan: circuit.and(top, payload),
        infinite: circuit.and(top, !payload),
        zero: circuit.and(bottom, !payload),
        sign: parts.sign,
        exponent,
        significand,
    }
}

/// The encoding with every NaN made the canonical one: positive, quiet, no payload.
pub(crate) fn canonical(circuit: &mut Circuit, format: Format, word: &[Lit]) -> Word {
    let nan = is_nan(circuit, format, word);
    let quiet = usize::from(format.fraction_width()) - 1;
    let exponent_start = quiet + 1;
    word.iter()
        .enumerate()
        .map(|(position, &bit)| {
            if position == quiet {
                circuit.or(bit, nan)
            } else if exponent_start <= position && position < word.len() - 1 {
                bit
            } else {
                circuit.and(bit, !nan)
            }
        })
        .collect()
}
