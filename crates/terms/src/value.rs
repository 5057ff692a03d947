//! Values of closed terms: what `eval` returns and models hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use glassbox_values::{Bits, Float};

use crate::sort::{Scalar, Sort};

/// The value of a term.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Bv(Bits),
    Float(Float),
    Array(Arc<ArrayValue>),
}

/// A finite description of a total map.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    pub index: u8,
    pub element: Scalar,
    /// What every index not in `entries` maps to. Never an array.
    pub default: Value,
    // Invariant: no entry equals `default`, so that equal maps are equal values.
    entries: BTreeMap<u128, Value>,
}

impl ArrayValue {
    pub fn constant(index: u8, element: Scalar, default: Value) -> ArrayValue {
        ArrayValue { index, element, default, entries: BTreeMap::new() }
    }

    pub fn select(&self, index: Bits) -> &Value {
        self.entries.get(&index.unsigned()).unwrap_or(&self.default)
    }

    #[must_use]
    pub fn store(&self, index: Bits, value: Value) -> ArrayValue {
        let mut result = self.clone();
        if value == result.default {
            let _ = result.entries.remove(&index.unsigned());
        } else {
            let _ = result.entries.insert(index.unsigned(), value);
        }
        result
    }

    /// The indices that differ from the default, in order.
    pub fn entries(&self) -> impl Iterator<Item = (Bits, &Value)> {
        self.entries.iter().map(|(&index, value)| (Bits::new(index, self.index), value))
    }
}

impl Value {
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bv(bits) => Sort::Bv(bits.width()),
            Value::Float(float) => Sort::Float(float.format()),
            Value::Array(array) => Sort::Array { index: array.index, element: array.element },
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(truth) = self { Some(*truth) } else { None }
    }

    pub fn as_bits(&self) -> Option<Bits> {
        if let Value::Bv(bits) = self { Some(*bits) } else { None }
    }

    pub fn as_float(&self) -> Option<Float> {
        if let Value::Float(float) = self { Some(*float) } else { None }
    }
}
