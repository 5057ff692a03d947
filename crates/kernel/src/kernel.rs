//! The kernel: store, network and queue, run to a fixpoint.
//!
//! Levels (`push`/`pop`) undo domains and the activation of propagators together. Within a level the
//! search and the probes undo domains only.

use crate::analysis::{Analysis, Culprits};
use crate::budget::Budget;
use crate::domain::Domain;
use crate::network::{Network, PropIdx};
use crate::propagator::{Dispatch, Status};
use crate::queue::Queue;
use crate::reason::{Premises, Reason};
use crate::store::{Conflict, Failure, Mark, Store, VarIdx};

/// How propagation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixpoint {
    /// No propagator narrows any further (but see `Kernel::creeps`).
    Reached,
    /// The present domains hold no solution.
    Conflict,
    /// The budget ran out first; the domains are sound but may be wide.
    OutOfBudget,
}

#[derive(Debug, Clone, Copy)]
struct Level {
    mark: Mark,
    n_active: usize,
    // The queue was empty when the level began, so popping leaves nothing to do.
    was_settled: bool,
    // The conflict that had been found before the level began.
    failure: Option<Failure>,
}

/// Work done since the kernel was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    pub propagations: u64,
    pub conflicts: u64,
    pub probes: u64,
    pub probe_failures: u64,
    pub decisions: u64,
    pub backjumps: u64,
}

/// Store, network, queue and the table that runs them.
#[derive(Debug, Clone)]
pub struct Kernel<D: Dispatch> {
    pub store: Store,
    pub network: Network<D::Kind>,
    pub dispatch: D,
    pub counters: Counters,
    pub analysis: Analysis,
    queue: Queue,
    levels: Vec<Level>,
    failed: bool,
    changed: Vec<VarIdx>,
    // By variable: the last run that changed it, and how often.
    changes_in_run: Vec<(u32, u32)>,
    run: u32,
    creeps: bool,
}

/// Changes of one variable in one run after which it wakes no propagator until it is fixed.
/// Without the limit `x < y` and `y < x` would count through all numbers.
const MAX_CHANGES_IN_RUN: u32 = 48;
/// The same for floats, whose loops converge in many small steps and rarely creep for good.
const MAX_FLOAT_CHANGES_IN_RUN: u32 = 2_048;

impl<D: Dispatch> Kernel<D> {
    pub fn new(dispatch: D) -> Kernel<D> {
        Kernel {
            store: Store::new(),
            network: Network::default(),
            dispatch,
            counters: Counters::default(),
            analysis: Analysis::default(),
            queue: Queue::default(),
            levels: Vec::new(),
            failed: false,
            changed: Vec::new(),
            changes_in_run: Vec::new(),
            run: 0,
            creeps: false,
        }
    }

    /// Adds a propagator; it does nothing until activated.
    pub fn add(&mut self, kind: D::Kind, args: &[VarIdx]) -> PropIdx {
        let priority = self.dispatch.priority(kind);
        let idempotent = self.dispatch.is_idempotent(kind);
        let prop = self.network.add(kind, args, priority, idempotent);
        self.queue.grow(self.network.len());
        prop
    }

    /// Makes a propagator take part until the present level is popped.
    pub fn activate(&mut self, prop: PropIdx) {
        if !self.network.is_active(prop) {
            self.network.activate(prop);
            self.queue.put(prop, self.network.record(prop).priority);
        }
    }

    pub fn push(&mut self) {
        self.levels.push(Level {
            mark: self.store.mark(),
            n_active: self.network.active().len(),
            was_settled: self.queue.is_empty() && self.store.changed().is_empty(),
            failure: if self.failed { self.store.failure() } else { None },
        });
    }

    /// Undoes everything since the matching `push`. Returns false when there is none.
    pub fn pop(&mut self) -> bool {
        let Some(level) = self.levels.pop() else {
            return false;
        };
        self.store.undo_to(level.mark);
        self.network.deactivate_to(level.n_active);
        self.failed = level.failure.is_some();
        self.store.restore_failure(level.failure);
        self.queue.clear();
        if !level.was_settled {
            self.wake_all();
        }
        true
    }

    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// A conflict was found and its level not yet popped.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// Queues every active propagator.
    pub fn wake_all(&mut self) {
        for &prop in self.network.active() {
            self.queue.put(prop, self.network.record(prop).priority);
        }
    }

