//! Probing: trying a boolean both ways and keeping what both sides imply.
//!
//! A side that fails fixes the other: entailment by refutation with the whole store, not only with
//! domains. When neither fails, a variable narrowed on both sides lies in the join of the two
//! domains: constructive disjunction. Depth 1 tries one boolean at a time; depth 2 tries others within
//! each side.
//!
//! Source: Gotlieb, Botella, Rueher, CL 2000 (abs-entailment, the guards of `ite`) and EUCLIDE's union
//! of domains (docs/papers/branches.md, rules 1.2 to 1.4 and 1.8). Deviation: other combinators stay awake during a trial;
//! the step budget, not their silence, bounds it.

use crate::budget::Budget;
use crate::domain::Domain;
use crate::kernel::{Fixpoint, Kernel};
use crate::propagator::Dispatch;
use crate::reason::{Premises, Reason};
use crate::store::{Store, VarIdx};

/// Steps one side of one trial may take.
const STEPS_PER_SIDE: u64 = 2_000;
/// Rounds over all booleans before giving up on progress.
const MAX_ROUNDS: usize = 8;

/// Working memory, reused from trial to trial.
#[derive(Debug, Clone, Default)]
pub struct Probe {
    // What the first side narrowed.
    first: Vec<(VarIdx, Domain)>,
    joined: Vec<(VarIdx, Domain)>,
    premises: Vec<VarIdx>,
    // By variable: the last trial that saw it, to list each once.
    seen_changed: Vec<u32>,
    seen_premise: Vec<u32>,
    trial: u32,
}

/// What one trial found.
enum Trial {
    Nothing,
    Progress,
    Conflict,
    OutOfBudget,
}

impl Probe {
    /// Tries the undecided booleans among `guards` until nothing changes. The kernel must be at a
    /// fixpoint; on `Reached` it is at one again.
    pub fn run<D: Dispatch>(
        &mut self,
        kernel: &mut Kernel<D>,
        guards: &[VarIdx],
        depth: u32,
        budget: &mut Budget,
    ) -> Fixpoint {
        for _ in 0..MAX_ROUNDS {
            let mut progress = false;
            for &guard in guards {
                if kernel.store.is_fixed(guard) {
                    continue;
                }
                match self.trial(kernel, guard, guards, depth, budget) {
                    Trial::Nothing => {}
                    Trial::Progress => progress = true,
                    Trial::Conflict => return Fixpoint::Conflict,
                    Trial::OutOfBudget => return Fixpoint::OutOfBudget,
                }
            }
            if !progress {
                break;
            }
        }
        Fixpoint::Reached
    }

    fn trial<D: Dispatch>(
        &mut self,
        kernel: &mut Kernel<D>,
        guard: VarIdx,
        guards: &[VarIdx],
        depth: u32,
        budget: &mut Budget,
    ) -> Trial {
        kernel.counters.probes += 1;
        let mark = kernel.store.mark();
        let start = Store::trail_length(mark);
        self.begin(kernel.store.n_vars());
        for side in [true, false] {
            let assumed = kernel.assume(guard, side, Reason::Decision { level: 0 });
            let fixpoint = match assumed {
                Ok(_) => explore(kernel, guards, depth, budget),
                Err(_) => Fixpoint::Conflict,
            };
            match fixpoint {
                Fixpoint::Reached => {}
                Fixpoint::OutOfBudget => {
                    kernel.undo_to(mark);
                    // A side may be too long although the whole budget is not spent.
                    return if budget.is_spent() { Trial::OutOfBudget } else { Trial::Nothing };
                }
                Fixpoint::Conflict => {
                    kernel.counters.probe_failures += 1;
                    return refute(kernel, guard, side, mark, budget);
                }
            }
            self.note_side(kernel, start, side);
            kernel.undo_to(mark);
        }
        self.keep_joined(kernel, budget)
    }

    fn begin(&mut self, n_vars: usize) {
        self.first.clear();
        self.joined.clear();
        self.premises.clear();
        self.seen_changed.resize(n_vars, 0);
        self.seen_premise.resize(n_vars, 0);
        // Two stamps per trial: one for each side.
        self.trial += 2;
    }

