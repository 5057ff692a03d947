//! Smaller cores: members are left out one by one as long as the rest stays refuted.
//!
//! Deletion from the first member to the last, each question put to a fresh solver with few steps. A
//! question that is too hard keeps its member, and after a few of those the core stays as it is, so
//! that the result is always unsatisfiable and mostly minimal. No clocks: the same core gives the same
//! smaller one.

use glassbox_terms::{TermId, Terms};

use crate::answer::Answer;
use crate::limits;
use crate::options::{Layer, Layers, Options, Steps};
use crate::solver::Solver;

/// Some of the members, by position and ascending, that have no model together with the `fixed` terms.
/// All `members` and all `fixed` together must have none.
pub fn reduce(terms: &mut Terms, fixed: &[TermId], members: &[TermId]) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..members.len()).collect();
    if fixed.len() + members.len() < 2
        || terms.dag_size(&[fixed, members].concat()) > limits::REDUCED_NODES
    {
        return kept;
    }
    let (mut n_unknown, mut place) = (0, 0);
    for _ in 0..limits::REDUCE_QUESTIONS {
        if place >= kept.len() || n_unknown >= limits::REDUCE_UNKNOWN {
            break;
        }
        let mut rest = kept.clone();
        let candidate = rest.remove(place);
        match refuting(terms, fixed, members, &rest) {
            // The new core may be smaller still; members before `place` are needed, so they are in it.
            Question::Refuted(core) => {
                place = core.iter().take_while(|&&position| position < candidate).count();
                kept = core;
            }
            Question::Satisfied => place += 1,
            Question::Unknown => {
                n_unknown += 1;
                place += 1;
            }
        }
    }
    kept
}

enum Question {
    /// The positions of a core.
    Refuted(Vec<usize>),
    Satisfied,
    Unknown,
}

fn refuting(
    terms: &mut Terms,
    fixed: &[TermId],
    members: &[TermId],
    positions: &[usize],
) -> Question {
    let mut solver = Solver::new(small());
    for &term in fixed {
        solver.assert(terms, term);
    }
    let ids: Vec<_> =
        positions.iter().map(|&position| solver.assert(terms, members[position])).collect();
    match solver.check(terms) {
        Answer::Sat(_) => Question::Satisfied,
        Answer::Unknown(_) => Question::Unknown,
        Answer::Unsat(core) => Question::Refuted(
            positions
                .iter()
                .zip(&ids)
                .filter(|(_, id)| core.assertions.binary_search(id).is_ok())
                .map(|(&position, _)| position)
                .collect(),
        ),
    }
}

/// A solver for questions that are easy or not worth asking.
fn small() -> Options {
    Options {
        layers: Layers::ALL.without(Layer::Descent).without(Layer::Reuse),
        steps: Steps {
            propagate: 5_000,
            probe: 500,
            label: 500,
            relax: 20_000,
            descent: 0,
            conflicts: 1_000,
        },
        max_gates: 200_000,
        ..Options::default()
    }
}
