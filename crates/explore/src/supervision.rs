//! Supervision of a search: it may be stopped, and reports how far it is.
//!
//! Nothing in a result depends on it, so the search itself needs no clock: a watcher may look at one.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use glassbox_solver::{SecondOpinion, StopFlag};

use crate::budget::{Budget, MAX_GATES};

/// How far a search is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    /// Goals or properties in all.
    pub goals: usize,
    /// Goals that a run reached, or properties that a run failed.
    pub reached: usize,
    /// Goals of which it is proved that nothing reaches them.
    pub refuted: usize,
    /// Runs kept as tests so far; the suite is minimized at the end.
    pub tests: usize,
    pub runs: usize,
    pub paths: usize,
}

/// Receives how far a search is.
pub trait Watch: Sync {
    /// Called between runs, from the thread that searches: it should return soon.
    fn stands(&self, standing: Standing);
}

/// The flag that ends a search early, with what was found so far, and the watcher of the search.
#[derive(Clone)]
pub struct Supervision<'a> {
    pub stop: &'a AtomicBool,
    /// The same flag for the solver and the prover, so that it also ends long questions.
    pub within: StopFlag,
    /// With a watcher, the solver also measures the time of its layers.
    pub watch: Option<&'a dyn Watch>,
    /// Another solver that is asked about every refutation.
    pub second_opinion: Option<SecondOpinion>,
}

impl fmt::Debug for Supervision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_watched = self.watch.is_some();
        f.debug_struct("Supervision")
            .field("stop", self.stop)
            .field("is_watched", &is_watched)
            .finish()
    }
}

impl<'a> From<&'a AtomicBool> for Supervision<'a> {
    fn from(stop: &'a AtomicBool) -> Supervision<'a> {
        Supervision { stop, within: StopFlag::default(), watch: None, second_opinion: None }
    }
}

impl<'a> From<&'a Arc<AtomicBool>> for Supervision<'a> {
    fn from(stop: &'a Arc<AtomicBool>) -> Supervision<'a> {
        Supervision { stop, within: StopFlag::new(stop), watch: None, second_opinion: None }
    }
}

impl<'a> Supervision<'a> {
    /// The flag also ends long questions, and the search reports to `watch`.
    pub fn watched(stop: &'a Arc<AtomicBool>, watch: &'a dyn Watch) -> Supervision<'a> {
        Supervision { watch: Some(watch), ..Supervision::from(stop) }
    }

    /// How the solver works for a search that is supervised like this.
    pub(crate) fn solver_options(&self, budget: &Budget) -> glassbox_solver::Options {
        glassbox_solver::Options {
            time_limit: budget.solver_time,
            // A path whose circuit is larger than this costs more than the paths that wait behind it.
            max_gates: MAX_GATES,
            timing: self.watch.is_some(),
            stop: self.within.clone(),
            second_opinion: self.second_opinion.clone(),
            ..glassbox_solver::Options::default()
        }
    }
}
