//! Classes of floats.

use glassbox_values::Format;

use crate::circuit::Circuit;
use crate::float::number::{fields, is_nan};
use crate::lit::Lit;
use crate::op::equal;

pub(crate) fn is_normal(circuit: &mut Circuit, format: Format, a: &[Lit]) -> Lit {
    let parts = fields(format, a);
    let top = equal::is_all_ones(circuit, parts.exponent);
    let bottom = equal::is_zero(circuit, parts.exponent);
    circuit.and(!top, !bottom)
}

pub(crate) fn is_subnormal(circuit: &mut Circuit, format: Format, a: &[Lit]) -> Lit {
    let parts = fields(format, a);
    let bottom = equal::is_zero(circuit, parts.exponent);
    let payload = circuit.or_all(parts.fraction);
    circuit.and(bottom, payload)
}

/// False on NaN; true on -0.
pub(crate) fn is_negative(circuit: &mut Circuit, format: Format, a: &[Lit]) -> Lit {
    let nan = is_nan(circuit, format, a);
    circuit.and(!nan, a[a.len() - 1])
}

/// False on NaN; true on +0.
pub(crate) fn is_positive(circuit: &mut Circuit, format: Format, a: &[Lit]) -> Lit {
    let nan = is_nan(circuit, format, a);
    circuit.and(!nan, !a[a.len() - 1])
}
