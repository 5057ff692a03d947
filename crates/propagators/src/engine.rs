//! The engine: asserted terms, propagated, probed and labelled.
//!
//! The only door the solver uses. How to use it:
//!
//! ```
//! use glassbox_kernel::{AssertId, Budget};
//! use glassbox_propagators::{Engine, Propagation};
//! use glassbox_terms::{BvOp, Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.fresh_var("x", Sort::Bv(32));
//! let never = terms.intern(BvOp::Ult, &[x, x]);
//! let mut engine = Engine::new();
//! engine.push();
//! engine.assert(&terms, never, AssertId(7));
//! let answer = engine.propagate(&mut Budget::steps(1000));
//! assert_eq!(answer, Propagation::Conflict(vec![AssertId(7)]));
//! engine.pop();
//! ```
//!
//! Contracts: all terms come from one arena that only grows. `assert` compiles and does not
//! propagate. A term compiled once stays compiled, but takes part only between its assertion and the
//! matching `pop`. After a conflict the engine answers the same conflict until the level is popped.
//! Answers depend on the sequence of calls alone.

use glassbox_kernel::kernel::{Counters, Fixpoint};
use glassbox_kernel::probe::Probe;
use glassbox_kernel::search::{Outcome, Search};
use glassbox_kernel::{AssertId, Budget, Domain, Kernel, Premises, VarIdx};
use glassbox_terms::{TermId, Terms, Value, VarId};

use crate::candidate;
use crate::compile::Compiled;
use crate::difference;
use crate::dispatch::Table;

/// The answer of `propagate` and `probe`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Propagation {
    /// A fixpoint; nothing is proved.
    Consistent,
    /// No solution. These assertions together are unsatisfiable; sorted.
    Conflict(Vec<AssertId>),
    /// Steps ran out; nothing is proved. Another call continues.
    OutOfBudget,
}

/// The answer of `label`.
#[derive(Debug, Clone, PartialEq)]
pub enum Labelling {
    /// Values of the free variables that occur in active assertions, sorted by variable; variables
    /// not listed are free to choose. To be evaluated before it is believed.
    Candidate(Vec<(VarId, Value)>),
    /// No solution. These assertions together are unsatisfiable; sorted.
    Conflict(Vec<AssertId>),
    /// Steps ran out; nothing is proved.
    OutOfBudget,
}

/// Asserted terms and what is known of them.
#[derive(Debug)]
pub struct Engine {
    pub(crate) kernel: Kernel<Table>,
    pub(crate) compiled: Compiled,
    // Conflict found while asserting, or the last one: kept until the level is popped.
    core: Option<Vec<AssertId>>,
    core_level: usize,
    search: Search,
    probe: Probe,
    guards: Vec<VarIdx>,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    pub fn new() -> Engine {
        Engine {
            kernel: Kernel::new(Table::default()),
            compiled: Compiled::default(),
            core: None,
            core_level: 0,
            search: Search::default(),
            probe: Probe::default(),
            guards: Vec::new(),
        }
    }

    pub fn push(&mut self) {
        self.kernel.push();
        self.compiled.push();
    }

    /// Forgets what was asserted since the matching `push`. Returns false when there is none.
    pub fn pop(&mut self) -> bool {
        if !self.kernel.pop() {
            return false;
        }
        self.compiled.pop();
        if self.core.is_some() && self.kernel.level() < self.core_level {
            self.core = None;
        }
        true
    }

    /// The number of pushes not yet popped.
    pub fn level(&self) -> usize {
        self.kernel.level()
    }

    /// Adds a boolean term that must hold, under a name for cores. Names may repeat.
    pub fn assert(&mut self, terms: &Terms, term: TermId, id: AssertId) {
        self.compiled.assert(&mut self.kernel, terms, term, id);
    }

    /// Runs the propagators to a fixpoint.
    pub fn propagate(&mut self, budget: &mut Budget) -> Propagation {
        if let Some(core) = &self.core {
            return Propagation::Conflict(core.clone());
        }
        match self.kernel.propagate(budget) {
            Fixpoint::Reached => self.check_differences(),
            Fixpoint::OutOfBudget => Propagation::OutOfBudget,
            Fixpoint::Conflict => Propagation::Conflict(self.keep_core()),
        }
    }

