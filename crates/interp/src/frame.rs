//! Activations of functions.

use std::rc::Rc;

use glassbox_ir::{DecisionId, Span};

use crate::code::{Code, Reg};
use crate::memory::ObjectId;

/// One activation.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) code: Rc<Code>,
    /// The number of this call in the run.
    pub(crate) activation: u32,
    /// Where to go on; saved while a callee runs.
    pub(crate) pc: usize,
    /// The frame's first register on the register stack.
    pub(crate) base: usize,
    /// By local; `None` while it is not in scope.
    pub(crate) locals: Vec<Option<ObjectId>>,
    /// Variable-length arrays and `alloca`.
    pub(crate) stack_objects: Vec<ObjectId>,
    /// The variable arguments of this call.
    pub(crate) var_args: Option<ObjectId>,
    /// Where the caller wants the result.
    pub(crate) result: Option<(Reg, bool)>,
    /// Where the caller called.
    pub(crate) call_span: Span,
    /// Decisions being evaluated: values of conditions seen so far.
    pub(crate) evaluations: Vec<(DecisionId, Vec<Option<bool>>)>,
}
