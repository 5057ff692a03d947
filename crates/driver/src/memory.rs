//! How much memory the work on each function has taken, as the kernel sees it.
//!
//! The kernel says how many pages the process has, and of each thread how many pages it was the first to touch. What the
//! process has grown by since the last look is shared out among the functions by what their threads touched meanwhile. So the
//! SAT solver's memory counts as ours does, and a function that takes little is not blamed for its neighbor. What was given
//! back by a function that has ended is set off first. It is an estimate: memory that an earlier function left to the
//! allocator costs nothing when it is used again.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How much memory searches may have, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryLimits {
    /// For one function.
    pub function: Option<u64>,
    /// For all that the process has.
    pub total: Option<u64>,
}

impl MemoryLimits {
    fn is_none(self) -> bool {
        self.function.is_none() && self.total.is_none()
    }
}

/// One process has one memory.
static LEDGER: Mutex<Ledger> =
    Mutex::new(Ledger { resident: None, n_faults: 0, given_back: 0, accounts: Vec::new() });

/// Plain numbers: usable even if a thread panicked while holding them.
fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is known of all functions that are worked on.
#[derive(Debug)]
struct Ledger {
    /// Bytes of the process at the last look.
    resident: Option<u64>,
    /// Pages that any thread was the first to touch.
    n_faults: u64,
    /// Bytes that functions had when they ended, which may be given back later.
    given_back: u64,
    accounts: Vec<Entry>,
}

/// What is known of the function that one thread works on.
#[derive(Debug)]
struct Entry {
    /// The kernel's file about the thread.
    thread: PathBuf,
    /// Searches of the function that follow one another, or are made inside of one.
    n_users: usize,
    n_faults: u64,
    held: u64,
}

impl Ledger {
    /// Shares out what has come or gone since the last look; `faults` are those of each account now, `n_faults` those of
    /// the process.
    fn settle(&mut self, resident: u64, n_faults: u64, faults: &[u64]) {
        let before = self.resident.replace(resident).unwrap_or(resident);
        let new: Vec<u64> = self
            .accounts
            .iter_mut()
            .zip(faults)
            .map(|(entry, &now)| now.saturating_sub(std::mem::replace(&mut entry.n_faults, now)))
            .collect();
        let grown = resident.saturating_sub(before);
        let all_new = n_faults.saturating_sub(std::mem::replace(&mut self.n_faults, n_faults));
        let n_new = new.iter().sum::<u64>().max(all_new);
        for (entry, own) in self.accounts.iter_mut().zip(new) {
            entry.held += part(grown, own, n_new);
        }
        let mut shrunk = before.saturating_sub(resident);
        let settled = shrunk.min(self.given_back);
        self.given_back -= settled;
        shrunk -= settled;
        let n_held: u64 = self.accounts.iter().map(|entry| entry.held).sum();
        for entry in &mut self.accounts {
            entry.held = entry.held.saturating_sub(part(shrunk, entry.held, n_held));
        }
    }

    fn look(&mut self) {
        let faults: Vec<u64> = self
            .accounts
            .iter()
            .map(|entry| n_faults(&entry.thread).unwrap_or(entry.n_faults))
            .collect();
        if let Some((resident, all)) = resident().zip(n_faults(Path::new("/proc/self/stat"))) {
            self.settle(resident, all, &faults);
        }
    }

    /// Whether the function of a thread has to end.
    fn is_over(&self, thread: &Path, limits: MemoryLimits) -> bool {
        let Some(own) = self.accounts.iter().find(|entry| entry.thread == thread) else {
            return false;
        };
        let is_most = self.accounts.iter().all(|entry| entry.held <= own.held);
        limits.function.is_some_and(|limit| own.held > limit)
            || is_most && limits.total.is_some_and(|limit| self.resident > Some(limit))
    }
}

/// `share` of `all` parts of a number.
fn part(number: u64, share: u64, all: u64) -> u64 {
    let exact = (u128::from(number) * u128::from(share)).checked_div(u128::from(all));
    exact.and_then(|part| u64::try_from(part).ok()).unwrap_or(0)
}

/// The memory of the function that the thread works on which opened it.
#[derive(Debug)]
pub(crate) struct Account {
    thread: PathBuf,
    limits: MemoryLimits,
}

