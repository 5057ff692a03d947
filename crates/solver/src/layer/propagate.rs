//! Layers 4 and 6: domains to a fixpoint, probing, and search over the domains.
//!
//! The engine follows the stack lazily: conjuncts are handed over when this layer first needs
//! them, level by level, so that a `pop` undoes exactly what the level added and a prefix is propagated
//! once. It sees the whole stack, not one system; its refutations name conjuncts by position.

use glassbox_kernel::{AssertId, Budget, Domain};
use glassbox_propagators::{Engine, Labelling, Propagation};
use glassbox_relax::bounds::Bounds;
use glassbox_terms::{Model, TermId, Terms};
use glassbox_values::Signedness;

use crate::layer::{System, Verdict};
use crate::limits;
use crate::stack::Stack;

/// The engine and how much of the stack it has seen.
#[derive(Debug, Default)]
pub(crate) struct Domains {
    engine: Engine,
    n_conjuncts: usize,
}

impl Domains {
    /// Levels beyond `level` are gone; `n_conjuncts` are left.
    pub(crate) fn pop_to(&mut self, level: usize, n_conjuncts: usize) {
        while self.engine.level() > level {
            self.engine.pop();
        }
        self.n_conjuncts = self.n_conjuncts.min(n_conjuncts);
    }

    /// Whether the engine is where the stack is.
    pub(crate) fn has_seen(&self, stack: &Stack) -> bool {
        self.engine.level() == stack.level() && self.n_conjuncts == stack.conjuncts().len()
    }

    fn follow(&mut self, stack: &Stack, terms: &Terms) {
        loop {
            let end = stack.n_conjuncts_through(self.engine.level());
            for conjunct in &stack.conjuncts()[self.n_conjuncts..end] {
                let position = u32::try_from(self.n_conjuncts).expect("checked when added");
                self.engine.assert(terms, conjunct.term, AssertId(position));
                self.n_conjuncts += 1;
            }
            if self.engine.level() == stack.level() {
                return;
            }
            self.engine.push();
        }
    }

    /// Propagates the whole stack.
    pub(crate) fn propagate(
        &mut self,
        stack: &Stack,
        terms: &Terms,
        budget: &mut Budget,
    ) -> Verdict {
        self.follow(stack, terms);
        verdict(self.engine.propagate(budget))
    }

    /// Tries undecided conditions both ways; after `propagate`.
    pub(crate) fn probe(&mut self, budget: &mut Budget) -> Verdict {
        verdict(self.engine.probe(limits::PROBE_DEPTH, budget))
    }

    /// Suggests the values that `label` tries first.
    pub(crate) fn suggest(&mut self, terms: &Terms, model: &Model) {
        for (var, value) in model.iter() {
            self.engine.suggest(terms, var, value);
        }
    }

    /// Searches for values; after `propagate`.
    pub(crate) fn label(&mut self, terms: &Terms, system: &System, budget: &mut Budget) -> Verdict {
        match self.engine.label(terms, budget) {
            Labelling::Conflict(core) => refuted(&core),
            Labelling::OutOfBudget => Verdict::Open,
            Labelling::Candidate(values) => {
                let ours =
                    values.into_iter().filter(|(var, _)| system.vars.binary_search(var).is_ok());
                Verdict::Candidate(ours.collect::<Model>())
            }
        }
    }

    /// Takes over a bound that another layer found. False when it leaves nothing.
    pub(crate) fn narrow(
        &mut self,
        terms: &Terms,
        term: TermId,
        domain: &Domain,
        because: &[u32],
    ) -> bool {
        let because: Vec<AssertId> = because.iter().map(|&position| AssertId(position)).collect();
        self.engine.narrow(terms, term, domain, &because)
    }

    /// The conjuncts that the domain of a term rests on.
    pub(crate) fn explain(&mut self, term: TermId) -> Vec<u32> {
        self.engine.explain(term).iter().map(|id| id.0).collect()
    }
}

fn verdict(propagation: Propagation) -> Verdict {
    match propagation {
        Propagation::Conflict(core) => refuted(&core),
        Propagation::Consistent | Propagation::OutOfBudget => Verdict::Open,
    }
}

fn refuted(core: &[AssertId]) -> Verdict {
    Verdict::Refuted(core.iter().map(|id| id.0).collect())
}

impl Bounds for Domains {
    fn range(&self, term: TermId, signedness: Signedness) -> Option<(i128, i128)> {
        self.engine.domain(term)?.range(signedness)
    }
}
