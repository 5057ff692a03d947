//! The driver: depth-first search with conflict analysis and restarts.
//!
//! A refuted alternative is explained by the assertions and earlier choices its conflict rests on. A
//! conflict that does not rest on the latest choice refutes that choice's variable altogether, so the
//! search goes back to the latest choice it does rest on. A variable all of whose alternatives are
//! refuted is explained by their explanations together with why its domain was no larger.

use crate::analysis::Culprits;
use crate::budget::Budget;
use crate::kernel::{Fixpoint, Kernel};
use crate::propagator::Dispatch;
use crate::reason::{AssertId, Premises, Reason};
use crate::search::pick_value::{Alternatives, Phase, alternatives};
use crate::search::pick_var::pick;
use crate::store::{Mark, Store, VarIdx};

/// How a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// All variables are fixed and nothing contradicts; the store holds the solution until undone.
    Solved,
    /// No solution; these assertions together have none.
    Refuted(Vec<AssertId>),
    OutOfBudget,
}

#[derive(Debug, Clone)]
struct Frame {
    mark: Mark,
    position: usize,
    alternatives: Alternatives,
    culprits: Culprits,
}

/// Conflicts before the first restart; doubles each time.
const FIRST_RESTART: u32 = 64;

/// The memory of searches: reused, and carrying what worked from one search to the next.
#[derive(Debug, Clone, Default)]
pub struct Search {
    // By variable of the store.
    phases: Vec<Phase>,
    // By position in the variables of the present search.
    weight: Vec<u32>,
    frames: Vec<Frame>,
    depth: usize,
    // Where the present search began. Conflicts are explained down to here only; the long way to the
    // assertions is walked once, at the end.
    base: Option<Mark>,
}

enum Step {
    /// The alternative holds so far.
    Deeper,
    Refuted,
    OutOfBudget,
}

impl Search {
    /// Searches values for `vars`. On `Solved` the store is left at the solution; otherwise it is as
    /// before, except that a refutation leaves it wherever it was found (the caller pops or undoes).
    pub fn run<D: Dispatch>(
        &mut self,
        kernel: &mut Kernel<D>,
        vars: &[VarIdx],
        budget: &mut Budget,
    ) -> Outcome {
        match kernel.propagate(budget) {
            Fixpoint::Reached => {}
            Fixpoint::OutOfBudget => return Outcome::OutOfBudget,
            Fixpoint::Conflict => {
                return Outcome::Refuted(kernel.explain_conflict().assertions.clone());
            }
        }
        let base = kernel.store.mark();
        self.base = Some(base);
        self.weight.clear();
        self.weight.resize(vars.len(), 0);
        self.phases.resize(kernel.store.n_vars().max(self.phases.len()), None);
        let mut restart_limit = FIRST_RESTART;
        loop {
            self.depth = 0;
            match self.descend(kernel, vars, restart_limit, budget) {
                Some(Outcome::Solved) => {
                    self.keep_phases(kernel, vars);
                    return Outcome::Solved;
                }
                Some(outcome) => {
                    kernel.undo_to(base);
                    return outcome;
                }
                None => {
                    kernel.undo_to(base);
                    restart_limit = restart_limit.saturating_mul(2);
                }
            }
        }
    }

    /// One run until a solution, a refutation, the end of the budget, or (`None`) a restart.
    fn descend<D: Dispatch>(
        &mut self,
        kernel: &mut Kernel<D>,
        vars: &[VarIdx],
        restart_limit: u32,
        budget: &mut Budget,
    ) -> Option<Outcome> {
        let mut n_conflicts = 0;
        while let Some(position) = pick(&kernel.store, vars, &self.weight) {
            self.open(kernel, vars, position);
            loop {
                match self.try_next(kernel, vars, budget) {
                    Step::Deeper => break,
                    Step::OutOfBudget => return Some(Outcome::OutOfBudget),
                    Step::Refuted => {
                        n_conflicts += 1;
                        // The explanation is in the analysis; go back to the choice it names.
                        let Some(&level) = kernel.analysis.culprits.decisions.last() else {
                            return Some(self.refuted(kernel));
                        };
                        self.back_to(kernel, level);
                        if n_conflicts > restart_limit && self.depth > 1 {
                            return None;
                        }
                    }
                }
            }
        }
        Some(Outcome::Solved)
    }

