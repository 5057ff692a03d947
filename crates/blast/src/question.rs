//! One question to one SAT solver: search, look at the arrays, add what was missing, search again.

use crate::array::{Contents, Graph, Refinement, refine};
use crate::blaster::{Reason, Statistics};
use crate::budget::Budget;
use crate::circuit::Circuit;
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::sat::Outcome;

/// A question to a solver that already knows its clauses.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) assumptions: &'a [i32],
    pub(crate) max_conflicts: u64,
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Found {
    /// The solver holds a model; these are the contents of the graph's arrays.
    Model(Vec<Contents>),
    Refutation,
    Nothing(Reason),
}

impl Question<'_> {
    pub(crate) fn solve(
        &self,
        circuit: &mut Circuit,
        cnf: &mut Cnf,
        lemmas: &mut Vec<Vec<Lit>>,
        statistics: &mut Statistics,
        budget: &Budget,
    ) -> Found {
        for lit in self.graph.literals() {
            cnf.literal(circuit, lit);
        }
        let mut left = self.max_conflicts;
        loop {
            if cnf.is_stopped() {
                return Found::Nothing(Reason::Stopped);
            }
            let (outcome, n_learned) = cnf.sat.solve(self.assumptions, left, budget.stop.as_ref());
            statistics.n_conflicts += n_learned;
            match outcome {
                Outcome::Unsat => return Found::Refutation,
                Outcome::Open if budget.is_stopped() => return Found::Nothing(Reason::Stopped),
                Outcome::Open => return Found::Nothing(Reason::Budget),
                Outcome::Sat => {}
            }
            let mark = circuit.mark();
            let refinement = refine(circuit, self.graph, &|word| cnf.word_value(word));
            if circuit.overflowed() {
                let is_stopped = circuit.is_stopped();
                circuit.roll_back(mark);
                let reason = if is_stopped { Reason::Stopped } else { Reason::TooLarge };
                return Found::Nothing(reason);
            }
            match refinement {
                Refinement::Consistent(contents) => return Found::Model(contents),
                Refinement::Lemmas(missing) => {
                    statistics.n_lemmas += missing.len() as u64;
                    for lemma in missing {
                        cnf.add_clause(circuit, &lemma);
                        lemmas.push(lemma);
                    }
                }
            }
            // A round costs a step even when the search was free of conflicts.
            left = left.saturating_sub(n_learned.max(1));
            if left == 0 {
                return Found::Nothing(Reason::Budget);
            }
        }
    }
}
