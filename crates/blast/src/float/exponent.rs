//! Signed exponents with known bounds, wide enough for every value between them.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word, constant_word};
use crate::op;

/// A two's complement word whose value, where it matters, lies in `lo..=hi`.
#[derive(Debug, Clone)]
pub(crate) struct Exponent {
    pub(crate) word: Word,
    pub(crate) lo: i32,
    pub(crate) hi: i32,
}

/// Bits that hold `lo..=hi` in two's complement.
fn signed_width(lo: i32, hi: i32) -> usize {
    let bits = |value: i32| {
        let magnitude = if value < 0 { !value } else { value };
        (i32::BITS - magnitude.leading_zeros()) as usize + 1
    };
    bits(lo).max(bits(hi))
}

fn signed_constant(value: i32, width: usize) -> Word {
    constant_word(i128::from(value).cast_unsigned(), width)
}

impl Exponent {
    /// The word must already have the value in the bounds; it is cut or sign-extended to fit them.
    pub(crate) fn new(word: &[Lit], lo: i32, hi: i32) -> Exponent {
        Exponent { word: op::slice::sign_extend(word, signed_width(lo, hi)), lo, hi }
    }

    /// An unsigned word.
    pub(crate) fn from_unsigned(word: &[Lit], hi: i32) -> Exponent {
        let mut wide = word.to_vec();
        wide.push(Lit::FALSE);
        Exponent::new(&wide, 0, hi)
    }

    fn extended(&self, lo: i32, hi: i32) -> Word {
        op::slice::sign_extend(&self.word, signed_width(lo.min(self.lo), hi.max(self.hi)))
    }

    pub(crate) fn add(&self, circuit: &mut Circuit, other: &Exponent) -> Exponent {
        let (lo, hi) = (self.lo + other.lo, self.hi + other.hi);
        let width = signed_width(lo, hi);
        let (a, b) =
            (op::slice::sign_extend(&self.word, width), op::slice::sign_extend(&other.word, width));
        Exponent { word: op::add::add(circuit, &a, &b), lo, hi }
    }

    pub(crate) fn sub(&self, circuit: &mut Circuit, other: &Exponent) -> Exponent {
        let (lo, hi) = (self.lo - other.hi, self.hi - other.lo);
        let width = signed_width(lo, hi);
        let (a, b) =
            (op::slice::sign_extend(&self.word, width), op::slice::sign_extend(&other.word, width));
        Exponent { word: op::sub::sub(circuit, &a, &b), lo, hi }
    }

    pub(crate) fn add_constant(&self, circuit: &mut Circuit, value: i32) -> Exponent {
        let (lo, hi) = (self.lo + value, self.hi + value);
        let width = signed_width(lo, hi);
        let a = op::slice::sign_extend(&self.word, width);
        let word = op::add::add(circuit, &a, &signed_constant(value, width));
        Exponent { word, lo, hi }
    }

    /// The exponent plus one when `bit`.
    pub(crate) fn increment_if(&self, circuit: &mut Circuit, bit: Lit) -> Exponent {
        let (lo, hi) = (self.lo, self.hi + 1);
        let a = self.extended(lo, hi);
        Exponent { word: op::add::increment_if(circuit, &a, bit).0, lo, hi }
    }

    pub(crate) fn less_than(&self, circuit: &mut Circuit, value: i32) -> Lit {
        if self.hi < value {
            return Lit::TRUE;
        }
        if self.lo >= value {
            return Lit::FALSE;
        }
        let a = self.extended(value, value);
        let width = a.len();
        op::compare::slt(circuit, &a, &signed_constant(value, width))
    }

    pub(crate) fn choose(
        circuit: &mut Circuit,
        condition: Lit,
        then: &Exponent,
        otherwise: &Exponent,
    ) -> Exponent {
        let (lo, hi) = (then.lo.min(otherwise.lo), then.hi.max(otherwise.hi));
        let width = signed_width(lo, hi);
        let (t, e) = (
            op::slice::sign_extend(&then.word, width),
            op::slice::sign_extend(&otherwise.word, width),
        );
        Exponent { word: op::ite::ite(circuit, condition, &t, &e), lo, hi }
    }

    pub(crate) fn is_negative(&self) -> Lit {
        if self.lo >= 0 { Lit::FALSE } else { self.word[self.word.len() - 1] }
    }
}
