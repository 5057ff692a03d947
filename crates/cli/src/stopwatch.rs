//! How long one function takes and when its goals are decided: for people who wait and for plots.
//!
//! Nothing of it is in suite.json, which is the same whenever the run is.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use glassbox_explore::{Standing, Watch};
use glassbox_report::times::{FunctionTimes, Point};
use glassbox_solver::Statistics;

use crate::progress::Progress;

/// Watches the search in one function.
#[derive(Debug)]
pub(crate) struct Stopwatch<'a> {
    progress: &'a Progress,
    function: String,
    started: Instant,
    points: Mutex<Vec<Point>>,
}

impl<'a> Stopwatch<'a> {
    /// Starts: the function is worked on from now.
    pub(crate) fn start(progress: &'a Progress, function: &str) -> Stopwatch<'a> {
        progress.begin(function);
        let function = function.to_owned();
        Stopwatch { progress, function, started: Instant::now(), points: Mutex::new(Vec::new()) }
    }

    /// The search has ended: its times. Replay is not over yet.
    pub(crate) fn search_ended(&self, statistics: &Statistics) -> FunctionTimes {
        let points = std::mem::take(&mut *lock(&self.points));
        let layers = statistics.layers().map(|(layer, own)| (layer.name().to_owned(), own.time));
        FunctionTimes {
            name: self.function.clone(),
            search: self.started.elapsed(),
            replay: Duration::ZERO,
            points,
            layers: layers.collect(),
        }
    }

    /// Everything has ended: what came after the search was compiling and running tests.
    pub(crate) fn all_ended(&self, times: &mut FunctionTimes) {
        times.replay = self.started.elapsed().saturating_sub(times.search);
    }
}

impl Watch for Stopwatch<'_> {
    fn stands(&self, standing: Standing) {
        self.progress.stands(&self.function, standing);
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
