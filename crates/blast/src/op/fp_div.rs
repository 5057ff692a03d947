//! Float division: long division of the significands, with the remainder as the sticky bit.

use glassbox_values::{Format, RoundingMode};

use crate::circuit::Circuit;
use crate::float::number::unpack;
use crate::float::round::{Exact, round};
use crate::float::special::{infinity_word, nan_word, zero_word};
use crate::lit::{Lit, Word};
use crate::op::ite::ite;
use crate::op::sub::sub_with_no_borrow;

pub(crate) fn fp_div(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    a: &[Lit],
    b: &[Lit],
) -> Word {
    let (a, b) = (unpack(circuit, format, a), unpack(circuit, format, b));
    // One digit before the point and enough after it for the guard bit, even when the first is 0.
    let n_digits = a.significand.len() + 2;
    let (quotient, sticky) = divide(circuit, &a.significand, &b.significand, n_digits);
    let top = quotient[n_digits - 1];
    let mut moved = vec![Lit::FALSE];
    moved.extend_from_slice(&quotient[..n_digits - 1]);
    let significand = ite(circuit, top, &quotient, &moved);
    let exponent = a.exponent.sub(circuit, &b.exponent).add_constant(circuit, -1);
    let exponent = exponent.increment_if(circuit, top);
    let sign = circuit.xor(a.sign, b.sign);
    let rounded = round(circuit, format, mode, &Exact { sign, exponent, significand, sticky });

    let zero = circuit.or(a.zero, b.infinite);
    let finite = ite(circuit, zero, &zero_word(format, sign), &rounded);
    let infinite = circuit.or(a.infinite, b.zero);
    let number = ite(circuit, infinite, &infinity_word(format, sign), &finite);
    let both_zero = circuit.and(a.zero, b.zero);
    let both_infinite = circuit.and(a.infinite, b.infinite);
    let nan = circuit.or_all(&[a.nan, b.nan, both_zero, both_infinite]);
    ite(circuit, nan, &nan_word(format), &number)
}

/// The first `n_digits` binary digits of `n / d < 2`, the first before the point, and whether more
/// follow. Both words have their top bit set.
fn divide(circuit: &mut Circuit, n: &[Lit], d: &[Lit], n_digits: usize) -> (Word, Lit) {
    let mut divisor = d.to_vec();
    divisor.push(Lit::FALSE);
    let mut remainder = n.to_vec();
    remainder.push(Lit::FALSE);
    let mut quotient = vec![Lit::FALSE; n_digits];
    for digit in quotient.iter_mut().rev() {
        let (difference, fits) = sub_with_no_borrow(circuit, &remainder, &divisor);
        *digit = fits;
        remainder = ite(circuit, fits, &difference, &remainder);
        // What is left is below the divisor, so its top bit is zero and can be shifted out.
        remainder.pop();
        remainder.insert(0, Lit::FALSE);
    }
    let sticky = circuit.or_all(&remainder);
    (quotient, sticky)
}
