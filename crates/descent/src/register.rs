//! Values as registers of 64 bits, and which sorts fit.

use glassbox_terms::{Sort, Value};
use glassbox_values::{Bits, Float};

/// Whether values of the sort fit 64 bits.
pub(crate) fn fits_register(sort: Sort) -> bool {
    match sort {
        Sort::Bool | Sort::Float(_) => true,
        Sort::Bv(width) => width <= 64,
        Sort::Array { .. } => false,
    }
}

/// A value as a register, if it fits.
pub(crate) fn encode(value: &Value) -> Option<u64> {
    match value {
        Value::Bool(truth) => Some(u64::from(*truth)),
        Value::Bv(bits) if bits.width() <= 64 => u64::try_from(bits.unsigned()).ok(),
        Value::Float(float) => Some(float.to_bits()),
        Value::Bv(_) | Value::Array(_) => None,
    }
}

/// The value of a sort that fits, from its register.
pub(crate) fn decode(register: u64, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(register != 0),
        Sort::Bv(width) => Value::Bv(Bits::new(u128::from(register), width)),
        Sort::Float(format) => Value::Float(Float::from_bits(register, format)),
        Sort::Array { .. } => unreachable!("arrays are kept as values"),
    }
}
