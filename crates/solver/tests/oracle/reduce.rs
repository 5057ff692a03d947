//! Smaller formulas with the same fault.

use glassbox_terms::{TermId, Value};
use rustc_hash::FxHashMap;

use super::formula::Formula;

/// Formulas tried at most.
const MAX_TRIES: usize = 400;

/// Drops assertions and cuts subterms as long as `is_faulty` holds.
pub(crate) fn reduce(formula: &Formula, is_faulty: &mut dyn FnMut(&Formula) -> bool) -> Formula {
    let mut best = formula.clone();
    let mut tries = 0;
    loop {
        let mut has_improved = false;
        for candidate in smaller(&best) {
            tries += 1;
            if tries > MAX_TRIES {
                return best;
            }
            if size(&candidate) < size(&best) && is_faulty(&candidate) {
                best = candidate;
                has_improved = true;
                break;
            }
        }
        if !has_improved {
            return best;
        }
    }
}

fn size(formula: &Formula) -> usize {
    formula.terms.dag_size(&formula.assertions)
}

fn smaller(formula: &Formula) -> Vec<Formula> {
    let mut candidates = Vec::new();
    for position in 0..formula.assertions.len() {
        if formula.assertions.len() > 1 {
            let mut candidate = formula.clone();
            candidate.assertions.remove(position);
            candidates.push(candidate);
        }
    }
    // Largest subterms first: what can be cut is cut soon.
    for &term in formula.terms.subterms(&formula.assertions).iter().rev() {
        if formula.terms.args(term).is_empty() {
            continue;
        }
        let sort = formula.terms.sort(term);
        let args = formula.terms.args(term).to_vec();
        for arg in args.into_iter().filter(|&arg| formula.terms.sort(arg) == sort) {
            candidates.push(replaced(formula, term, arg));
        }
        let mut with_constant = formula.clone();
        let constant = with_constant.terms.constant(&Value::default_of(sort));
        candidates.push(replaced(&with_constant, term, constant));
    }
    candidates
}

/// Rebuilt without simplification, so that a fault of the simplifier stays.
fn replaced(formula: &Formula, old: TermId, new: TermId) -> Formula {
    let mut result = formula.clone();
    let mut new_of: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in formula.terms.subterms(&formula.assertions) {
        let replacement = if term == old {
            new
        } else {
            let args: Vec<TermId> =
                formula.terms.args(term).iter().map(|arg| new_of[arg]).collect();
            if args == formula.terms.args(term) {
                term
            } else {
                result.terms.intern(formula.terms.op(term), &args)
            }
        };
        new_of.insert(term, replacement);
    }
    for assertion in &mut result.assertions {
        *assertion = new_of[assertion];
    }
    result
}
