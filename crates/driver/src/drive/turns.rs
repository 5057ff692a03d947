//! Programs that are worked on side by side and shown in their order.
//!
//! The largest of those that come next begins first. How many have begun and are not shown yet is limited, so that memory is
//! bounded by the largest programs and not by their number. Nothing waits for its turn: what is done early is left behind,
//! and shown by the thread that finishes what was before it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use glassbox_ir::Program;

use crate::FunctionReport;
use crate::listener::{Counted, Listener, Problem, Standing};

/// How far ahead of what is shown programs begin, for each that is worked on at the same time.
const AHEAD: usize = 4;

/// What is shown when its turn comes.
type Showing<'a, S> = Box<dyn FnOnce(&mut S) + Send + 'a>;

/// Who begins, and whose turn it is. `S` is what receives things in order.
pub(super) struct Turns<'a, S> {
    state: Mutex<State<'a, S>>,
    /// The first that is not shown whole.
    current: Arc<AtomicUsize>,
    moved: Condvar,
    sizes: Vec<u64>,
    n_ahead: usize,
}

struct State<'a, S> {
    has_begun: Vec<bool>,
    /// Nothing begins any more.
    is_closed: bool,
    done: BTreeMap<usize, Showing<'a, S>>,
    shown: S,
}

impl<'a, S> Turns<'a, S> {
    /// By position: how large programs are. So many are worked on at once.
    pub(super) fn new(sizes: Vec<u64>, n_at_once: usize, shown: S) -> Turns<'a, S> {
        let has_begun = vec![false; sizes.len()];
        Turns {
            state: Mutex::new(State { has_begun, is_closed: false, done: BTreeMap::new(), shown }),
            current: Arc::default(),
            moved: Condvar::new(),
            sizes,
            n_ahead: if n_at_once > 1 { n_at_once * AHEAD } else { 1 },
        }
    }

    /// What is shown is usable even if a thread panicked while showing.
    fn lock(&self) -> MutexGuard<'_, State<'a, S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The position of the next to begin, as soon as there is room for it; none where all have begun.
    pub(super) fn begin(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            let current = self.current.load(Ordering::Acquire);
            let end = self.sizes.len().min(current + self.n_ahead);
            let open = (current..end).filter(|&position| !state.has_begun[position]);
            let largest = open.max_by_key(|&at| (self.sizes[at], std::cmp::Reverse(at)));
            if let Some(position) = largest {
                state.has_begun[position] = true;
                return Some(position);
            }
            if end == self.sizes.len() {
                return None;
            }
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Lets nothing begin any more: what waits for room does not wait in vain.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.moved.notify_all();
    }

    /// What is heard of a program.
    pub(super) fn ear(&self, position: usize, listener: &'a dyn Listener) -> InTurn<'a> {
        let current = Arc::clone(&self.current);
        InTurn { listener, position, current, held: Mutex::new(Vec::new()) }
    }

    /// Shows something of a program if it is its turn.
    pub(super) fn show_now(&self, position: usize, show: impl FnOnce(&mut S)) {
        if self.current.load(Ordering::Acquire) == position {
            show(&mut self.lock().shown);
        }
    }

    /// A program is done; its last showing comes when those before it are shown.
    pub(super) fn finish(&self, position: usize, show: Showing<'a, S>) {
        let mut state = self.lock();
        state.done.insert(position, show);
        loop {
            let current = self.current.load(Ordering::Acquire);
            let Some(show) = state.done.remove(&current) else { break };
            show(&mut state.shown);
            self.current.store(current + 1, Ordering::Release);
            self.moved.notify_all();
        }
    }

    /// What was shown, with what is left where some never began.
    pub(super) fn end(self) -> S {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (_, show) in std::mem::take(&mut state.done) {
            show(&mut state.shown);
        }
        state.shown
    }
}

/// Passes on what is heard of one program; diagnostics wait for its turn, so that they do not mix with those of others.
pub(super) struct InTurn<'a> {
    listener: &'a dyn Listener,
    position: usize,
    current: Arc<AtomicUsize>,
    held: Mutex<Vec<Heard>>,
}

