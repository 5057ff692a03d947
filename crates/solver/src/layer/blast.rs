//! Layer 7: bit-blasting onto a SAT solver, complete and last.
//!
//! The circuits and what the SAT solver learned live as long as the solver; the conjuncts of a system
//! are assumptions, so that nothing is done again after a `pop`.

use glassbox_blast::{Blaster, Budget, Limits, Reason, Stop};
use glassbox_terms::Terms;

use crate::answer::Why;
use crate::layer::{System, Verdict};

/// The complete layer.
#[derive(Debug, Default)]
pub(crate) struct Complete {
    // Made when first needed: most clients never get here.
    blaster: Option<Blaster>,
    /// Conflicts of all checks.
    pub(crate) n_conflicts: u64,
}

impl Complete {
    pub(crate) fn solve(
        &mut self,
        terms: &Terms,
        system: &System,
        max_gates: usize,
        max_conflicts: u64,
        stop: Option<Stop>,
    ) -> Verdict {
        let blaster = self
            .blaster
            .get_or_insert_with(|| Blaster::new(Limits { max_gates, ..Limits::default() }));
        let answer = blaster.check(terms, &system.terms, &Budget { max_conflicts, stop });
        self.n_conflicts = blaster.statistics().n_conflicts;
        match answer {
            glassbox_blast::Answer::Sat(model) => Verdict::Candidate(model),
            glassbox_blast::Answer::Unsat(core) => Verdict::Refuted(
                system
                    .terms
                    .iter()
                    .zip(&system.conjuncts)
                    .filter(|(term, _)| core.contains(term))
                    .map(|(_, &position)| position)
                    .collect(),
            ),
            glassbox_blast::Answer::Unknown(Reason::Budget) => Verdict::GaveUp(Why::Budget),
            glassbox_blast::Answer::Unknown(Reason::Stopped) => Verdict::GaveUp(Why::Stopped),
            glassbox_blast::Answer::Unknown(Reason::TooLarge) => Verdict::GaveUp(Why::TooLarge),
        }
    }
}
