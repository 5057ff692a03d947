//! Orders of bit-vectors: the borrow chain of a subtraction.

use crate::circuit::Circuit;
use crate::lit::Lit;

pub(crate) fn ult(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    less(circuit, a, b, Lit::FALSE)
}

pub(crate) fn ule(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    less(circuit, a, b, Lit::TRUE)
}

pub(crate) fn slt(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    signed_less(circuit, a, b, Lit::FALSE)
}

pub(crate) fn sle(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    signed_less(circuit, a, b, Lit::TRUE)
}

/// Lexicographic from the top; `tie` is the answer on equal words.
fn less(circuit: &mut Circuit, a: &[Lit], b: &[Lit], tie: Lit) -> Lit {
    debug_assert_eq!(a.len(), b.len(), "both operands should have one width");
    a.iter().zip(b).fold(tie, |lower, (&x, &y)| circuit.majority(!x, y, lower))
}

/// A signed order is the unsigned one with the sign bits swapped.
fn signed_less(circuit: &mut Circuit, a: &[Lit], b: &[Lit], tie: Lit) -> Lit {
    let top = a.len() - 1;
    let lower = less(circuit, &a[..top], &b[..top], tie);
    circuit.majority(a[top], !b[top], lower)
}
