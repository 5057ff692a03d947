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
    // Invariant: no entry equals `default`, and `default` is the most frequent element (the least
    // of several), so that equal maps are equal values even when the entries cover every index.
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
            result.entries.remove(&index.unsigned());
        } else {
            result.entries.insert(index.unsigned(), value);
        }
        result.settle_default();
        result
    }

    /// Makes the most frequent element the default; while the entries are fewer than the other
    /// indices it is that already.
    fn settle_default(&mut self) {
        let n_entries = self.entries.len() as u128;
        let Some(n_indices) = 1u128.checked_shl(u32::from(self.index)) else { return };
        if n_entries * 2 < n_indices {
            return;
        }
        let mut counts: BTreeMap<&Value, u128> = BTreeMap::new();
        counts.insert(&self.default, n_indices - n_entries);
        for value in self.entries.values() {
            *counts.entry(value).or_insert(0) += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let Some(default) =
            counts.iter().find(|(_, count)| **count == most).map(|(value, _)| (*value).clone())
        else {
            return;
        };
        if default == self.default {
            return;
        }
        let old = std::mem::replace(&mut self.default, default);
        for index in 0..n_indices {
            self.entries.entry(index).or_insert_with(|| old.clone());
        }
        let default = self.default.clone();
        self.entries.retain(|_, value| *value != default);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_maps_are_equal_values_whatever_they_were_built_from() {
        let bit = |value| Value::Bv(Bits::new(value, 1));
        for index in 1..=2u8 {
            for map in 0..1u128 << (1 << index) {
                let build = |default: u128| {
                    (0..1u128 << index).fold(
                        ArrayValue::constant(index, Scalar::Bv(1), bit(default)),
                        |array, at| array.store(Bits::new(at, index), bit(map >> at)),
                    )
                };
                assert_eq!(build(0), build(1), "map {map:b}");
                for at in 0..1u128 << index {
                    assert_eq!(*build(1).select(Bits::new(at, index)), bit(map >> at));
                }
            }
        }
    }
}