    /// At a fixpoint: when bounds only creep, looks for the contradiction they may creep towards.
    fn check_differences(&mut self) -> Propagation {
        if !self.kernel.creeps() {
            return Propagation::Consistent;
        }
        match difference::refute(&mut self.kernel) {
            None => Propagation::Consistent,
            Some(core) => {
                self.core = Some(core.clone());
                self.core_level = self.kernel.level();
                Propagation::Conflict(core)
            }
        }
    }

    /// Propagates, then tries undecided conditions and members of connectives both ways: a side that
    /// fails fixes the other, and what both sides imply is kept. Costs much more than `propagate`;
    /// does nothing more when no such boolean is undecided. `depth` is 1, or 2 to try others within
    /// each side.
    pub fn probe(&mut self, depth: u32, budget: &mut Budget) -> Propagation {
        let settled = self.propagate(budget);
        if settled != Propagation::Consistent {
            return settled;
        }
        let mut guards = std::mem::take(&mut self.guards);
        guards.clear();
        guards.extend_from_slice(self.compiled.guards());
        guards.sort_unstable();
        guards.dedup();
        guards.retain(|&guard| !self.kernel.store.is_fixed(guard));
        let fixpoint = self.probe.run(&mut self.kernel, &guards, depth, budget);
        self.guards = guards;
        match fixpoint {
            Fixpoint::Reached => Propagation::Consistent,
            Fixpoint::OutOfBudget => Propagation::OutOfBudget,
            Fixpoint::Conflict => Propagation::Conflict(self.keep_core()),
        }
    }

    /// Searches for values of the free variables. Domains are as before afterwards, except that a
    /// conflict stays until its level is popped. Needs no prior call of `propagate`. The values of the
    /// last candidate are tried first the next time.
    pub fn label(&mut self, terms: &Terms, budget: &mut Budget) -> Labelling {
        match self.propagate(budget) {
            Propagation::Conflict(core) => return Labelling::Conflict(core),
            Propagation::OutOfBudget => return Labelling::OutOfBudget,
            Propagation::Consistent => {}
        }
        let base = self.kernel.store.mark();
        match self.search.run(&mut self.kernel, self.compiled.free_vars(), budget) {
            Outcome::OutOfBudget => Labelling::OutOfBudget,
            Outcome::Refuted(core) => {
                self.core = Some(core.clone());
                self.core_level = self.kernel.level();
                Labelling::Conflict(core)
            }
            Outcome::Solved => {
                let candidate = candidate::read(terms, &self.compiled, &self.kernel.store);
                self.kernel.undo_to(base);
                Labelling::Candidate(candidate)
            }
        }
    }

    /// Suggests the value that `label` tries first for a variable that takes part.
    pub fn suggest(&mut self, terms: &Terms, var: VarId, value: &Value) {
        let var = self.compiled.active_var(terms.var_term(var));
        if let (Some(var), Some(raw)) = (var, Domain::point(value).raw_value()) {
            self.search.suggest(var, raw);
        }
    }

    fn keep_core(&mut self) -> Vec<AssertId> {
        let core = self.kernel.explain_conflict().assertions.clone();
        self.core = Some(core.clone());
        self.core_level = self.kernel.level();
        core
    }

    /// Tells what another engine found: `term` lies in `domain` because of these assertions. False
    /// when that leaves nothing; `propagate` then gives the core.
    pub fn narrow(
        &mut self,
        terms: &Terms,
        term: TermId,
        domain: &Domain,
        because: &[AssertId],
    ) -> bool {
        if self.kernel.has_failed() {
            return false;
        }
        let var = self.compiled.activate(&mut self.kernel, terms, term);
        let reason = self.kernel.store.assertions_reason(because);
        self.kernel.narrow(reason, |store| store.narrow(var, domain, Premises::NONE)).is_ok()
    }

    /// The present domain of a term, if it takes part.
    pub fn domain(&self, term: TermId) -> Option<&Domain> {
        self.compiled.active_var(term).map(|var| self.kernel.store.domain(var))
    }

    /// The assertions that the present domain of a term rests on; empty when it does not take part.
    pub fn explain(&mut self, term: TermId) -> Vec<AssertId> {
        let Some(var) = self.compiled.active_var(term) else {
            return Vec::new();
        };
        let kernel = &mut self.kernel;
        kernel.analysis.explain_domain(&kernel.store, &kernel.network, var, 0);
        kernel.analysis.culprits.assertions.clone()
    }

    pub fn counters(&self) -> Counters {
        self.kernel.counters
    }
}
