//! Signed remainder with the sign of the dividend; by zero it is the dividend.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};
use crate::op::neg::{abs, neg_if};
use crate::op::udiv::udiv_urem;

pub(crate) fn srem(circuit: &mut Circuit, n: &[Lit], d: &[Lit]) -> Word {
    let (n_abs, d_abs) = (abs(circuit, n), abs(circuit, d));
    let (_, remainder) = udiv_urem(circuit, &n_abs, &d_abs);
    neg_if(circuit, n[n.len() - 1], &remainder)
}
