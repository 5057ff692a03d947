//! Subtraction: addition of the complement with a carry in.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};
use crate::op::add::add_with_carry;
use crate::op::bitwise::not;

/// The difference modulo 2^width and whether `a >= b` as unsigned numbers.
pub(crate) fn sub_with_no_borrow(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
    add_with_carry(circuit, a, &not(b), Lit::TRUE)
}

pub(crate) fn sub(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Word {
    sub_with_no_borrow(circuit, a, b).0
}
