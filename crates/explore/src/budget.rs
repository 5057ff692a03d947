//! What a search may spend. Steps, not seconds.

use std::time::Duration;

/// Gates of the circuit of one question.
pub(crate) const MAX_GATES: usize = 250_000;

/// What a search for one function may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Concrete inputs to begin with; default 40.
    pub seeds: usize,
    pub seed: u64,
    /// Symbolic paths; default 2000. A quarter more where longer memory is tried.
    pub paths: usize,
    /// Elements of memory behind pointers that goals are still looked for with, if the configured bound
    /// leaves some open; default 64.
    pub longest: u64,
    /// IR instructions of one concrete run; default one million.
    pub run_steps: u64,
    /// Go on after all goals are covered, until every way is known (for proofs); default false.
    pub exhaust: bool,
    /// The emergency stop of one question to the solver; default none.
    pub solver_time: Option<Duration>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            seeds: 40,
            seed: 0,
            paths: 2000,
            longest: 64,
            run_steps: 1_000_000,
            exhaust: false,
            solver_time: None,
        }
    }
}
