//! Layer 6, for floats: local search from the model at hand.

use glassbox_descent::search::descend;
use glassbox_terms::{Model, Scalar, Sort, Terms};

use crate::layer::{System, Verdict};

/// Whether a float takes part.
pub(crate) fn applies(terms: &Terms, system: &System) -> bool {
    let is_float =
        |sort| matches!(sort, Sort::Float(_) | Sort::Array { element: Scalar::Float(_), .. });
    system.vars.iter().any(|&var| is_float(terms.var_sort(var)))
        || terms.subterms(&system.terms).iter().any(|&term| is_float(terms.sort(term)))
}

/// Looks for values; also says how many steps it took.
pub(crate) fn solve(
    terms: &Terms,
    system: &System,
    base: &Model,
    steps: u64,
    seed: u64,
) -> (Verdict, u64) {
    let descent = descend(terms, &system.terms, base, steps, seed);
    let verdict = match descent.model {
        Some(model) => {
            let values = system.vars.iter().filter_map(|&var| Some((var, model.get(var)?.clone())));
            Verdict::Candidate(values.collect())
        }
        None => Verdict::Open,
    };
    (verdict, descent.steps)
}
