//! What a run of one test showed.

use std::ops::Range;

use glassbox_ir::{CheckKind, GlobalId, Span};

use crate::input::InputValue;

/// How a run ended, and what it left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    pub ending: Ending,
    /// The result; a pointer result is an input pointer where it points into known memory.
    pub result: Option<InputValue>,
    /// Objects of the input that the run changed: position and new elements.
    pub changed_objects: Vec<(usize, Vec<InputValue>)>,
    pub changed_globals: Vec<(GlobalId, InputValue)>,
    /// What the run wrote to, also where it wrote what was there.
    pub written_objects: Vec<WrittenObject>,
    pub written_globals: Vec<WrittenGlobal>,
    /// Objects of the input that the run freed, by position: a test has to allocate them.
    pub freed_objects: Vec<usize>,
    pub stdout: Vec<u8>,
    /// IR instructions, where an interpreter ran it.
    pub steps: u64,
}

/// Bytes of an object of the input that were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenObject {
    /// By position.
    pub object: usize,
    /// In order, without overlaps. Long runs show the first ones only.
    pub bytes: Vec<Range<u64>>,
}

/// The same of a global.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenGlobal {
    pub global: GlobalId,
    pub bytes: Vec<Range<u64>>,
    /// All of it.
    pub after: InputValue,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Returned,
    Exited(i32),
    Aborted,
    /// Undefined behavior or a failed assertion.
    Failed {
        kind: CheckKind,
        span: Span,
    },
    /// The input is outside the contract.
    Rejected,
    /// An exception left the function, by class name.
    Thrown(String),
    /// Too many steps, too much memory or time.
    Stopped,
    /// Something that is not modeled, with its place.
    Unsupported {
        what: String,
        span: Span,
    },
}
