//! The propagators that exist, the variables each one reads, and who watches whom.
//!
//! Records live as long as the network, so that a term compiled once is never compiled again.
//! Watching is a stack: activation appends to the watch lists and deactivation takes the same entries
//! off again in reverse, so that popping costs no search.

use crate::propagator::Priority;
use crate::store::VarIdx;

/// A propagator of one network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropIdx(u32);

impl PropIdx {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Record<K> {
    pub(crate) kind: K,
    args_start: u32,
    n_args: u32,
    pub(crate) priority: Priority,
    pub(crate) wakes_itself: bool,
    active: bool,
}

/// Propagators and watch lists.
#[derive(Debug, Clone)]
pub struct Network<K> {
    records: Vec<Record<K>>,
    args: Vec<VarIdx>,
    // By variable. Invariant: exactly the active propagators, in order of activation.
    watchers: Vec<Vec<PropIdx>>,
    activations: Vec<PropIdx>,
}

impl<K: Copy> Default for Network<K> {
    fn default() -> Self {
        Network {
            records: Vec::new(),
            args: Vec::new(),
            watchers: Vec::new(),
            activations: Vec::new(),
        }
    }
}

impl<K: Copy> Network<K> {
    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Adds a propagator, not yet active.
    pub(crate) fn add(
        &mut self,
        kind: K,
        args: &[VarIdx],
        priority: Priority,
        is_idempotent: bool,
    ) -> PropIdx {
        let index = PropIdx(u32::try_from(self.records.len()).expect("fewer than 2^32 records"));
        let args_start = u32::try_from(self.args.len()).expect("fewer than 2^32 arguments");
        let n_args = u32::try_from(args.len()).expect("fewer than 2^32 arguments");
        // A repeated variable changes "behind the back" of a propagator that narrows in one pass.
        let repeats = args.iter().enumerate().any(|(i, arg)| args[..i].contains(arg));
        self.args.extend_from_slice(args);
        self.records.push(Record {
            kind,
            args_start,
            n_args,
            priority,
            wakes_itself: repeats || !is_idempotent,
            active: false,
        });
        index
    }

    pub fn args(&self, prop: PropIdx) -> &[VarIdx] {
        let record = &self.records[prop.index()];
        let start = record.args_start as usize;
        &self.args[start..start + record.n_args as usize]
    }

    pub fn kind(&self, prop: PropIdx) -> K {
        self.records[prop.index()].kind
    }

    pub(crate) fn record(&self, prop: PropIdx) -> &Record<K> {
        &self.records[prop.index()]
    }

    pub fn is_active(&self, prop: PropIdx) -> bool {
        self.records[prop.index()].active
    }

    /// The active propagators, in order of activation.
    pub fn active(&self) -> &[PropIdx] {
        &self.activations
    }

    /// The active propagators that read `var`.
    pub fn watchers(&self, var: VarIdx) -> &[PropIdx] {
        self.watchers.get(var.index()).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn activate(&mut self, prop: PropIdx) {
        let record = &mut self.records[prop.index()];
        if record.active {
            return;
        }
        record.active = true;
        let start = record.args_start as usize;
        let end = start + record.n_args as usize;
        for position in start..end {
            let var = self.args[position];
            if self.args[start..position].contains(&var) {
                continue;
            }
            if self.watchers.len() <= var.index() {
                self.watchers.resize_with(var.index() + 1, Vec::new);
            }
            self.watchers[var.index()].push(prop);
        }
        self.activations.push(prop);
    }

    pub(crate) fn deactivate_to(&mut self, n_active: usize) {
        while self.activations.len() > n_active {
            let prop = self.activations.pop().expect("longer than n_active");
            let record = &mut self.records[prop.index()];
            record.active = false;
            let start = record.args_start as usize;
            let end = start + record.n_args as usize;
            for position in start..end {
                let var = self.args[position];
                if self.args[start..position].contains(&var) {
                    continue;
                }
                let last = self.watchers[var.index()].pop();
                debug_assert_eq!(last, Some(prop), "watch lists should be stacks");
            }
        }
    }
}
