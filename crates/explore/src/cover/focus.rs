//! Which open goals the next ways are for: all of them, and one alone, in turns.
//!
//! Ways that are nearest to any open goal lie before the same few goals again and again: one that needs a text of two hundred letters
//! has ways without end right before it, and the others would never have theirs. So every other batch of ways is for one
//! goal, and for the next one each time. Ways are counted, never time.

/// Ways of one batch: some are refuted, and a path or two should come near the goal. Fewer would cost more, since ways
/// are put in order for each goal.
const BATCH: u32 = 4;

/// Whose ways are tried.
#[derive(Debug, Default)]
pub(super) struct Focus {
    n_picked: u32,
    /// The goal of the last batch that was for one alone.
    goal: usize,
}

impl Focus {
    /// Whether the way that was asked for last is one of those, every other one of a batch, that may be sought in the calls
    /// that decide about the goal.
    pub(super) fn looks_beside(&self) -> bool {
        self.n_picked.is_multiple_of(2)
    }

    /// The goal that the next way is for; `None` for all.
    pub(super) fn next(
        &mut self,
        n_goals: usize,
        is_open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (batch, begun) = (self.n_picked / BATCH, self.n_picked % BATCH);
        self.n_picked = self.n_picked.wrapping_add(1);
        if batch.is_multiple_of(2) {
            return None;
        }
        if begun == 0 || !is_open(self.goal) {
            let after = (self.goal + 1..n_goals).chain(0..n_goals.min(self.goal + 1));
            self.goal = after.into_iter().find(|&goal| is_open(goal))?;
        }
        Some(self.goal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_open_goal_has_its_batch() {
        let mut focus = Focus::default();
        let mut batch = |open: [bool; 4]| {
            let all: Vec<_> = (0..BATCH).map(|_| focus.next(4, |goal| open[goal])).collect();
            assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{all:?}");
            all[0]
        };
        let open = [true, true, false, true];
        let found: Vec<_> = (0..10).map(|_| batch(open)).collect();
        let alone: Vec<_> = found.iter().skip(1).step_by(2).copied().collect();
        assert_eq!(alone, [Some(1), Some(3), Some(0), Some(1), Some(3)]);
        assert!(found.iter().step_by(2).all(Option::is_none));
    }

    #[test]
    fn a_goal_that_is_reached_leaves_its_batch_to_the_next() {
        let mut focus = Focus::default();
        (0..BATCH).for_each(|_| assert_eq!(focus.next(2, |_| true), None));
        assert_eq!(focus.next(2, |_| true), Some(1));
        assert_eq!(focus.next(2, |goal| goal != 1), Some(0));
        assert_eq!(focus.next(2, |_| false), None);
    }
}
