//! Signed modulo with the sign of the divisor; by zero it is the dividend.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};
use crate::op::add::add;
use crate::op::bitwise::and_bit;
use crate::op::equal::is_zero;
use crate::op::srem::srem;

/// The truncating remainder, plus the divisor when it is nonzero and the signs differ.
pub(crate) fn smod(circuit: &mut Circuit, n: &[Lit], d: &[Lit]) -> Word {
    let remainder = srem(circuit, n, d);
    let signs_differ = circuit.xor(n[n.len() - 1], d[d.len() - 1]);
    let zero = is_zero(circuit, &remainder);
    let adjust = circuit.and(signs_differ, !zero);
    let addend = and_bit(circuit, d, adjust);
    add(circuit, &remainder, &addend)
}
