//! From integers to floats.

use glassbox_values::{Format, RoundingMode, Signedness};

use crate::circuit::Circuit;
use crate::float::exponent::Exponent;
use crate::float::normalize::normalize;
use crate::float::round::{Exact, round};
use crate::float::special::zero_word;
use crate::lit::{Lit, Word, constant_word};
use crate::op::equal::is_zero;
use crate::op::ite::ite;
use crate::op::neg::abs;

pub(crate) fn fp_from_int(
    circuit: &mut Circuit,
    format: Format,
    mode: RoundingMode,
    signedness: Signedness,
    a: &[Lit],
) -> Word {
    let (sign, magnitude) = match signedness {
        Signedness::Unsigned => (Lit::FALSE, a.to_vec()),
        Signedness::Signed => (a[a.len() - 1], abs(circuit, a)),
    };
    let zero = is_zero(circuit, &magnitude);
    let (significand, amount) = normalize(circuit, &magnitude);
    let last = i32::try_from(a.len()).expect("words are short") - 1;
    let top = Exponent::new(&constant_word(last.unsigned_abs().into(), 32), last, last);
    let amount = Exponent::from_unsigned(&amount, (1 << amount.len()) - 1);
    let exponent = top.sub(circuit, &amount);
    let exponent = Exponent::new(&exponent.word, 0, last);
    let exact = Exact { sign, exponent, significand, sticky: Lit::FALSE };
    let rounded = round(circuit, format, mode, &exact);
    ite(circuit, zero, &zero_word(format, Lit::FALSE), &rounded)
}
