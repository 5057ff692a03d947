//! Who decides where a path goes.

use std::cell::RefCell;
use std::rc::Rc;

use glassbox_ir::{BlockId, CheckKind, FuncId, Span};
use glassbox_terms::{TermId, Terms, Value};

use crate::exec::{Lives, PathState};

/// A place where a path can go on in more than one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChoicePoint {
    pub function: FuncId,
    pub block: BlockId,
    pub span: Span,
    pub kind: ChoiceKind,
    /// Where the user's code called the library, for choices inside a model of the library.
    pub caller: Option<(FuncId, Span)>,
    /// The block of the function under test that runs or waits for a call.
    pub entry_block: BlockId,
    /// The activation it belongs to, counted along the path.
    pub activation: u32,
    /// Activations of the same function on the stack below this one.
    pub recursion: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceKind {
    /// The terminator's targets, by position.
    Branch,
    /// A check: the first way passes, the second fails.
    Check(CheckKind),
    /// What an input pointer refers to.
    Pointer,
    /// Which function a pointer input to a function is.
    Callee,
    /// An allocation: the first way succeeds, the second gives null.
    Allocation,
    /// The value of a term that has to be known: this value, or another.
    Value,
    /// What comes next on standard input.
    Read,
}

/// One way to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternative {
    /// Holds exactly when the path goes this way. For choices that inputs make freely, `true`.
    pub condition: TermId,
    /// The way ends in a run-time error.
    pub is_failure: bool,
}

/// Answers the questions of one execution.
pub trait Guide {
    /// The position of the way to take, or `None` to end the path here. The alternatives exclude each
    /// other and cover all cases.
    fn choose(
        &mut self,
        terms: &mut Terms,
        point: &ChoicePoint,
        alternatives: &[Alternative],
    ) -> Option<usize>;

    /// A fact about inputs from here on. `false` when it contradicts the path: the path ends.
    fn assume(&mut self, terms: &mut Terms, fact: TermId) -> bool;

    /// Whether an assumption that the program makes at this place is left out of the path.
    fn lifts(&mut self, _assumption: TermId, _at: Span) -> bool {
        false
    }

    /// A value that `term` can have on this path.
    fn suggest(&mut self, terms: &mut Terms, term: TermId) -> Value;

    /// Control takes this edge of a terminator.
    fn edge(&mut self, function: FuncId, block: BlockId, edge: u32);

    /// Where states of paths are compared: what is known of values that are used again.
    fn lives(&self) -> Option<Rc<RefCell<Lives>>> {
        None
    }

    /// Whether another path has come to the head of a loop in this state, so that this one need not go on. The activations on the
    /// stack are counted along the path, outermost first.
    fn meets(&mut self, _terms: &Terms, _state: PathState, _activations: &[u32]) -> bool {
        false
    }

    /// Whether the time is over: a path that asks for nothing may still be long.
    fn is_stopped(&self) -> bool {
        false
    }
}
