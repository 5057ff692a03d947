//! What a campaign leaves besides verdicts and tests: what runs did, pairs, refutations, statistics.

use glassbox_coverage::{Covered, Facts};
use glassbox_ir::{BlockId, FuncId, SourceTypeId, Span};
use glassbox_testcase::{InputValue, LineFacts};

use crate::data::{Layer, Replay};

/// Everything that reports show beyond verdicts and inputs. Lists may be empty where nothing is known.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// By goal: how the tests of the suite reach it.
    pub covered: Vec<Option<Covered>>,
    /// By goal: how many runs it took to reach it first.
    pub reached_after: Vec<Option<usize>>,
    /// By test: what its run did.
    pub facts: Vec<Facts>,
    /// By test: what its run did in functions that it calls.
    pub elsewhere: Vec<Vec<Elsewhere>>,
    /// By test: what the real program did with it.
    pub replays: Vec<Replay>,
    /// By test: what variables hold on its way; empty where that is not known.
    pub moments: Vec<Vec<Moment>>,
    /// Why ways of the function are closed.
    pub refutations: Vec<RefutedWay>,
    /// By line: what holds there for every input. Filled where a proof rests on it.
    pub invariants: Vec<LineFacts>,
    /// What each layer of the solver was asked and answered.
    pub layers: Vec<Layer>,
}

/// What variables and memory hold at a choice of a run, or at its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    /// Position of the choice among the edges of the first activation or, for counter-examples, among the
    /// conditions; none at the end.
    pub at: Option<usize>,
    pub variables: Vec<(String, SourceTypeId, InputValue)>,
    /// Objects of the input that are not what they were, by position.
    pub objects: Vec<(usize, Vec<InputValue>)>,
}

/// What a run did in a function other than the one under test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elsewhere {
    pub function: FuncId,
    pub blocks: Vec<BlockId>,
    pub edges: Vec<(BlockId, u32)>,
}

/// One way to take an edge, and the conditions that exclude it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefutedWay {
    pub block: BlockId,
    pub edge: u32,
    /// Readable conditions with the place that each comes from.
    pub core: Vec<(String, Option<Span>)>,
}
