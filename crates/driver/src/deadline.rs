//! Work that ends when its time is over or when someone interrupts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use crate::Listener;

/// How often the clock and the listener are looked at.
const TICK: Duration = Duration::from_millis(50);

/// Runs `work` with a flag that is set when the time is over or the listener interrupts.
pub(crate) fn with_deadline<T>(
    limit: Duration,
    listener: &dyn Listener,
    work: impl FnOnce(&Arc<AtomicBool>) -> T,
) -> T {
    let stop = Arc::new(AtomicBool::new(listener.is_interrupted()));
    let (finished, wait) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let flag = &stop;
        let _ = scope.spawn(move || {
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
        let result = work(&stop);
        drop(finished);
        result
    })
}
