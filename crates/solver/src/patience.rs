//! How long a check may go on: until a moment of the clock, or until a flag is set.

#![allow(clippy::disallowed_methods, reason = "it keeps the limit of time")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use glassbox_blast::Stop;

use crate::options::Options;

/// A flag that ends work early, looked at inside long questions. The default is never set. Two are equal when they
/// are the same flag.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Option<Arc<AtomicBool>>);

impl StopFlag {
    pub fn new(flag: &Arc<AtomicBool>) -> StopFlag {
        StopFlag(Some(Arc::clone(flag)))
    }

    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl PartialEq for StopFlag {
    fn eq(&self, other: &StopFlag) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
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
        self.deadline.is_some() || self.stop.0.is_some()
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
