//! Float multiplication.

use glassbox_values::{Format, RoundingMode};

use crate::circuit::Circuit;
use crate::float::exponent::Exponent;
use crate::float::number::{Number, unpack};
use crate::float::round::{Exact, round};
use crate::float::special::{infinity_word, nan_word, zero_word};
use crate::lit::{Lit, Word};
use crate::op::ite::ite;
use crate::op::mul::mul;
use crate::op::slice::zero_extend;

pub(crate) fn fp_mul(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    a: &[Lit],
    b: &[Lit],
) -> Word {
    let (a, b) = (unpack(circuit, format, a), unpack(circuit, format, b));
    let product = multiply(circuit, &a, &b);
    let rounded = round(circuit, format, mode, &product);
    let zero = circuit.or(a.zero, b.zero);
    let finite = ite(circuit, zero, &zero_word(format, product.sign), &rounded);
    let infinite = circuit.or(a.infinite, b.infinite);
    let number = ite(circuit, infinite, &infinity_word(format, product.sign), &finite);
    let nan = product_is_nan(circuit, &a, &b);
    ite(circuit, nan, &nan_word(format), &number)
}

/// The exact product of two finite numbers, with twice the precision; zero when one is.
pub(crate) fn multiply(circuit: &mut Circuit, a: &Number, b: &Number) -> Exact {
    let width = 2 * a.significand.len();
    let (wide_a, wide_b) = (zero_extend(&a.significand, width), zero_extend(&b.significand, width));
    let product = mul(circuit, &wide_a, &wide_b);
    // Both leading ones are at the top, so the product's is at the top or just below.
    let top = product[width - 1];
    let mut moved = vec![Lit::FALSE];
    moved.extend_from_slice(&product[..width - 1]);
    let significand = ite(circuit, top, &product, &moved);
    let exponent: Exponent = a.exponent.add(circuit, &b.exponent).increment_if(circuit, top);
    Exact { sign: circuit.xor(a.sign, b.sign), exponent, significand, sticky: Lit::FALSE }
}

/// NaN operands, and infinity times zero.
pub(crate) fn product_is_nan(circuit: &mut Circuit, a: &Number, b: &Number) -> Lit {
    let left = circuit.and(a.infinite, b.zero);
    let right = circuit.and(a.zero, b.infinite);
    circuit.or_all(&[a.nan, b.nan, left, right])
}
