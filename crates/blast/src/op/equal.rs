//! Equality of words.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};

pub(crate) fn equal(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    debug_assert_eq!(a.len(), b.len(), "both operands should have one width");
    let same: Word = a.iter().zip(b).map(|(&x, &y)| circuit.equal(x, y)).collect();
    circuit.and_all(&same)
}

pub(crate) fn is_zero(circuit: &mut Circuit, a: &[Lit]) -> Lit {
    !circuit.or_all(a)
}

pub(crate) fn is_all_ones(circuit: &mut Circuit, a: &[Lit]) -> Lit {
    circuit.and_all(a)
}
