//! Signed division, truncating: divide the magnitudes, then give the quotient its sign.
//!
//! The conventions for a zero divisor and for MIN / -1 follow from the unsigned ones.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};
use crate::op::neg::{abs, neg_if};
use crate::op::udiv::udiv_urem;

pub(crate) fn sdiv(circuit: &mut Circuit, n: &[Lit], d: &[Lit]) -> Word {
    let (n_abs, d_abs) = (abs(circuit, n), abs(circuit, d));
    let (quotient, _) = udiv_urem(circuit, &n_abs, &d_abs);
    let negative = circuit.xor(n[n.len() - 1], d[d.len() - 1]);
    neg_if(circuit, negative, &quotient)
}