    /// Lists what a side narrowed and what it read.
    fn note_side<D: Dispatch>(&mut self, kernel: &Kernel<D>, start: usize, first: bool) {
        let stamp = if first { self.trial } else { self.trial + 1 };
        let store = &kernel.store;
        for change in &store.changes()[start..] {
            let var = change.var;
            self.need(var);
            match change.reason {
                Reason::Propagator(prop, premises) => {
                    for (position, &arg) in kernel.network.args(prop).iter().enumerate() {
                        if premises.contains(position) {
                            self.need(arg);
                        }
                    }
                }
                Reason::Variables { start, len } => {
                    for &read in store.variable_list(start, len) {
                        self.need(read);
                    }
                }
                Reason::Assertion(_) | Reason::Assertions { .. } | Reason::Decision { .. } => {}
            }
            let seen = &mut self.seen_changed[var.index()];
            let was_in_first = *seen == self.trial;
            if *seen == stamp {
                continue;
            }
            *seen = stamp;
            if first {
                self.first.push((var, *store.domain(var)));
            } else if was_in_first
                && let Some((_, domain)) = self.first.iter().find(|(known, _)| *known == var)
            {
                self.joined.push((var, domain.join(store.domain(var))));
            }
        }
    }

    fn need(&mut self, var: VarIdx) {
        let seen = &mut self.seen_premise[var.index()];
        if *seen != self.trial {
            *seen = self.trial;
            self.premises.push(var);
        }
    }

    /// Narrows to what both sides imply. The store is back at the mark.
    fn keep_joined<D: Dispatch>(&mut self, kernel: &mut Kernel<D>, budget: &mut Budget) -> Trial {
        if self.joined.is_empty() {
            return Trial::Nothing;
        }
        // A full domain needs no reason.
        self.premises.retain(|&var| !kernel.store.domain(var).is_full());
        let mut progress = false;
        let mut reason = None;
        for (var, domain) in &self.joined {
            let because =
                *reason.get_or_insert_with(|| kernel.store.variables_reason(&self.premises));
            match kernel.narrow(because, |store| store.narrow(*var, domain, Premises::NONE)) {
                Ok(changed) => progress |= changed,
                Err(_) => return Trial::Conflict,
            }
        }
        if !progress {
            return Trial::Nothing;
        }
        settle(kernel, budget)
    }
}

/// Propagates what was assumed, with trials of the guards below it while `depth` allows.
fn explore<D: Dispatch>(
    kernel: &mut Kernel<D>,
    guards: &[VarIdx],
    depth: u32,
    budget: &mut Budget,
) -> Fixpoint {
    let mut part = budget.part(STEPS_PER_SIDE);
    let mut fixpoint = kernel.propagate(&mut part);
    if fixpoint == Fixpoint::Reached && depth > 1 {
        // Nested trials need their own memory.
        fixpoint = Probe::default().run(kernel, guards, depth - 1, &mut part);
    }
    budget.refund(part);
    fixpoint
}

/// Fixes the guard to the side that did not fail.
fn refute<D: Dispatch>(
    kernel: &mut Kernel<D>,
    guard: VarIdx,
    failed_side: bool,
    mark: crate::store::Mark,
    budget: &mut Budget,
) -> Trial {
    let failure = kernel.store.failure().expect("a failed side has a failure");
    let start = Store::trail_length(mark);
    kernel.analysis.explain(&kernel.store, &kernel.network, failure, start);
    kernel.undo_to(mark);
    let reason = kernel.store.variables_reason(&kernel.analysis.culprits.variables);
    if kernel.assume(guard, !failed_side, reason).is_err() {
        return Trial::Conflict;
    }
    settle(kernel, budget)
}

fn settle<D: Dispatch>(kernel: &mut Kernel<D>, budget: &mut Budget) -> Trial {
    match kernel.propagate(budget) {
        Fixpoint::Reached => Trial::Progress,
        Fixpoint::Conflict => Trial::Conflict,
        Fixpoint::OutOfBudget => Trial::OutOfBudget,
    }
}
