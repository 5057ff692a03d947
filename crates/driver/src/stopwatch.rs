//! How long one function takes and when its goals are decided: for people who wait and for plots.
//!
//! Nothing of it is in suite.json, which is the same whenever the run is.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use glassbox_explore::{Standing, Watch};
use glassbox_report::times::{FunctionTimes, Point};
use glassbox_solver::Statistics;

use crate::Listener;
use crate::deadline::Timer;
use crate::plan::Clock;

/// Watches the search in one function.
pub struct Stopwatch<'a> {
    listener: &'a dyn Listener,
    function: String,
    started: Instant,
    worked: Timer,
    points: Mutex<Vec<Point>>,
}

impl std::fmt::Debug for Stopwatch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stopwatch").field("function", &self.function).finish_non_exhaustive()
    }
}

impl<'a> Stopwatch<'a> {
    /// Starts: the function is worked on from now, by the thread that starts it.
    pub fn start(listener: &'a dyn Listener, function: &str) -> Stopwatch<'a> {
        listener.begins(function);
        let function = function.to_owned();
        let (started, points) = (Instant::now(), Mutex::new(Vec::new()));
        let worked = Timer::start(Clock::Processor);
        Stopwatch { listener, function, started, worked, points }
    }

    /// What the work on the function has taken so far.
    pub(crate) fn elapsed(&self, clock: Clock) -> Duration {
        match clock {
            Clock::Wall => self.started.elapsed(),
            Clock::Processor => self.worked.elapsed(),
        }
    }

    /// The search has ended: its times. Replay is not over yet.
    pub fn search_ended(&self, statistics: &Statistics) -> FunctionTimes {
        let points = std::mem::take(&mut *lock(&self.points));
        let layers = statistics.layers().map(|(layer, own)| (layer.name().to_owned(), own.time));
        FunctionTimes {
            name: self.function.clone(),
            search: self.started.elapsed(),
            processor: self.worked.elapsed(),
            replay: Duration::ZERO,
            points,
            layers: layers.collect(),
        }
    }

    /// Everything has ended: what came after the search was compiling and running tests.
    pub fn all_ended(&self, times: &mut FunctionTimes) {
        times.replay = self.started.elapsed().saturating_sub(times.search);
    }
}

impl Watch for Stopwatch<'_> {
    fn stands(&self, standing: Standing) {
        self.listener.stands(&self.function, standing);
        let Standing { reached, refuted, .. } = standing;
        let mut points = lock(&self.points);
        let is_news =
            points.last().is_none_or(|last| (last.reached, last.refuted) != (reached, refuted));
        if is_news {
            points.push(Point { after: self.started.elapsed(), reached, refuted });
        }
    }
}

/// A list of points is usable even if a thread panicked while holding it.
fn lock(points: &Mutex<Vec<Point>>) -> std::sync::MutexGuard<'_, Vec<Point>> {
    points.lock().unwrap_or_else(PoisonError::into_inner)
}
