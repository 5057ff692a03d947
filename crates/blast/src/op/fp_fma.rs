//! Fused multiply-add: the exact product plus the addend, rounded once.

use glassbox_values::{Format, RoundingMode};

use crate::circuit::Circuit;
use crate::float::number::unpack;
use crate::float::round::round;
use crate::float::special::{infinity_word, nan_word, zero_word};
use crate::float::sum::{Summand, sum};
use crate::lit::{Lit, Word};
use crate::op::fp_mul::{multiply, product_is_nan};
use crate::op::ite::ite;

/// `operands` are the two factors and the addend.
pub(crate) fn fp_fma(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    operands: [&[Lit]; 3],
) -> Word {
    let [a, b, c] = operands.map(|word| unpack(circuit, format, word));
    let product = multiply(circuit, &a, &b);
    let product_zero = circuit.or(a.zero, b.zero);
    let product_infinite = circuit.or(a.infinite, b.infinite);
    let mut wide_c = vec![Lit::FALSE; product.significand.len() - c.significand.len()];
    wide_c.extend_from_slice(&c.significand);
    let left = Summand {
        zero: product_zero,
        sign: product.sign,
        exponent: product.exponent,
        significand: product.significand,
    };
    let right =
        Summand { zero: c.zero, sign: c.sign, exponent: c.exponent.clone(), significand: wide_c };
    let (exact, zero) = sum(circuit, mode, &left, &right);
    let rounded = round(circuit, format, mode, &exact);
    let finite = ite(circuit, zero, &zero_word(format, exact.sign), &rounded);

    let infinite = circuit.or(product_infinite, c.infinite);
    let infinite_sign = circuit.ite(product_infinite, left.sign, c.sign);
    let number = ite(circuit, infinite, &infinity_word(format, infinite_sign), &finite);

    let bad_product = product_is_nan(circuit, &a, &b);
    let opposite = circuit.xor(left.sign, c.sign);
    let cancel = circuit.and_all(&[product_infinite, c.infinite, opposite]);
    let nan = circuit.or_all(&[bad_product, c.nan, cancel]);
    ite(circuit, nan, &nan_word(format), &number)
}