    /// Narrows from outside the propagators. The conflict, if any, is remembered until `pop`.
    pub fn narrow(
        &mut self,
        reason: Reason,
        change: impl FnOnce(&mut Store) -> Result<bool, Conflict>,
    ) -> Result<bool, Conflict> {
        self.store.set_reason(reason);
        let outcome = change(&mut self.store);
        if outcome.is_err() {
            self.note_conflict();
        }
        outcome
    }

    /// Fixes a boolean from outside.
    pub fn assume(&mut self, var: VarIdx, truth: bool, reason: Reason) -> Result<bool, Conflict> {
        self.narrow(reason, |store| store.set_truth(var, truth, Premises::NONE))
    }

    fn note_conflict(&mut self) {
        self.counters.conflicts += 1;
        self.failed = true;
        self.queue.clear();
        self.store.clear_changed();
    }

    /// Undoes domains to `mark`, taken in this level at a settled moment, and forgets a conflict
    /// found since.
    pub fn undo_to(&mut self, mark: Mark) {
        self.store.undo_to(mark);
        self.queue.clear();
        self.failed = false;
    }

    fn wake_watchers(&mut self, running: Option<PropIdx>) {
        if self.store.changed().is_empty() {
            return;
        }
        let mut changed = std::mem::take(&mut self.changed);
        self.store.take_changed(&mut changed);
        for &var in &changed {
            if self.is_creeping(var) {
                continue;
            }
            for &prop in self.network.watchers(var) {
                let record = self.network.record(prop);
                if running == Some(prop) && !record.wakes_itself {
                    continue;
                }
                if !self.store.is_asleep(prop) {
                    self.queue.put(prop, record.priority);
                }
            }
        }
        changed.clear();
        self.changed = changed;
    }

    #[inline]
    fn is_creeping(&mut self, var: VarIdx) -> bool {
        let (run, count) = &mut self.changes_in_run[var.index()];
        if *run != self.run {
            (*run, *count) = (self.run, 0);
        }
        *count += 1;
        if *count <= MAX_CHANGES_IN_RUN {
            return false;
        }
        let is_float = matches!(self.store.domain(var), Domain::Float(_));
        let over = !is_float || *count > MAX_FLOAT_CHANGES_IN_RUN;
        if over && !self.store.is_fixed(var) {
            self.creeps = true;
            return true;
        }
        false
    }

    /// True when the last run stopped waking some variable that changed again and again: what it
    /// reached is sound, but short of the fixpoint.
    pub fn creeps(&self) -> bool {
        self.creeps
    }

    /// Runs propagators until none narrows any further.
    pub fn propagate(&mut self, budget: &mut Budget) -> Fixpoint {
        if self.failed {
            return Fixpoint::Conflict;
        }
        self.run = self.run.wrapping_add(1);
        self.creeps = false;
        self.changes_in_run.resize(self.store.n_vars(), (0, 0));
        self.wake_watchers(None);
        while let Some(prop) = self.queue.take() {
            if !self.network.is_active(prop) || self.store.is_asleep(prop) {
                continue;
            }
            if !budget.step() {
                self.queue.put(prop, self.network.record(prop).priority);
                return Fixpoint::OutOfBudget;
            }
            self.counters.propagations += 1;
            self.store.set_reason(Reason::Propagator(prop, Premises::ALL));
            let kind = self.network.kind(prop);
            let outcome = self.dispatch.propagate(kind, self.network.args(prop), &mut self.store);
            match outcome {
                Err(Conflict) => {
                    self.note_conflict();
                    return Fixpoint::Conflict;
                }
                Ok(Status::Stay) => {}
                Ok(Status::Entailed) => {
                    // A run that narrowed says "entailed" of domains it did not start from: only
                    // idempotent kinds may, others are run once more.
                    let settled = self.store.changed().is_empty();
                    if settled || !self.network.record(prop).wakes_itself {
                        self.store.put_to_sleep(prop);
                    }
                }
            }
            self.wake_watchers(Some(prop));
        }
        Fixpoint::Reached
    }

    /// What the present conflict rests on. There must be one.
    pub fn explain_conflict(&mut self) -> &Culprits {
        self.explain_conflict_since(0)
    }

    /// The same, walking back to that length of the trail only.
    pub fn explain_conflict_since(&mut self, stop: usize) -> &Culprits {
        let failure = self.store.failure().expect("a conflict should have been found");
        self.analysis.explain(&self.store, &self.network, failure, stop);
        &self.analysis.culprits
    }
}
