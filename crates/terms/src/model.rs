//! Models: a value for some variables, zero for all others.

use crate::intern::{Terms, VarId};
use crate::sort::{Scalar, Sort};
use crate::value::{ArrayValue, Value};

/// An assignment of values to variables. Variables it does not mention have the default value of
/// their sort, so that every model is total.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Model {
    // Invariant: sorted by variable, each at most once. Models are small and mostly written in
    // variable order, so a sorted vector beats a tree.
    entries: Vec<(VarId, Value)>,
}

impl Model {
    pub fn new() -> Model {
        Model::default()
    }

    /// Sets the value of a variable; the sort must be the variable's.
    pub fn set(&mut self, var: VarId, value: Value) {
        match self.entries.last() {
            Some((last, _)) if *last >= var => {
                match self.entries.binary_search_by_key(&var, |(known, _)| *known) {
                    Ok(position) => self.entries[position].1 = value,
                    Err(position) => self.entries.insert(position, (var, value)),
                }
            }
            Some(_) | None => self.entries.push((var, value)),
        }
    }

    /// The value that was set, if any.
    pub fn get(&self, var: VarId) -> Option<&Value> {
        let position = self.entries.binary_search_by_key(&var, |(known, _)| *known).ok()?;
        Some(&self.entries[position].1)
    }

    /// The value of a variable in the total model: what was set, or the default.
    pub fn value(&self, terms: &Terms, var: VarId) -> Value {
        match self.get(var) {
            Some(value) => value.clone(),
            None => Value::default_of(terms.var_sort(var)),
        }
    }

    /// What was set, by variable.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Value)> {
        self.entries.iter().map(|(var, value)| (*var, value))
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Takes over all entries of `other`, which wins where both have one.
    pub fn extend_with(&mut self, other: &Model) {
        for (var, value) in other.iter() {
            self.set(var, value.clone());
        }
    }
}

impl FromIterator<(VarId, Value)> for Model {
    fn from_iter<I: IntoIterator<Item = (VarId, Value)>>(entries: I) -> Model {
        let mut model = Model::new();
        for (var, value) in entries {
            model.set(var, value);
        }
        model
    }
}

impl Value {
    /// False, zero, +0, or the array that holds that everywhere.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(width) => Value::Bv(glassbox_values::Bits::zero(width)),
            Sort::Float(format) => {
                Value::Float(glassbox_values::Float::zero(glassbox_values::Sign::Positive, format))
            }
            Sort::Array { index, element } => Value::Array(std::sync::Arc::new(
                ArrayValue::constant(index, element, Value::default_of_scalar(element)),
            )),
        }
    }

    fn default_of_scalar(scalar: Scalar) -> Value {
        Value::default_of(Sort::from(scalar))
    }
}

#[cfg(test)]
mod tests {
    use glassbox_values::Bits;

    use super::*;

    #[test]
    fn entries_are_sorted_and_the_last_write_wins() {
        let mut terms = Terms::new();
        let made: Vec<_> = (0..4).map(|_| terms.fresh_var("x", Sort::Bv(8))).collect();
        let vars: Vec<VarId> =
            made.iter().map(|&term| terms.as_var(term).expect("just made")).collect();
        let byte = |value| Value::Bv(Bits::new(value, 8));
        let mut model = Model::new();
        for &position in &[2_usize, 0, 3, 0] {
            model.set(vars[position], byte(position as u128 + 10));
        }
        model.set(vars[2], byte(7));
        let seen: Vec<_> = model.iter().map(|(var, value)| (var, value.clone())).collect();
        assert_eq!(seen, [(vars[0], byte(10)), (vars[2], byte(7)), (vars[3], byte(13))]);
        assert_eq!(model.value(&terms, vars[1]), byte(0));
    }
}
