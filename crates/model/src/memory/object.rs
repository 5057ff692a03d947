//! A memory object of one path.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{FuncId, GlobalId, LocalId, SourceTypeId};
use glassbox_terms::TermId;

use super::cells::Cell;
use crate::leaf::ActiveMembers;

#[derive(Debug, Clone)]
pub struct Object {
    pub kind: ObjectKind,
    pub state: ObjectState,
    /// For people and for names of inputs.
    pub name: String,
    /// Bytes from offset 0 on, a 64-bit term.
    pub size: TermId,
    /// The most that `size` can be, if it is bounded.
    pub max_size: Option<u64>,
    /// Memory below offset 0, once a path asked for it. Only inputs have some.
    pub front: Option<Front>,
    /// The path takes it for an object that lies neither behind nor before anything else of its own.
    pub is_whole: bool,
    pub contents: Contents,
    /// The offset at which an element of `contents` begins: 0, unless something around the first pointee was asked for.
    pub origin: i64,
    pub is_const: bool,
    /// By offset; cells do not overlap.
    pub cells: BTreeMap<i64, Cell>,
    /// Bytes that a store into a member of a union may have changed.
    pub open: BTreeSet<i64>,
    /// Inputs as they were before the path wrote anything: what a test has to set up.
    pub initial: BTreeMap<i64, Cell>,
    /// What the unions of input contents hold, where it was decided.
    pub active: ActiveMembers,
    /// The number that a cast to an integer gives, once there was one.
    pub address: Option<TermId>,
}

impl Object {
    /// A live object with indeterminate contents.
    pub fn new(kind: ObjectKind, name: &str, size: TermId, max_size: Option<u64>) -> Object {
        Object {
            kind,
            state: ObjectState::Live,
            name: name.to_owned(),
            size,
            max_size,
            front: None,
            is_whole: false,
            contents: Contents::Uninitialized,
            origin: 0,
            is_const: false,
            cells: BTreeMap::new(),
            open: BTreeSet::new(),
            initial: BTreeMap::new(),
            active: BTreeMap::new(),
            address: None,
        }
    }
}

/// Room in front of where the first pointer to an input object points: other pointers point there, or the program
/// looks at what lies before its pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Front {
    /// Elements, a 64-bit term.
    pub length: TermId,
    /// Bytes, a 64-bit term.
    pub size: TermId,
    /// The most that `size` can be.
    pub max_size: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    Global(GlobalId),
    Local(FuncId, LocalId),
    Stack,
    Heap,
    /// Made for a pointer input; its elements have this type, and `length` is their number from offset 0 on.
    Input {
        element: SourceTypeId,
        length: TermId,
    },
    /// An object of the class or array type of this number, made for a reference that is an input.
    Instance {
        number: u32,
        /// An array's, 32 bits.
        length: Option<TermId>,
    },
    VarArgs,
    /// Behind a `FILE *` that the library gave out.
    Stream,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectState {
    Live,
    Freed,
    OutOfScope,
}

/// What an object holds where nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    Uninitialized,
    Zeros,
    /// Inputs, shaped by this type, repeated as often as the object is long.
    Input(SourceTypeId),
}
