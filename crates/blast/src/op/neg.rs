//! Two's complement negation, alone and under a condition.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};
use crate::op::add::increment_if;
use crate::op::bitwise::not;

pub(crate) fn neg(circuit: &mut Circuit, a: &[Lit]) -> Word {
    increment_if(circuit, &not(a), Lit::TRUE).0
}

/// `-a` when `condition`, else `a`: complement by xor, then add the condition.
pub(crate) fn neg_if(circuit: &mut Circuit, condition: Lit, a: &[Lit]) -> Word {
    let flipped: Word = a.iter().map(|&bit| circuit.xor(bit, condition)).collect();
    increment_if(circuit, &flipped, condition).0
}

/// The magnitude of a signed word, which fits as an unsigned one of the same width.
pub(crate) fn abs(circuit: &mut Circuit, a: &[Lit]) -> Word {
    let sign = a[a.len() - 1];
    neg_if(circuit, sign, a)
}