    /// The assertions behind a refutation that rests on no choice.
    fn refuted<D: Dispatch>(&self, kernel: &mut Kernel<D>) -> Outcome {
        if let Some(base) = self.base {
            kernel.undo_to(base);
        }
        kernel.analysis.explain_rest(&kernel.store, &kernel.network);
        Outcome::Refuted(kernel.analysis.culprits.assertions.clone())
    }

    fn base_length(&self) -> usize {
        self.base.map_or(0, Store::trail_length)
    }

    fn open<D: Dispatch>(&mut self, kernel: &Kernel<D>, vars: &[VarIdx], position: usize) {
        let var = vars[position];
        let alternatives = alternatives(kernel.store.domain(var), self.phases[var.index()]);
        let mark = kernel.store.mark();
        if self.depth == self.frames.len() {
            let culprits = Culprits::default();
            self.frames.push(Frame { mark, position, alternatives, culprits });
        } else {
            let frame = &mut self.frames[self.depth];
            frame.mark = mark;
            frame.position = position;
            frame.alternatives = alternatives;
            frame.culprits.clear();
        }
        self.depth += 1;
    }

    /// Tries the next alternative of the latest choice. On `Refuted` the analysis holds why: of the
    /// alternative, or, when there is none left, of the choice.
    fn try_next<D: Dispatch>(
        &mut self,
        kernel: &mut Kernel<D>,
        vars: &[VarIdx],
        budget: &mut Budget,
    ) -> Step {
        let level = u32::try_from(self.depth - 1).expect("fewer than 2^32 choices");
        let stop = self.base_length();
        let frame = &mut self.frames[self.depth - 1];
        let var = vars[frame.position];
        kernel.undo_to(frame.mark);
        let Some(domain) = frame.alternatives.take_next() else {
            kernel.analysis.explain_domain(&kernel.store, &kernel.network, var, stop);
            kernel.analysis.culprits.add(&frame.culprits);
            return Step::Refuted;
        };
        if !budget.step() {
            return Step::OutOfBudget;
        }
        kernel.counters.decisions += 1;
        let reason = Reason::Decision { level };
        let narrowed =
            kernel.narrow(reason, |store| store.narrow(var, &domain, Premises::NONE)).is_ok();
        let fixpoint = if narrowed { kernel.propagate(budget) } else { Fixpoint::Conflict };
        match fixpoint {
            Fixpoint::Reached => Step::Deeper,
            Fixpoint::OutOfBudget => Step::OutOfBudget,
            Fixpoint::Conflict => {
                kernel.explain_conflict_since(stop);
                Step::Refuted
            }
        }
    }

    /// Drops the choices after `level` and adds the explanation at hand to that choice.
    fn back_to<D: Dispatch>(&mut self, kernel: &mut Kernel<D>, level: u32) {
        let depth = level as usize + 1;
        kernel.counters.backjumps += u64::from(depth < self.depth);
        self.depth = depth;
        let frame = &mut self.frames[depth - 1];
        let culprits = &mut kernel.analysis.culprits;
        culprits.decisions.pop();
        frame.culprits.add(culprits);
        self.weight[frame.position] = self.weight[frame.position].saturating_add(1);
    }

    fn keep_phases<D: Dispatch>(&mut self, kernel: &Kernel<D>, vars: &[VarIdx]) {
        for &var in vars {
            let value = kernel.store.domain(var).raw_value();
            if value.is_some() {
                self.phases[var.index()] = value;
            }
        }
    }

    /// Suggests the value to try first for a variable.
    pub fn suggest(&mut self, var: VarIdx, raw: u64) {
        if self.phases.len() <= var.index() {
            self.phases.resize(var.index() + 1, None);
        }
        self.phases[var.index()] = Some(raw);
    }
}
