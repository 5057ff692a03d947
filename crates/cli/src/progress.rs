//! Progress on standard error: one live line on a terminal, plain lines elsewhere.
//!
//! Only for people who wait: nothing in a result depends on it, and its clock is in no file.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use glassbox_driver::listener::{Counted, Standing};
use glassbox_testcase::Verdict;

use crate::terminal;

/// How often the live line is drawn.
const LIVE: Duration = Duration::from_millis(120);
/// How often a log says that work goes on.
const PLAIN: Duration = Duration::from_secs(15);

/// The words for what a run decided and for what a proof decided.
fn words(counted: Counted) -> (&'static str, &'static str) {
    match counted {
        Counted::Goals => ("covered", "infeasible"),
        Counted::Properties => ("violated", "proved"),
    }
}

/// Progress over a number of functions.
#[derive(Debug)]
pub(crate) struct Progress {
    state: Arc<Mutex<State>>,
    ticker: Option<(Sender<()>, JoinHandle<()>)>,
}

#[derive(Debug)]
struct State {
    counted: Counted,
    is_live: bool,
    is_drawn: bool,
    started: Instant,
    n_files: usize,
    /// Those whose functions are known.
    n_begun: usize,
    n_functions: usize,
    n_done: usize,
    at_work: Vec<AtWork>,
    done: Counts,
}

/// A function that is worked on.
#[derive(Debug)]
struct AtWork {
    name: String,
    since: Instant,
    counts: Counts,
}

/// How many goals stand how.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counts {
    reached: usize,
    refuted: usize,
    /// Neither, yet or for good.
    unknown: usize,
    tests: usize,
}

impl Counts {
    fn plus(self, other: Counts) -> Counts {
        Counts {
            reached: self.reached + other.reached,
            refuted: self.refuted + other.refuted,
            unknown: self.unknown + other.unknown,
            tests: self.tests + other.tests,
        }
    }
}

