//! The whole function as one formula: guards for nodes, choices at joins, invariants in place of loops.
//!
//! A *region* is everything that control can reach from a start, as one acyclic formula: every node has a guard
//! (control comes here), every variable its value there, merged by choices where ways meet. A loop inside the
//! region is cut at its head: its variables there are anything that the head's invariant allows. Regions are
//! over-approximations, so a guard without a model is a proof; where nothing was cut and nothing is opaque,
//! they are exact.

mod facts;
mod region;

pub(crate) use facts::state_terms;
pub(crate) use region::{Region, Start};

use glassbox_solver::{Answer, Solver, Steps};
use glassbox_terms::{Model as TermModel, TermId, Terms};

use crate::options::Options;

/// What a formula is.
#[derive(Debug)]
pub(crate) enum Formula {
    Impossible,
    Possible(TermModel),
    Unknown,
}

/// Asks the solver about a conjunction.
pub(crate) fn ask(terms: &mut Terms, facts: &[TermId], options: &Options) -> Formula {
    let mut solver = Solver::new(glassbox_solver::Options {
        steps: Steps { conflicts: options.conflicts, ..Steps::default() },
        max_gates: options.max_gates,
        time_limit: options.time_limit,
        ..glassbox_solver::Options::default()
    });
    for &fact in facts {
        if terms.as_bool_const(fact) == Some(false) {
            return Formula::Impossible;
        }
        let _ = solver.assert(terms, fact);
    }
    match solver.check(terms) {
        Answer::Unsat(_) => Formula::Impossible,
        Answer::Sat(model) => Formula::Possible(model),
        Answer::Unknown(_) => Formula::Unknown,
    }
}
