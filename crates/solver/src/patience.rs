//! How long a check may go on: until a moment of the clock, or until a flag is set.

#![allow(clippy::disallowed_methods, reason = "it keeps the limit of time")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use glassbox_blast::Stop;

use crate::options::Options;

/// A flag that ends work early, looked at inside long questions. The default is never set. Two are equal when they
/// are the same flag.
#[derive(Debug, Clone, Default)]
pub struct StopFlag {
    flag: Option<Arc<AtomicBool>>,
    allowance: Option<Allowance>,
}

/// How often a flag may still be looked at before it counts as set. Work looks at its flag every so many steps of its
/// own, so this ends it after an amount of work that depends on nothing but the work.
#[derive(Debug, Clone)]
pub struct Allowance(Arc<AtomicU64>);

impl Allowance {
    /// From now on, so many looks.
    pub fn refill(&self, looks: u64) {
        self.0.store(looks, Ordering::Relaxed);
    }

    pub fn is_spent(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    /// One look less; whether none was left.
    fn spend(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

impl StopFlag {
    pub fn new(flag: &Arc<AtomicBool>) -> StopFlag {
        StopFlag { flag: Some(Arc::clone(flag)), allowance: None }
    }

    /// The same flag, which is also set when the allowance is spent. It belongs to one thread.
    pub fn with_allowance(&self) -> (StopFlag, Allowance) {
        let allowance = Allowance(Arc::new(AtomicU64::new(u64::MAX)));
        (StopFlag { flag: self.flag.clone(), allowance: Some(allowance.clone()) }, allowance)
    }

    pub fn is_set(&self) -> bool {
        self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.allowance.as_ref().is_some_and(Allowance::spend)
    }

    fn can_be_set(&self) -> bool {
        self.flag.is_some() || self.allowance.is_some()
    }
}

impl PartialEq for StopFlag {
    fn eq(&self, other: &StopFlag) -> bool {
        let flags = [self, other].map(|it| it.flag.as_ref().map(Arc::as_ptr));
        let allowances = [self, other].map(|it| it.allowance.as_ref().map(|it| Arc::as_ptr(&it.0)));
        flags[0] == flags[1] && allowances[0] == allowances[1]
    }
}

impl Eq for StopFlag {}

/// What may end one check.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    deadline: Option<Instant>,
    stop: StopFlag,
}

impl Patience {
    /// From now on.
    pub(crate) fn begin(options: &Options) -> Patience {
        let deadline = options.time_limit.map(|limit| Instant::now() + limit);
        Patience { deadline, stop: options.stop.clone() }
    }

    pub(crate) fn is_limited(&self) -> bool {
        self.deadline.is_some() || self.stop.can_be_set()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.stop.is_set() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The same for the complete layer.
    pub(crate) fn stop(&self) -> Option<Stop> {
        let patience = self.clone();
        self.is_limited().then(|| -> Stop { Arc::new(move || patience.is_over()) })
    }
}

/// For statistics; nothing is decided by it.
pub(crate) fn now() -> Instant {
    Instant::now()
}
