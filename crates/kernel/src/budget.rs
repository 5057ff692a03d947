//! Step budgets: how much work an engine may still do.
//!
//! A step is one run of one propagator. Budgets are counted and never timed, so that the same input
//! gives the same answer on every machine.

/// Steps that may still be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    left: u64,
}

impl Budget {
    pub fn steps(steps: u64) -> Budget {
        Budget { left: steps }
    }

    pub fn left(&self) -> u64 {
        self.left
    }

    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Takes one step; false when none is left.
    #[inline]
    pub fn step(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        true
    }

    /// Splits off at most `steps` steps as a budget of their own; what the part does not use comes
    /// back with `refund`.
    #[must_use]
    pub fn part(&mut self, steps: u64) -> Budget {
        let part = steps.min(self.left);
        self.left -= part;
        Budget { left: part }
    }

    pub fn refund(&mut self, part: Budget) {
        self.left = self.left.saturating_add(part.left);
    }
}
