//! What a run of one test showed.

use std::ops::Range;

use glassbox_ir::{CheckKind, GlobalId, SourceTypeId, Span};

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
    /// Memory that the run made, as far as what it left leads there, in that order.
    pub made: Vec<MadeMemory>,
    /// Objects of the input that the run freed, by position: a test has to allocate them.
    pub freed_objects: Vec<usize>,
    pub stdout: Vec<u8>,
    /// IR instructions, where an interpreter ran it.
    pub steps: u64,
}

/// Memory that a run made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeMemory {
    /// Where it lies in this run and how much there is: pointers into it are such bytes in what else is observed.
    pub address: u64,
    pub size: u64,
    /// Of the elements. An object of Java that is no array is one element; the elements of a text are its UTF-16.
    pub element_type: SourceTypeId,
    /// The number of its class or array type, in Java.
    pub class: Option<u32>,
    /// All of them.
    pub length: u64,
    /// The first ones; what was never set is empty bytes.
    pub elements: Vec<InputValue>,
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
