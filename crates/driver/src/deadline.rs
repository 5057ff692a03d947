//! Work that ends when its time is over, its memory is used up or the user interrupts.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use glassbox_testcase::{Spent, UnknownReason, Verdict};

use crate::Listener;
use crate::memory::Account;
use crate::plan::{Budget, Clock};

/// How often the clock and the listener are looked at.
const TICK: Duration = Duration::from_millis(50);

/// Measures the work of the thread that starts it.
#[derive(Debug, Clone)]
pub(crate) enum Timer {
    Wall(Instant),
    /// The file in which the kernel counts what the thread did, and what it said at the start.
    Processor(PathBuf, Duration),
}

impl Timer {
    pub(crate) fn start(clock: Clock) -> Timer {
        let wall = Timer::Wall(Instant::now());
        match clock {
            Clock::Wall => wall,
            Clock::Processor => {
                let own = std::fs::read_link("/proc/thread-self").unwrap_or_default();
                let file = PathBuf::from("/proc").join(own).join("schedstat");
                // Where the kernel does not count, people do.
                worked(&file).map_or(wall, |at| Timer::Processor(file, at))
            }
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match self {
            Timer::Wall(begun) => begun.elapsed(),
            Timer::Processor(file, at) => worked(file).unwrap_or_default().saturating_sub(*at),
        }
    }
}

/// Nanoseconds come first.
fn worked(file: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(file).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The flag that ends work on one function, stage by stage: what works under it may be asked to go on.
#[derive(Debug)]
pub(crate) struct Deadline {
    pub(crate) flag: Arc<AtomicBool>,
    clock: Clock,
    /// Where memory is limited.
    memory: Option<Account>,
    /// Memory ended some of the work.
    is_full: AtomicBool,
}

impl Deadline {
    /// Of work that is done by the thread that makes it.
    pub(crate) fn new(budget: &Budget) -> Deadline {
        let Budget { clock, memory, .. } = *budget;
        let (flag, is_full) = (Arc::default(), AtomicBool::new(false));
        Deadline { flag, clock, memory: Account::open(memory), is_full }
    }

    /// Gives verdicts that work under this left open the reason why it was ended.
    pub(crate) fn explain(&self, verdicts: &mut [Verdict]) {
        if !self.is_full.load(Ordering::Relaxed) {
            return;
        }
        for verdict in verdicts {
            if let Verdict::Unknown(UnknownReason::Budget(Spent::Time { n_paths })) = *verdict {
                *verdict = Verdict::Unknown(UnknownReason::Budget(Spent::Memory { n_paths }));
            }
        }
    }

    fn has_no_memory(&self) -> bool {
        let is_over = self.memory.as_ref().is_some_and(Account::is_over);
        if is_over {
            self.is_full.store(true, Ordering::Relaxed);
        }
        is_over
    }

    /// Runs `work`; the flag is set when the time is over, the memory used up or the listener interrupts, and not before.
    pub(crate) fn within<T>(
        &self,
        limit: Duration,
        listener: &dyn Listener,
        work: impl FnOnce() -> T,
    ) -> T {
        let flag = &*self.flag;
        let is_over_before = limit.is_zero() || listener.is_interrupted() || self.has_no_memory();
        flag.store(is_over_before, Ordering::Relaxed);
        let timer = Timer::start(self.clock);
        let (finished, wait) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                loop {
                    let left = limit.saturating_sub(timer.elapsed());
                    let is_over =
                        left.is_zero() || listener.is_interrupted() || self.has_no_memory();
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

#[cfg(test)]
mod tests {
    use super::{Clock, Timer};
    use std::time::Duration;

    #[test]
    fn the_processor_does_nothing_for_who_sleeps() {
        let (wall, own) = (Timer::start(Clock::Wall), Timer::start(Clock::Processor));
        std::thread::sleep(Duration::from_millis(200));
        if let Timer::Processor(..) = own {
            assert!(own.elapsed() < wall.elapsed());
            let mut sum = 0u64;
            while own.elapsed() < Duration::from_millis(5) {
                sum = sum.wrapping_mul(31).wrapping_add(7);
            }
            assert!(std::hint::black_box(sum) != 1);
        }
    }
}
