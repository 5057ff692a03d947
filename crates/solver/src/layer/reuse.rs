//! Layer 3: models and cores of earlier checks.
//!
//! A model remembers how many assertions from the bottom of the stack it satisfies, so that only new
//! assertions are evaluated; a model found for a longer path also satisfies every prefix of it. A core is
//! kept as the set of its terms, which has no model in any context; it is looked up by the assertions
//! that are new.
//!
//! Both memories are bounded and replace the one used longest ago, in an order that depends on the
//! sequence of calls alone.

use glassbox_terms::{Evaluator, Model, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::limits;
use crate::stack::Assertion;

#[derive(Debug, Clone)]
struct Kept {
    model: Model,
    // The first `n_holds` assertions hold under it.
    n_holds: usize,
    // And the next one does not.
    fails_next: bool,
}

/// Models of earlier checks, the one used last first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Models {
    kept: Vec<Kept>,
}

impl Models {
    /// The assertions beyond the first `n_assertions` are gone.
    pub(crate) fn pop_to(&mut self, n_assertions: usize) {
        for kept in &mut self.kept {
            if kept.n_holds >= n_assertions {
                kept.n_holds = n_assertions;
                kept.fails_next = false;
            }
        }
    }

    /// A kept model that satisfies all assertions.
    pub(crate) fn satisfying(
        &mut self,
        terms: &Terms,
        evaluator: &mut Evaluator,
        assertions: &[Assertion],
    ) -> Option<&Model> {
        for position in 0..self.kept.len() {
            let kept = &mut self.kept[position];
            if !kept.fails_next && kept.n_holds < assertions.len() {
                let mut evaluation = evaluator.under(terms, &kept.model);
                while kept.n_holds < assertions.len() && !kept.fails_next {
                    if evaluation.truth(assertions[kept.n_holds].term) {
                        kept.n_holds += 1;
                    } else {
                        kept.fails_next = true;
                    }
                }
            }
            if kept.n_holds == assertions.len() {
                self.kept[..=position].rotate_right(1);
                return Some(&self.kept[0].model);
            }
        }
        None
    }

    /// The model that satisfies the most assertions from the bottom, and how many.
    pub(crate) fn best(&self) -> Option<(&Model, usize)> {
        // Of equally good ones the one used last.
        let best = self.kept.iter().rev().max_by_key(|kept| kept.n_holds)?;
        Some((&best.model, best.n_holds))
    }

    /// Keeps a model of the first `n_assertions` assertions.
    pub(crate) fn add(&mut self, model: Model, n_assertions: usize) {
        if self.kept.len() == limits::MODELS {
            self.kept.pop();
        }
        self.kept.insert(0, Kept { model, n_holds: n_assertions, fails_next: false });
    }
}

/// Sets of terms that have no model together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cores {
    cores: Vec<Box<[TermId]>>,
    with: FxHashMap<TermId, Vec<u32>>,
    // How often each asserted term is on the stack, by index.
    n_active: Vec<u32>,
}

impl Cores {
    pub(crate) fn activate(&mut self, term: TermId) {
        if self.n_active.len() <= term.index() {
            self.n_active.resize(term.index() + 1, 0);
        }
        self.n_active[term.index()] += 1;
    }

    pub(crate) fn deactivate(&mut self, term: TermId) {
        self.n_active[term.index()] -= 1;
    }

    /// A known core all of whose terms are active and that holds `term`.
    pub(crate) fn active_with(&self, term: TermId) -> Option<&[TermId]> {
        let candidates = self.with.get(&term)?;
        candidates
            .iter()
            .map(|&position| &*self.cores[position as usize])
            .find(|core| core.iter().all(|member| self.is_active(*member)))
    }

    fn is_active(&self, term: TermId) -> bool {
        self.n_active.get(term.index()).is_some_and(|&count| count > 0)
    }

    pub(crate) fn add(&mut self, core: Box<[TermId]>) {
        if self.cores.len() == limits::CORES {
            let newer = self.cores.split_off(limits::CORES / 2);
            self.cores.clear();
            self.with.clear();
            for core in newer {
                self.index(core);
            }
        }
        self.index(core);
    }

    fn index(&mut self, core: Box<[TermId]>) {
        let position = u32::try_from(self.cores.len()).expect("bounded");
        for &term in &core {
            self.with.entry(term).or_default().push(position);
        }
        self.cores.push(core);
    }
}
