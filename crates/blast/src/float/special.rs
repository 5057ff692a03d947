//! Encodings that need no arithmetic: NaN, infinities, zeros.

use glassbox_values::{Float, Format, Sign};

use crate::lit::{Lit, Word, constant_word};

pub(crate) fn nan_word(format: Format) -> Word {
    constant_word(u128::from(Float::nan(format).to_bits()), usize::from(format.width()))
}

pub(crate) fn infinity_word(format: Format, sign: Lit) -> Word {
    let bits = Float::infinity(Sign::Positive, format).to_bits();
    let mut word = constant_word(u128::from(bits), usize::from(format.width()));
    set_sign(&mut word, sign);
    word
}

pub(crate) fn zero_word(format: Format, sign: Lit) -> Word {
    let mut word = vec![Lit::FALSE; usize::from(format.width())];
    set_sign(&mut word, sign);
    word
}

fn set_sign(word: &mut Word, sign: Lit) {
    word.pop();
    word.push(sign);
}
