//! Work that ends when its time is over or the user interrupts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use crate::Listener;

/// How often the clock and the listener are looked at.
const TICK: Duration = Duration::from_millis(50);

/// The flag that ends work on one function, stage by stage: what works under it may be asked to go on.
#[derive(Debug, Default)]
pub(crate) struct Deadline {
    pub(crate) flag: Arc<AtomicBool>,
}

impl Deadline {
    /// Runs `work`; the flag is set when the time is over or the listener interrupts, and not before.
    pub(crate) fn within<T>(
        &self,
        limit: Duration,
        listener: &dyn Listener,
        work: impl FnOnce() -> T,
    ) -> T {
        let flag = &*self.flag;
        flag.store(limit.is_zero() || listener.is_interrupted(), Ordering::Relaxed);
        let (finished, wait) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let end = Instant::now() + limit;
                loop {
                    let left = end.saturating_duration_since(Instant::now());
                    let is_over = left.is_zero() || listener.is_interrupted();
                    flag.store(is_over, Ordering::Relaxed);
                    let is_running =
                        wait.recv_timeout(left.min(TICK)) == Err(RecvTimeoutError::Timeout);
                    if is_over || !is_running {
                        break;
                    }
                }
            });
            let result = work();
            drop(finished);
            result
        })
    }
}