impl Progress {
    /// Starts to show work on the functions of so many files.
    pub(crate) fn start(counted: Counted, n_files: usize) -> Progress {
        let state = State {
            counted,
            is_live: terminal::is_live(),
            is_drawn: false,
            started: Instant::now(),
            n_files,
            n_begun: 0,
            n_functions: 0,
            n_done: 0,
            at_work: Vec::new(),
            done: Counts::default(),
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

    /// The functions of one file are known.
    pub(crate) fn add(&self, n_functions: usize) {
        let mut state = lock(&self.state);
        state.n_begun += 1;
        state.n_functions += n_functions;
    }

    /// A function is worked on from now.
    pub(crate) fn begin(&self, function: &str) {
        let (name, since) = (function.to_owned(), Instant::now());
        lock(&self.state).at_work.push(AtWork { name, since, counts: Counts::default() });
    }

    /// How far the search in a function is.
    pub(crate) fn stands(&self, function: &str, standing: Standing) {
        let Standing { goals, reached, refuted, tests, .. } = standing;
        let mut state = lock(&self.state);
        if let Some(at_work) = state.at_work.iter_mut().find(|at_work| at_work.name == function) {
            let unknown = goals.saturating_sub(reached + refuted);
            at_work.counts = Counts { reached, refuted, unknown, tests };
        }
    }

    /// A function is finished.
    pub(crate) fn end<'v>(
        &self,
        function: &str,
        verdicts: impl Iterator<Item = &'v Verdict>,
        n_tests: usize,
    ) {
        let mut state = lock(&self.state);
        let at = state.at_work.iter().position(|at_work| at_work.name == function);
        let since = at.map(|at| state.at_work.remove(at).since);
        state.n_done += 1;
        let mut counts = Counts { tests: n_tests, ..Counts::default() };
        for verdict in verdicts {
            match verdict {
                Verdict::Covered { .. } | Verdict::Violated { .. } => counts.reached += 1,
                Verdict::Infeasible(_)
                | Verdict::InfeasibleWithin { .. }
                | Verdict::Holds(_)
                | Verdict::HoldsWithin { .. } => counts.refuted += 1,
                Verdict::Unknown(_) => counts.unknown += 1,
            }
        }
        state.done = state.done.plus(counts);
        state.note_end(function, counts, since.map(|since| since.elapsed()).unwrap_or_default());
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
            // A ticker that panicked has printed its message already.
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
        for AtWork { name, since, counts } in &self.at_work {
            let seconds = since.elapsed().as_secs();
            if seconds >= PLAIN.as_secs() {
                let so_far = long(self.counted, *counts, "open").join(", ");
                eprintln!("glassbox: still at work on {name} ({seconds} s): {so_far}");
            }
        }
    }

    fn note_end(&self, function: &str, counts: Counts, time: Duration) {
        // One function needs no counting.
        if !self.is_live && (self.n_functions > 1 || self.n_files > 1) {
            let result = long(self.counted, counts, "unknown").join(", ");
            let seconds = time.as_secs_f64();
            let (at, all) = (self.n_done, self.all());
            eprintln!("glassbox: {at}/{all} {function}: {result} ({seconds:.1} s)");
        }
    }

    /// How many functions there are, if files that were not read yet are like the others.
    fn all(&self) -> usize {
        let n_begun = self.n_begun.clamp(1, self.n_files.max(1));
        (self.n_functions * self.n_files).div_ceil(n_begun)
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
        let counts = self.at_work.iter().fold(self.done, |sum, at_work| sum.plus(at_work.counts));
        let names: Vec<&str> = self.at_work.iter().map(|at_work| at_work.name.as_str()).collect();
        let elapsed = self.started.elapsed().as_secs();
        let n_functions = self.all();
        let seconds = match expected(elapsed, self.n_done, n_functions) {
            Some(all) => format!("{elapsed} of about {all} s"),
            None => format!("{elapsed} s"),
        };
        let share = 100 * self.n_done / n_functions.max(1);
        let count = match n_functions {
            0 | 1 => format!("{}/{n_functions}", self.n_done),
            _ => format!("{}/{n_functions} {share} %", self.n_done),
        };
        live_line(self.counted, counts, &count, &seconds, &names.join(", "), width)
    }
}

/// How many seconds the whole work takes if the rest is like what is done; `None` where too little is done to say.
fn expected(elapsed: u64, n_done: usize, n_functions: usize) -> Option<u64> {
    let is_known = n_done >= 5 && elapsed >= 3 && n_done < n_functions;
    let (n_done, n_functions) = (u64::try_from(n_done).ok()?, u64::try_from(n_functions).ok()?);
    is_known.then(|| elapsed.saturating_mul(n_functions) / n_done)
}

/// In words where they fit, in signs where they do not; a long list of functions is cut.
fn live_line(
    counted: Counted,
    counts: Counts,
    count: &str,
    seconds: &str,
    names: &str,
    width: usize,
) -> String {
    let around = |middle: Vec<String>| -> Vec<String> {
        let mut parts = vec![count.to_owned()];
        parts.extend(middle);
        parts.extend([seconds.to_owned(), names.to_owned()]);
        parts
    };
    let room = width.saturating_sub(1);
    let words = around(long(counted, counts, "open"));
    // Everything but most of the names has to fit.
    let needed: usize =
        words.iter().take(words.len() - 1).map(|part| part.chars().count() + 2).sum();
    if needed + names.chars().count().min(12) <= room {
        fitting(&words, room)
    } else {
        fitting(&around(short(counts)), room)
    }
}

fn long(counted: Counted, counts: Counts, rest: &str) -> Vec<String> {
    let Counts { reached, refuted, unknown, tests } = counts;
    let (by_run, by_proof) = words(counted);
    let mut parts = vec![format!("{reached} {by_run}"), format!("{refuted} {by_proof}")];
    parts.push(format!("{unknown} {rest}"));
    if counted == Counted::Goals {
        parts.push(format!("{tests} {}", if tests == 1 { "test" } else { "tests" }));
    }
    parts
}

/// The signs of the HTML report.
fn short(counts: Counts) -> Vec<String> {
    let Counts { reached, refuted, unknown, .. } = counts;
    vec![format!("{reached}✓ {refuted}∅ {unknown}?")]
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
    use super::{Counted, Counts, expected, fitting, live_line};

    #[test]
    fn an_estimate_needs_something_to_go_by() {
        assert_eq!(expected(60, 10, 40), Some(240));
        for (elapsed, n_done, n_functions) in [(60, 4, 40), (2, 10, 40), (60, 40, 40), (0, 0, 0)] {
            assert_eq!(expected(elapsed, n_done, n_functions), None);
        }
    }

    #[test]
    fn a_line_never_exceeds_the_terminal() {
        let parts: Vec<String> =
            ["3/14", "120 covered", "a_function_with_a_long_name"].map(str::to_owned).into();
        for width in 0..60 {
            assert!(fitting(&parts, width).chars().count() <= width, "{width}");
        }
        assert_eq!(fitting(&parts, 60), "3/14  120 covered  a_function_with_a_long_name");
    }

    #[test]
    fn a_narrow_terminal_still_shows_counts_time_and_function() {
        let counts = Counts { reached: 120, refuted: 8, unknown: 33, tests: 27 };
        let line = |width| live_line(Counted::Goals, counts, "3/14", "71 s", "alt_sep_test", width);
        assert_eq!(
            line(80),
            "3/14  120 covered  8 infeasible  33 open  27 tests  71 s  alt_sep_test"
        );
        assert_eq!(line(40), "3/14  120✓ 8∅ 33?  71 s  alt_sep_test");
        for width in 1..120 {
            assert!(line(width).chars().count() < width.max(2), "{width}");
        }
        let check = live_line(Counted::Properties, counts, "1/2", "0 s", "f", 80);
        assert_eq!(check, "1/2  120 violated  8 proved  33 open  0 s  f");
    }
}
