//! What the analysis of loops may do.

use glassbox_solver::StopFlag;

/// Each ingredient can be switched off, so that its worth can be measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Off, nothing is known of loops.
    pub is_on: bool,
    /// Linear relations between values, beside their ranges.
    pub linear: bool,
    /// Trying both sides of undecided conditions.
    pub probing: bool,
    /// Turns of the analysis before bounds are widened.
    pub widen_after: u32,
    /// Work of all linear programs for the invariants, and again for each question, counted as in
    /// `glassbox_relax` (thirty to the microsecond).
    pub linear_work: u64,
    /// The emergency stop of the caller.
    pub stop: StopFlag,
}
