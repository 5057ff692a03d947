//! Unsigned division and remainder: restoring long division.
//!
//! A zero divisor needs no case: every step subtracts nothing and succeeds, so the quotient is all
//! ones and the remainder is the dividend, which is what SMT-LIB asks for.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};
use crate::op::ite::ite;
use crate::op::sub::sub_with_no_borrow;

/// Quotient and remainder.
pub(crate) fn udiv_urem(circuit: &mut Circuit, n: &[Lit], d: &[Lit]) -> (Word, Word) {
    let width = n.len();
    let mut divisor = d.to_vec();
    divisor.push(Lit::FALSE);
    let mut quotient = vec![Lit::FALSE; width];
    let mut remainder = vec![Lit::FALSE; width];
    for step in (0..width).rev() {
        remainder.insert(0, n[step]);
        let (difference, fits) = sub_with_no_borrow(circuit, &remainder, &divisor);
        quotient[step] = fits;
        remainder = ite(circuit, fits, &difference, &remainder);
        let _ = remainder.pop();
    }
    (quotient, remainder)
}
