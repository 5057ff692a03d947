//! Candidates: values of the free variables read off a store in which they are fixed.
//!
//! Scalars are read directly. A free array holds what the active reads found in it: a read that no
//! store of its chain answers reads the base. Where two reads contradict each other the first stays;
//! evaluating the candidate then shows it.

use glassbox_kernel::Store;
use glassbox_terms::{ArrayOp, ArrayValue, Op, Sort, TermId, Terms, Value, VarId};

use crate::compile::Compiled;

/// The values of all free variables that take part, sorted by variable.
pub(crate) fn read(terms: &Terms, compiled: &Compiled, store: &Store) -> Vec<(VarId, Value)> {
    let mut values: Vec<(VarId, Value)> = Vec::with_capacity(compiled.free().len());
    for &term in compiled.free() {
        if let (Op::Var(var), Some(value)) = (terms.op(term), value_of(compiled, store, term)) {
            values.push((var, value));
        }
    }
    let mut arrays: Vec<(VarId, ArrayValue, Vec<u128>)> = Vec::new();
    for &term in compiled.reads() {
        add_read(terms, compiled, store, term, &mut arrays);
    }
    for (var, array, _) in arrays {
        values.push((var, Value::Array(std::sync::Arc::new(array))));
    }
    values.sort_unstable_by_key(|(var, _)| *var);
    values
}

fn value_of(compiled: &Compiled, store: &Store, term: TermId) -> Option<Value> {
    store.domain(compiled.active_var(term)?).value()
}

/// Adds what a read says about the free array below it, if it reaches it.
fn add_read(
    terms: &Terms,
    compiled: &Compiled,
    store: &Store,
    term: TermId,
    arrays: &mut Vec<(VarId, ArrayValue, Vec<u128>)>,
) -> Option<()> {
    let index = value_of(compiled, store, terms.arg(term, 1))?.as_bits()?;
    let mut array = terms.arg(term, 0);
    while terms.op(array) == Op::Array(ArrayOp::Store) {
        let stored = value_of(compiled, store, terms.arg(array, 1))?.as_bits()?;
        if stored == index {
            return None;
        }
        array = terms.arg(array, 0);
    }
    let Op::Var(var) = terms.op(array) else {
        return None;
    };
    let Sort::Array { index: width, element } = terms.sort(array) else {
        return None;
    };
    let value = value_of(compiled, store, term)?;
    let position = arrays.iter().position(|(known, ..)| *known == var).unwrap_or_else(|| {
        let default = Value::default_of(element.into());
        arrays.push((var, ArrayValue::constant(width, element, default), Vec::new()));
        arrays.len() - 1
    });
    let (_, array, known) = &mut arrays[position];
    if !known.contains(&index.unsigned()) {
        known.push(index.unsigned());
        *array = array.store(index, value);
    }
    Some(())
}