impl Account {
    /// `None` where there is no limit, or the kernel does not say how much memory there is.
    pub(crate) fn open(limits: MemoryLimits) -> Option<Account> {
        if limits.is_none() {
            return None;
        }
        let own = std::fs::read_link("/proc/thread-self").ok()?;
        let thread = PathBuf::from("/proc").join(own).join("stat");
        let n_faults = n_faults(&thread)?;
        let mut ledger = ledger();
        ledger.look();
        match ledger.accounts.iter_mut().find(|entry| entry.thread == thread) {
            Some(entry) => entry.n_users += 1,
            None => {
                let thread = thread.clone();
                ledger.accounts.push(Entry { thread, n_users: 1, n_faults, held: 0 });
            }
        }
        Some(Account { thread, limits })
    }

    /// Whether the function has to end.
    pub(crate) fn is_over(&self) -> bool {
        let mut ledger = ledger();
        ledger.look();
        ledger.is_over(&self.thread, self.limits)
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        let mut ledger = ledger();
        ledger.look();
        let Some(at) = ledger.accounts.iter().position(|entry| entry.thread == self.thread) else {
            return;
        };
        ledger.accounts[at].n_users -= 1;
        if ledger.accounts[at].n_users == 0 {
            let ended = ledger.accounts.swap_remove(at);
            ledger.given_back += ended.held;
        }
    }
}

/// Bytes of the process that are no files.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let number = line("RssAnon:").or_else(|| line("VmRSS:"))?;
    let kilobytes: u64 = number.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

/// Pages that a thread was the first to touch. The name before them may have spaces.
fn n_faults(thread: &Path) -> Option<u64> {
    const POSITION: usize = 7;
    let text = std::fs::read_to_string(thread).ok()?;
    text.rsplit_once(')')?.1.split_whitespace().nth(POSITION)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Account, Entry, Ledger, MemoryLimits};

    fn ledger(names: &[&str]) -> Ledger {
        let entry =
            |name: &&str| Entry { thread: PathBuf::from(name), n_users: 1, n_faults: 0, held: 0 };
        let accounts = names.iter().map(entry).collect();
        Ledger { resident: Some(100), n_faults: 0, given_back: 0, accounts }
    }

    fn held(ledger: &Ledger) -> Vec<u64> {
        ledger.accounts.iter().map(|entry| entry.held).collect()
    }

    #[test]
    fn what_is_taken_belongs_to_who_touches_it() {
        let mut ledger = ledger(&["a", "b"]);
        ledger.settle(1100, 10, &[9, 1]);
        assert_eq!(held(&ledger), [900, 100]);
        // Another thread touched it.
        ledger.settle(1200, 20, &[9, 1]);
        assert_eq!(held(&ledger), [900, 100]);
        ledger.settle(1000, 20, &[9, 1]);
        assert_eq!(held(&ledger), [720, 80]);
        ledger.given_back = 500;
        ledger.settle(500, 20, &[9, 1]);
        assert_eq!(held(&ledger), [720, 80], "an earlier function gave it back");
    }

    #[test]
    fn only_the_function_that_takes_too_much_has_to_end() {
        let mut ledger = ledger(&["a", "b"]);
        ledger.settle(1100, 10, &[9, 1]);
        let is_over = |function: Option<u64>, total: Option<u64>| {
            let limits = MemoryLimits { function, total };
            ["a", "b"].map(|name| ledger.is_over(Path::new(name), limits))
        };
        assert_eq!(is_over(Some(500), None), [true, false]);
        assert_eq!(is_over(Some(50), None), [true, true]);
        assert_eq!(is_over(None, Some(1000)), [true, false]);
        assert_eq!(is_over(Some(1000), Some(2000)), [false, false]);
    }

    /// In a process of its own: what other tests take at the same time is counted, too.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test starts itself")]
    fn the_kernel_counts_what_this_thread_takes() {
        const ALONE: &str = "GLASSBOX_TEST_ALONE";
        if std::env::var_os(ALONE).is_none() {
            let own = std::env::current_exe().expect("a running program has a path");
            let name = "memory::tests::the_kernel_counts_what_this_thread_takes";
            let mut alone = std::process::Command::new(own);
            let output = alone.args(["--exact", name]).env(ALONE, "1").output().expect("it starts");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            return;
        }
        let limits = |function| MemoryLimits { function: Some(function), total: None };
        let Some(account) = Account::open(limits(8 << 20)) else { return };
        assert!(!account.is_over());
        let mut taken = vec![0u8; 64 << 20];
        taken.iter_mut().step_by(512).for_each(|byte| *byte = 1);
        assert!(account.is_over());
        assert_eq!(std::hint::black_box(&taken)[0], 1);
    }
}
