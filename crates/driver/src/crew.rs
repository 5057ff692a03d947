//! Independent work on several processors, with results in the order of the work.

use std::num::NonZeroUsize;
use std::sync::mpsc::channel;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Bytes: as much as a main thread usually has.
pub(crate) const STACK_SIZE: usize = 8 << 20;

/// Threads that work. Several callers may have work for them at the same time.
#[derive(Debug)]
pub(crate) struct Crew {
    /// `None` where there is only one: the caller works itself.
    pool: Option<ThreadPool>,
}

impl Crew {
    /// With `jobs` threads; one per processor where nothing is said.
    pub(crate) fn new(jobs: Option<NonZeroUsize>) -> Crew {
        let n_jobs = jobs.or_else(|| std::thread::available_parallelism().ok());
        let n_jobs = n_jobs.map_or(1, NonZeroUsize::get);
        let pool = || ThreadPoolBuilder::new().num_threads(n_jobs).stack_size(STACK_SIZE).build();
        Crew { pool: (n_jobs > 1).then(pool).and_then(Result::ok) }
    }

    pub(crate) fn n_threads(&self) -> usize {
        self.pool.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Does `work` on every item and hands each result over as soon as all results before it are there, in an order that
    /// does not depend on the number of threads.
    pub(crate) fn in_order<Item: Sync, Result: Send>(
        &self,
        items: &[Item],
        work: impl Fn(&Item) -> Result + Sync,
        mut take: impl FnMut(Result),
    ) {
        let Some(pool) = &self.pool else {
            return items.iter().for_each(|item| take(work(item)));
        };
        let (sender, receiver) = channel();
        let mut waiting: Vec<Option<Result>> = items.iter().map(|_| None).collect();
        let mut n_taken = 0;
        pool.in_place_scope_fifo(|scope| {
            for (position, item) in items.iter().enumerate() {
                let (sender, work) = (sender.clone(), &work);
                scope.spawn_fifo(move |_| {
                    // The receiver is gone only when the program is about to end.
                    let _ = sender.send((position, work(item)));
                });
            }
            drop(sender);
            for (position, result) in receiver {
                waiting[position] = Some(result);
                while let Some(next) = waiting.get_mut(n_taken).and_then(Option::take) {
                    take(next);
                    n_taken += 1;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order_whatever_the_number_of_jobs() {
        let items: Vec<u64> = (0..50).collect();
        for jobs in [1, 2, 3, 8] {
            let mut shown = Vec::new();
            let slow_for_even = |item: &u64| (0..(item % 2) * 1000).sum::<u64>() + item;
            let crew = Crew::new(NonZeroUsize::new(jobs));
            crew.in_order(&items, slow_for_even, |r| shown.push(r));
            let expected: Vec<u64> = items.iter().map(slow_for_even).collect();
            assert_eq!(shown, expected, "{jobs} jobs");
        }
    }
}
