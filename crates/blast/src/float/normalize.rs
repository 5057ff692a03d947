//! Moving the leading one to the top.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};
use crate::op::equal::is_zero;
use crate::op::ite::ite;

/// The word shifted up until its top bit is set, and by how much (an unsigned word). A zero word
/// stays zero and its amount is meaningless.
pub(crate) fn normalize(circuit: &mut Circuit, word: &[Lit]) -> (Word, Word) {
    let width = word.len();
    let mut shifted = word.to_vec();
    let mut amount = Word::new();
    let mut stage = width.next_power_of_two() / 2;
    while stage > 0 {
        if stage < width {
            let move_up = is_zero(circuit, &shifted[width - stage..]);
            let moved: Word = vec![Lit::FALSE; stage]
                .into_iter()
                .chain(shifted[..width - stage].iter().copied())
                .collect();
            shifted = ite(circuit, move_up, &moved, &shifted);
            amount.insert(0, move_up);
        }
        stage /= 2;
    }
    if amount.is_empty() {
        amount.push(Lit::FALSE);
    }
    (shifted, amount)
}