enum Heard {
    Text(String),
    Problem(Problem),
}

impl InTurn<'_> {
    /// Passes on what has waited.
    pub(super) fn release(&self) {
        let held = std::mem::take(&mut *self.held.lock().unwrap_or_else(PoisonError::into_inner));
        for heard in held {
            match heard {
                Heard::Text(text) => self.listener.diagnostic(&text),
                Heard::Problem(problem) => self.listener.problem(&problem),
            }
        }
    }

    fn hear(&self, heard: Heard) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).push(heard);
        if self.current.load(Ordering::Acquire) == self.position {
            self.release();
        }
    }
}

impl Listener for InTurn<'_> {
    fn diagnostic(&self, text: &str) {
        self.hear(Heard::Text(text.to_owned()));
    }

    fn problem(&self, problem: &Problem) {
        self.hear(Heard::Problem(problem.clone()));
    }

    fn reads(&self, program: &str, position: usize, n_programs: usize) {
        self.listener.reads(program, position, n_programs);
    }

    fn starts(&self, counted: Counted, n_functions: usize) {
        self.listener.starts(counted, n_functions);
    }

    fn begins(&self, function: &str) {
        self.listener.begins(function);
    }

    fn stands(&self, function: &str, standing: Standing) {
        self.listener.stands(function, standing);
    }

    fn ends(&self, function: &str, report: &FunctionReport) {
        self.listener.ends(function, report);
    }

    fn all_ended(&self) {
        self.listener.all_ended();
    }

    fn report(&self, program: &Program, report: &FunctionReport) {
        self.listener.report(program, report);
    }

    fn is_interrupted(&self) -> bool {
        self.listener.is_interrupted()
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    /// Works on all, some at a time, and notes in which order they begin and are shown.
    fn shown(sizes: &[u64], n_at_once: usize) -> Vec<usize> {
        let turns = Turns::new(sizes.to_vec(), n_at_once, Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..n_at_once {
                scope.spawn(|| {
                    while let Some(position) = turns.begin() {
                        turns.show_now(position, |shown: &mut Vec<usize>| shown.push(position));
                        let rest = move |shown: &mut Vec<usize>| shown.push(position);
                        turns.finish(position, Box::new(rest));
                    }
                });
            }
        });
        let mut shown = turns.end();
        shown.dedup();
        shown
    }

    #[test]
    fn all_are_shown_in_order() {
        let sizes: Vec<u64> = (0..40).map(|at| at * 7 % 11).collect();
        for n_at_once in [1, 2, 3, 8] {
            assert_eq!(shown(&sizes, n_at_once), (0..40).collect::<Vec<_>>(), "{n_at_once}");
        }
    }

    #[test]
    fn the_largest_of_the_next_begins_first() {
        let turns: Turns<'_, ()> = Turns::new((0..20).collect(), 2, ());
        assert_eq!(turns.begin(), Some(7), "eight come next");
        assert_eq!(turns.begin(), Some(6));
        turns.finish(7, Box::new(|()| {}));
        for expected in (0..6).rev() {
            assert_eq!(turns.begin(), Some(expected));
        }
        (0..7).for_each(|at| turns.finish(at, Box::new(|()| {})));
        assert_eq!(turns.begin(), Some(15));
        let alone: Turns<'_, ()> = Turns::new(vec![1, 9], 1, ());
        assert_eq!(alone.begin(), Some(0), "one at a time means one after the other");
    }

    #[test]
    fn what_waits_for_room_ends_when_nothing_begins_any_more() {
        let turns: Turns<'_, ()> = Turns::new(vec![1; 40], 2, ());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| while turns.begin().is_some() {});
            turns.close();
            waiting.join().expect("it ends");
        });
    }

    #[test]
    fn what_never_began_keeps_nothing_back() {
        let turns = Turns::new(vec![1, 2], 2, Vec::new());
        turns.finish(1, Box::new(|shown: &mut Vec<usize>| shown.push(1)));
        assert_eq!(turns.end(), [1]);
    }
}
