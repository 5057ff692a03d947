//! Progress on standard error: one live line on a terminal, plain lines elsewhere.
//!
//! Only for people who wait: nothing in a result depends on it, and its clock is in no file.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use glassbox_testcase::Verdict;

use crate::terminal;

/// How often the live line is drawn.
const LIVE: Duration = Duration::from_millis(120);
/// How often someone who reads a log is told that work goes on.
const PLAIN: Duration = Duration::from_secs(15);

/// Progress over a number of functions.
#[derive(Debug)]
pub(crate) struct Progress {
    state: Arc<Mutex<State>>,
    ticker: Option<(Sender<()>, JoinHandle<()>)>,
}

#[derive(Debug)]
struct State {
    is_live: bool,
    is_drawn: bool,
    started: Instant,
    n_functions: usize,
    n_done: usize,
    at_work: Vec<(String, Instant)>,
    counts: Counts,
}

/// Verdicts so far.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    covered: usize,
    infeasible: usize,
    unknown: usize,
    tests: usize,
}

impl Progress {
    /// Starts to tell about work on `n_functions` functions.
    pub(crate) fn start(n_functions: usize) -> Progress {
        let state = State {
            is_live: terminal::is_live(),
            is_drawn: false,
            started: Instant::now(),
            n_functions,
            n_done: 0,
            at_work: Vec::new(),
            counts: Counts::default(),
        };
        let every = if state.is_live { LIVE } else { PLAIN };
        let state = Arc::new(Mutex::new(state));
        let (stop, stopped) = channel();
        let shared = Arc::clone(&state);
        let ticker = std::thread::spawn(move || {
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                lock(&shared).tick();
            }
        });
        Progress { state, ticker: Some((stop, ticker)) }
    }

    /// A function is worked on from now.
    pub(crate) fn begin(&self, function: &str) {
        lock(&self.state).at_work.push((function.to_owned(), Instant::now()));
    }

    /// A function is finished.
    pub(crate) fn end<'v>(
        &self,
        function: &str,
        verdicts: impl Iterator<Item = &'v Verdict>,
        n_tests: usize,
    ) {
        let mut state = lock(&self.state);
        if let Some(at) = state.at_work.iter().position(|(name, _)| name == function) {
            let _ = state.at_work.remove(at);
        }
        state.n_done += 1;
        state.counts.tests += n_tests;
        for verdict in verdicts {
            match verdict {
                Verdict::Covered { .. } | Verdict::Violated { .. } => state.counts.covered += 1,
                Verdict::Infeasible(_)
                | Verdict::InfeasibleWithin { .. }
                | Verdict::Holds(_)
                | Verdict::HoldsWithin { .. } => state.counts.infeasible += 1,
                Verdict::Unknown(_) => state.counts.unknown += 1,
            }
        }
        state.note_end(function);
    }

    /// Prints something else without mixing it with the live line.
    pub(crate) fn aside(&self, print: impl FnOnce()) {
        let mut state = lock(&self.state);
        state.erase();
        print();
        let _ = std::io::stdout().flush();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, ticker)) = self.ticker.take() {
            drop(stop);
            // A ticker that panicked has told so already.
            let _ = ticker.join();
        }
        lock(&self.state).erase();
    }
}

/// The state is plain numbers: it is usable even if a thread panicked while holding it.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn tick(&mut self) {
        if self.is_live {
            let line = self.line(terminal::width());
            eprint!("\r\x1b[2K{line}");
            let _ = std::io::stderr().flush();
            self.is_drawn = true;
            return;
        }
        for (name, since) in &self.at_work {
            let seconds = since.elapsed().as_secs();
            if seconds >= PLAIN.as_secs() {
                eprintln!("glassbox: still at work on {name} ({seconds} s)");
            }
        }
    }

    fn note_end(&self, function: &str) {
        // One function needs no counting.
        if !self.is_live && self.n_functions > 1 {
            eprintln!("glassbox: {}/{} {function}", self.n_done, self.n_functions);
        }
    }

    fn erase(&mut self) {
        if self.is_drawn {
            eprint!("\r\x1b[2K");
            let _ = std::io::stderr().flush();
            self.is_drawn = false;
        }
    }

    /// What fits in `width` columns, the most important first.
    fn line(&self, width: usize) -> String {
        let seconds = self.started.elapsed().as_secs();
        let Counts { covered, infeasible, unknown, tests } = self.counts;
        let names: Vec<&str> = self.at_work.iter().map(|(name, _)| name.as_str()).collect();
        let parts = [
            format!("{}/{}", self.n_done, self.n_functions),
            format!("{covered} covered"),
            format!("{infeasible} proved"),
            format!("{unknown} unknown"),
            format!("{tests} tests"),
            format!("{seconds} s"),
            names.join(", "),
        ];
        fitting(&parts, width.saturating_sub(1))
    }
}

/// Parts joined as long as they fit; the last may be cut.
fn fitting(parts: &[String], width: usize) -> String {
    let mut line = String::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        let gap = if line.is_empty() { "" } else { "  " };
        let room = width.saturating_sub(line.chars().count() + gap.len());
        if part.chars().count() <= room {
            line.push_str(gap);
            line.push_str(part);
        } else if room > 8 {
            line.push_str(gap);
            line.extend(part.chars().take(room - 1));
            line.push('…');
            break;
        } else {
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn a_line_never_exceeds_the_terminal() {
        let parts: Vec<String> =
            ["3/14", "120 covered", "a_function_with_a_long_name"].map(str::to_owned).into();
        for width in 0..60 {
            assert!(fitting(&parts, width).chars().count() <= width, "{width}");
        }
        assert_eq!(fitting(&parts, 60), "3/14  120 covered  a_function_with_a_long_name");
    }
}
