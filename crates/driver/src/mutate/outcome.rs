//! What a run showed that a test looks at, and how two runs differ.

use glassbox_explore::TestRunner;
use glassbox_interp::Outcome;
use glassbox_ir::{FuncId, GlobalId};
use glassbox_testcase::{Ending, InputValue, Observation, TestInput};

/// Why a run shows nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kill {
    /// It takes many times as long as the original.
    Endless,
    /// Something is not modeled.
    NotModeled(String),
}

/// What tests compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) ending: Ending,
    result: Option<InputValue>,
    changed_objects: Vec<(usize, Vec<InputValue>)>,
    changed_globals: Vec<(GlobalId, InputValue)>,
    freed_objects: Vec<usize>,
    pub(super) steps: u64,
}

impl Seen {
    pub(super) fn of(observation: &Observation) -> Seen {
        Seen {
            ending: observation.ending.clone(),
            result: observation.result.clone(),
            changed_objects: observation.changed_objects.clone(),
            changed_globals: observation.changed_globals.clone(),
            freed_objects: observation.freed_objects.clone(),
            steps: observation.steps,
        }
    }

    /// How another run differs, in words.
    pub(super) fn difference(&self, other: &Seen) -> Option<String> {
        if let Ending::Failed { kind, span } = &other.ending
            && !matches!(self.ending, Ending::Failed { .. })
        {
            return Some(format!("{} at line {}", kind.name(), span.line));
        }
        if self.ending != other.ending {
            return Some("the call ends in another way".to_owned());
        }
        if self.result != other.result {
            return Some("another result".to_owned());
        }
        if self.changed_objects != other.changed_objects
            || self.freed_objects != other.freed_objects
        {
            return Some("other memory behind a pointer".to_owned());
        }
        (self.changed_globals != other.changed_globals)
            .then(|| "another global variable".to_owned())
    }
}

/// A mutant that takes so many times as long as the function counts as endless.
const LONGER: u64 = 100;
const AT_LEAST: u64 = 20_000;
const AT_MOST: u64 = 1_000_000;

/// Runs an input; where it is known how long the function takes, mutants may take only some times as long.
pub(super) fn look(
    runner: &mut TestRunner<'_>,
    function: FuncId,
    input: &TestInput,
    usual: Option<u64>,
) -> Result<Seen, Kill> {
    let steps =
        usual.map_or(AT_MOST, |steps| steps.saturating_mul(LONGER).clamp(AT_LEAST, AT_MOST));
    runner.set_max_steps(steps);
    let run = runner.run(function, input).map_err(|why| Kill::NotModeled(why.to_owned()))?;
    match &run.outcome {
        Outcome::OutOfSteps | Outcome::OutOfMemory => Err(Kill::Endless),
        Outcome::Unsupported { what, .. } => Err(Kill::NotModeled(what.clone())),
        Outcome::MissingFunction { name, .. } => Err(Kill::NotModeled(name.clone())),
        Outcome::Returned(_)
        | Outcome::Exited(_)
        | Outcome::Aborted
        | Outcome::Undefined(_)
        | Outcome::AssumptionFailed(_) => Ok(Seen::of(&run.observation)),
    }
}
