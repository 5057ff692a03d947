//! Shifts by a variable amount: a barrel of choices, one stage per bit of the amount that matters.
//!
//! Amounts at or beyond the width shift everything out; that needs no comparison, since the stages
//! cover every amount below the next power of two and any higher bit empties the word.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};
use crate::op::ite::ite;

/// Towards the top, zeros from below.
pub(crate) fn shl(circuit: &mut Circuit, a: &[Lit], amount: &[Lit]) -> Word {
    let reversed: Word = a.iter().rev().copied().collect();
    let mut shifted = shift_down(circuit, &reversed, amount, Lit::FALSE);
    shifted.reverse();
    shifted
}

/// Towards the bottom, zeros from above.
pub(crate) fn lshr(circuit: &mut Circuit, a: &[Lit], amount: &[Lit]) -> Word {
    shift_down(circuit, a, amount, Lit::FALSE)
}

/// Towards the bottom, copies of the sign from above.
pub(crate) fn ashr(circuit: &mut Circuit, a: &[Lit], amount: &[Lit]) -> Word {
    shift_down(circuit, a, amount, a[a.len() - 1])
}

/// `amount` may have any width of its own.
fn shift_down(circuit: &mut Circuit, a: &[Lit], amount: &[Lit], fill: Lit) -> Word {
    let n_stages = n_stages(a.len()).min(amount.len());
    let mut word = a.to_vec();
    for (stage, &bit) in amount[..n_stages].iter().enumerate() {
        let moved: Word = (0..word.len())
            .map(|index| word.get(index + (1 << stage)).copied().unwrap_or(fill))
            .collect();
        word = ite(circuit, bit, &moved, &word);
    }
    let beyond = circuit.or_all(&amount[n_stages..]);
    let all_fill = vec![fill; word.len()];
    ite(circuit, beyond, &all_fill, &word)
}

/// The least n with 2^n >= width.
fn n_stages(width: usize) -> usize {
    usize::try_from(width.next_power_of_two().trailing_zeros()).expect("at most 64")
}
