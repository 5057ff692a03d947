//! Conflict analysis: from a failure back to the assertions and decisions it rests on.
//!
//! The trail is walked backwards once. A variable is *needed* when the domain it has at this point
//! of the walk took part in the derivation; the reason of a needed change makes further variables
//! needed, from there on backwards. The previous domain of a changed variable stays needed, since a
//! change is a meet with it, except when that domain was everything its sort allows.

use crate::network::Network;
use crate::reason::{AssertId, Reason};
use crate::store::{Failure, Store, VarIdx};

/// What a conflict rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Culprits {
    /// Sorted, without repetition after `finish`.
    pub assertions: Vec<AssertId>,
    /// Decision levels, sorted, without repetition after `finish`.
    pub decisions: Vec<u32>,
    /// Variables whose domain at the stop of the walk is needed; sorted.
    pub variables: Vec<VarIdx>,
}

impl Culprits {
    pub(crate) fn clear(&mut self) {
        self.assertions.clear();
        self.decisions.clear();
        self.variables.clear();
    }

    pub fn add(&mut self, other: &Culprits) {
        self.assertions.extend_from_slice(&other.assertions);
        self.decisions.extend_from_slice(&other.decisions);
        self.variables.extend_from_slice(&other.variables);
        self.finish();
    }

    fn finish(&mut self) {
        self.assertions.sort_unstable();
        self.assertions.dedup();
        self.decisions.sort_unstable();
        self.decisions.dedup();
        self.variables.sort_unstable();
        self.variables.dedup();
    }
}

/// The working memory of the analysis, reused from conflict to conflict.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    // By variable: needed in the present walk.
    needed: Vec<bool>,
    marked: Vec<VarIdx>,
    pub culprits: Culprits,
}

impl Analysis {
    fn need(&mut self, var: VarIdx) {
        if !self.needed[var.index()] {
            self.needed[var.index()] = true;
            self.marked.push(var);
        }
    }

    fn need_reason<K: Copy>(&mut self, store: &Store, network: &Network<K>, reason: Reason) {
        match reason {
            Reason::Propagator(prop, premises) => {
                for (position, &var) in network.args(prop).iter().enumerate() {
                    if premises.contains(position) {
                        self.need(var);
                    }
                }
            }
            Reason::Assertion(id) => self.culprits.assertions.push(id),
            Reason::Assertions { start, len } => {
                self.culprits.assertions.extend_from_slice(store.assertion_list(start, len));
            }
            Reason::Variables { start, len } => {
                for &var in store.variable_list(start, len) {
                    self.need(var);
                }
            }
            Reason::Decision { level } => self.culprits.decisions.push(level),
        }
    }

    /// Walks the trail from its end back to length `stop`, starting from `failure`. The result is in
    /// `culprits`.
    pub fn explain<K: Copy>(
        &mut self,
        store: &Store,
        network: &Network<K>,
        failure: Failure,
        stop: usize,
    ) {
        self.culprits.clear();
        self.needed.resize(store.n_vars(), false);
        self.need_reason(store, network, failure.reason);
        if let Some(var) = failure.var {
            self.need(var);
        }
        self.walk(store, network, stop);
    }

    /// Like `explain`, but for why the domain of `var` is what it is.
    pub fn explain_domain<K: Copy>(
        &mut self,
        store: &Store,
        network: &Network<K>,
        var: VarIdx,
        stop: usize,
    ) {
        self.culprits.clear();
        self.needed.resize(store.n_vars(), false);
        self.need(var);
        self.walk(store, network, stop);
    }

    /// Goes on where a walk stopped: the store is back at that point, and the domains of the
    /// culprits' variables are to be explained. What was found before is kept.
    pub fn explain_rest<K: Copy>(&mut self, store: &Store, network: &Network<K>) {
        self.needed.resize(store.n_vars(), false);
        let variables = std::mem::take(&mut self.culprits.variables);
        for var in variables {
            self.need(var);
        }
        self.walk(store, network, 0);
    }

    fn walk<K: Copy>(&mut self, store: &Store, network: &Network<K>, stop: usize) {
        let changes = store.changes();
        for index in (stop..changes.len()).rev() {
            let change = changes[index];
            if !self.needed[change.var.index()] {
                continue;
            }
            if store.domain_before(index).is_full() {
                self.needed[change.var.index()] = false;
            }
            self.need_reason(store, network, change.reason);
        }
        for var in self.marked.drain(..) {
            // A variable may be marked twice: unneeded at its first change, then needed again.
            if std::mem::replace(&mut self.needed[var.index()], false) {
                self.culprits.variables.push(var);
            }
        }
        self.culprits.finish();
    }
}
