//! From one float format to another.

use glassbox_values::{Format, RoundingMode};

use crate::circuit::Circuit;
use crate::float::number::unpack;
use crate::float::round::{Exact, round};
use crate::float::special::{infinity_word, nan_word, zero_word};
use crate::lit::{Lit, Word};
use crate::op::ite::ite;

pub(crate) fn fp_to_fp(
    circuit: &mut Circuit,
    from: Format,
    to: Format,
    mode: RoundingMode,
    a: &[Lit],
) -> Word {
    if from == to {
        return a.to_vec();
    }
    let number = unpack(circuit, from, a);
    let exact = Exact {
        sign: number.sign,
        exponent: number.exponent,
        significand: number.significand,
        sticky: Lit::FALSE,
    };
    let rounded = round(circuit, to, mode, &exact);
    let finite = ite(circuit, number.zero, &zero_word(to, number.sign), &rounded);
    let value = ite(circuit, number.infinite, &infinity_word(to, number.sign), &finite);
    ite(circuit, number.nan, &nan_word(to), &value)
}
