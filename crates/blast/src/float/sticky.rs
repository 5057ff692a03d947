//! Right shifts that remember whether anything nonzero fell out.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};
use crate::op::ite::ite;

/// `word >> amount` (any unsigned amount) and the disjunction of the bits shifted out.
pub(crate) fn shift_right_sticky(
    circuit: &mut Circuit,
    word: &[Lit],
    amount: &[Lit],
) -> (Word, Lit) {
    let width = word.len();
    let mut shifted = word.to_vec();
    let mut sticky = Lit::FALSE;
    let mut beyond = Lit::FALSE;
    for (stage, &bit) in amount.iter().enumerate() {
        let distance = 1usize.checked_shl(u32::try_from(stage).unwrap_or(u32::MAX)).unwrap_or(0);
        if distance == 0 || distance >= width {
            beyond = circuit.or(beyond, bit);
            continue;
        }
        let lost = circuit.or_all(&shifted[..distance]);
        let lost = circuit.and(lost, bit);
        sticky = circuit.or(sticky, lost);
        let mut moved = shifted[distance..].to_vec();
        moved.resize(width, Lit::FALSE);
        shifted = ite(circuit, bit, &moved, &shifted);
    }
    let rest = circuit.or_all(&shifted);
    let lost = circuit.and(rest, beyond);
    sticky = circuit.or(sticky, lost);
    let zero = vec![Lit::FALSE; width];
    (ite(circuit, beyond, &zero, &shifted), sticky)
}
