//! Absolute value and negation; a NaN stays the one NaN.

use glassbox_values::Format;

use crate::circuit::Circuit;
use crate::float::number::{is_nan, magnitude};
use crate::lit::{Lit, Word};

/// The canonical NaN is positive already.
pub(crate) fn fp_abs(a: &[Lit]) -> Word {
    let mut word = magnitude(a).to_vec();
    word.push(Lit::FALSE);
    word
}

pub(crate) fn fp_neg(circuit: &mut Circuit, format: Format, a: &[Lit]) -> Word {
    let nan = is_nan(circuit, format, a);
    let mut word = magnitude(a).to_vec();
    word.push(circuit.and(!nan, !a[a.len() - 1]));
    word
}
