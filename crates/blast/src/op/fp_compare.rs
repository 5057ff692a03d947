//! IEEE comparisons, minimum and maximum, on encodings.

use glassbox_values::Format;

use crate::circuit::Circuit;
use crate::float::number::{is_nan, is_zero, magnitude};
use crate::lit::{Lit, Word};
use crate::op::compare::ult;
use crate::op::equal::equal;
use crate::op::ite::ite;

/// Neither is NaN.
fn ordered(circuit: &mut Circuit, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
    let (a_nan, b_nan) = (is_nan(circuit, format, a), is_nan(circuit, format, b));
    circuit.and(!a_nan, !b_nan)
}

fn both_zero(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let (a_zero, b_zero) = (is_zero(circuit, a), is_zero(circuit, b));
    circuit.and(a_zero, b_zero)
}

pub(crate) fn fp_eq(circuit: &mut Circuit, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
    let ordered = ordered(circuit, format, a, b);
    let zeros = both_zero(circuit, a, b);
    let same = equal(circuit, a, b);
    let either = circuit.or(zeros, same);
    circuit.and(ordered, either)
}

pub(crate) fn fp_lt(circuit: &mut Circuit, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
    let ordered = ordered(circuit, format, a, b);
    let zeros = both_zero(circuit, a, b);
    let less = less_than(circuit, a, b);
    circuit.and_all(&[ordered, !zeros, less])
}

pub(crate) fn fp_le(circuit: &mut Circuit, format: Format, a: &[Lit], b: &[Lit]) -> Lit {
    let ordered = ordered(circuit, format, a, b);
    let zeros = both_zero(circuit, a, b);
    let greater = less_than(circuit, b, a);
    let at_most = circuit.or(zeros, !greater);
    circuit.and(ordered, at_most)
}

/// The order of numbers with -0 below +0.
fn less_than(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let (a_sign, b_sign) = (a[a.len() - 1], b[b.len() - 1]);
    let below = ult(circuit, magnitude(a), magnitude(b));
    let above = ult(circuit, magnitude(b), magnitude(a));
    let same_sign = circuit.ite(a_sign, above, below);
    let differ = circuit.xor(a_sign, b_sign);
    circuit.ite(differ, a_sign, same_sign)
}

/// The first argument when it is smaller or the second is NaN, else the second.
pub(crate) fn fp_min(circuit: &mut Circuit, format: Format, a: &[Lit], b: &[Lit]) -> Word {
    let less = fp_lt(circuit, format, a, b);
    let b_nan = is_nan(circuit, format, b);
    let first = circuit.or(less, b_nan);
    ite(circuit, first, a, b)
}

pub(crate) fn fp_max(circuit: &mut Circuit, format: Format, a: &[Lit], b: &[Lit]) -> Word {
    let greater = fp_lt(circuit, format, b, a);
    let b_nan = is_nan(circuit, format, b);
    let first = circuit.or(greater, b_nan);
    ite(circuit, first, a, b)
}
