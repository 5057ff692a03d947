//! Whose turn it is between paths: proofs and runs that climb take turns with them, in slices that grow.
//!
//! Paths go first and go on while they reach something. After a number of paths that reached nothing new, proofs and
//! climbs have a turn each; then come three times as many paths, and a turn twice as long, and so on. So none of them
//! uses up the time before the others had their turn, and whoever is interrupted and begins anew wastes at most as much
//! as its last turn is long. Paths, looks and steps are counted, never time: the same search takes the same turns.

use glassbox_ir::Language;

use super::climb::{self, Climb};

/// Paths without a gain before the first turn of the others: most functions are finished by then, and a
/// question to the prover costs more than a path.
const FIRST_PATHS: usize = 16;

/// How many times as many before each next turn. More than turns grow: a path that reaches nothing opens other ways,
/// while questions and climbs that led nowhere seldom lead anywhere later.
const MORE_PATHS: usize = 3;

/// Turns before climbs: few paths have not shown yet what is hard.
const TURNS_BEFORE_CLIMBS: u32 = 1;

/// Turns before proofs about programs over objects, where a question costs a hundred times as much: calls, null and
/// bounds are in every line.
const TURNS_BEFORE_PROOFS_OVER_OBJECTS: u32 = 3;

/// Looks of the prover at its flag in the first turn.
pub(super) const FIRST_LOOKS: u64 = 500;

/// The turns after which nothing grows any more.
const LAST_GROWTH: u32 = 10;

/// A turn of the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    /// Looks of the prover.
    pub(super) proofs: Option<u64>,
    pub(super) climb: Option<Climb>,
    /// Paths on which allocations may fail.
    pub(super) scarce_paths: usize,
}

/// Counts paths between turns.
#[derive(Debug)]
pub(super) struct Turns {
    turns_before_proofs: u32,
    n_turns: u32,
    /// Paths when something was reached last, or when the last turn ended.
    since: usize,
    /// Goals that were open then.
    n_open: usize,
}

impl Turns {
    pub(super) fn new(language: Language) -> Turns {
        let turns_before_proofs =
            if language.has_objects() { TURNS_BEFORE_PROOFS_OVER_OBJECTS } else { 0 };
        Turns { turns_before_proofs, n_turns: 0, since: 0, n_open: usize::MAX }
    }

    /// The turn of the others, if it has come after so many paths with so many goals open.
    pub(super) fn next(&mut self, n_paths: usize, n_open: usize) -> Option<Turn> {
        if n_open < self.n_open {
            self.since = n_paths;
            self.n_open = n_open;
        }
        let growth = self.n_turns.min(LAST_GROWTH);
        if n_open == 0 || n_paths - self.since < FIRST_PATHS * MORE_PATHS.pow(growth) {
            return None;
        }
        self.since = n_paths;
        self.n_turns += 1;
        Some(Turn {
            proofs: (growth >= self.turns_before_proofs).then_some(FIRST_LOOKS << growth),
            scarce_paths: FIRST_PATHS * MORE_PATHS.pow(growth),
            climb: growth.checked_sub(TURNS_BEFORE_CLIMBS).map(|times| climb::FIRST.grown(times)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paths after which the others have a turn when nothing is reached.
    fn turns(language: Language, n_paths: usize) -> Vec<(usize, bool, bool)> {
        let mut turns = Turns::new(language);
        let turn =
            |at| turns.next(at, 3).map(|turn| (at, turn.proofs.is_some(), turn.climb.is_some()));
        (0..=n_paths).filter_map(turn).collect()
    }

    #[test]
    fn turns_are_further_apart_each_time() {
        let expected = [(16, true, false), (64, true, true), (208, true, true), (640, true, true)];
        assert_eq!(turns(Language::C, 1000), expected);
    }

    #[test]
    fn over_objects_climbs_come_before_proofs() {
        let turns = turns(Language::Java, 1000);
        assert_eq!(turns[..2], [(16, false, false), (64, false, true)]);
        assert_eq!(turns.last(), Some(&(640, true, true)));
    }

    #[test]
    fn paths_that_reach_something_go_on() {
        let mut turns = Turns::new(Language::C);
        assert!(turns.next(10, 5).is_none());
        assert!(turns.next(20, 4).is_none());
        assert!(turns.next(35, 4).is_none());
        assert!(turns.next(36, 4).is_some());
        assert!(turns.next(37, 0).is_none());
    }
}
