//! Memory that the graph follows: objects by name, their scalars as values, arrays as terms.
//!
//! An object is in one of three shapes, the same everywhere in one graph: *cells*, scalars at constant
//! offsets; an *array* of scalars of one size, a term indexed by the byte offset, once an access has a symbolic
//! offset; or *opaque*, when accesses do not fit either. What may have been written through an unknown pointer
//! is forgotten. Shapes, escapes and what differs at joins are guessed first and corrected by building again.

use std::collections::BTreeMap;

use glassbox_ir::{BlockId, FuncId, GlobalId, LocalId};
use glassbox_terms::TermId;

/// A value during building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Val {
    Term(TermId),
    Ptr(Ptr),
}

/// A pointer during building.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ptr {
    Object {
        object: Object,
        offset: TermId,
    },
    /// So many bytes behind the beginning of an object, or behind null when the term holds.
    Fresh {
        object: Object,
        offset: TermId,
        is_null: TermId,
    },
    /// Anything, null included; the term is its address.
    Number(TermId),
    Func(FuncId),
}

/// An object, the same in every build of one function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Object {
    Global(GlobalId),
    /// A local of the activation with this number.
    Local(usize, LocalId),
    /// A record that a caller passes by value, or the place for a record result, by position.
    Record(usize),
    /// What an allocation gives: activation, block and instruction. Followed only where it runs at most once.
    Alloc(usize, BlockId, u32),
    /// All memory that pointers nobody follows may point to, as scalars of this many bytes by address. The same
    /// bytes are in every such object: a write to one changes the others.
    Beyond(u64),
}

/// What an object holds where no cell says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// What it held when the function under test began.
    Initial,
    Zeros,
    /// Indeterminate; reading it is an error.
    Uninitialized,
    /// Unknown.
    Unknown,
}

/// How an object is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Cells,
    /// Scalars of this many bytes, floats or integers.
    Array {
        size: u64,
        is_float: bool,
    },
    Opaque,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub(super) content: Content,
    /// By offset; no two overlap. For the shape *cells*.
    pub(super) cells: BTreeMap<u64, Cell>,
    /// For the shape *array*.
    pub(super) array: Option<TermId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) size: u64,
    pub(super) value: Val,
    /// The program has given it this value; false for what was only looked at.
    pub(super) is_written: bool,
}

impl State {
    pub(super) fn new(content: Content) -> State {
        State { content, cells: BTreeMap::new(), array: None }
    }

    /// Forgets cells that overlap `offset..offset + size`.
    pub(super) fn forget(&mut self, offset: u64, size: u64) -> bool {
        let before = self.cells.len();
        self.cells.retain(|&at, cell| {
            at.saturating_add(cell.size) <= offset || offset.saturating_add(size) <= at
        });
        self.cells.len() != before
    }

    /// Whether the bytes hold something that the program, or whoever called it, has put there.
    pub(super) fn is_written(&self, offset: u64, size: u64) -> bool {
        match self.cells.get(&offset) {
            Some(cell) if cell.size == size => cell.is_written,
            Some(_) | None => {
                matches!(self.content, Content::Initial | Content::Zeros)
                    && !self.overlaps(offset, size)
            }
        }
    }

    pub(super) fn overlaps(&self, offset: u64, size: u64) -> bool {
        self.cells.iter().any(|(&at, cell)| {
            at.saturating_add(cell.size) > offset && offset.saturating_add(size) > at
        })
    }
}

/// All memory at one point. A global, or what lies beyond the objects, that is missing holds what `globals`
/// says; another object that is missing is not alive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) objects: BTreeMap<Object, State>,
    pub(super) globals: Content,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory { objects: BTreeMap::new(), globals: Content::Initial }
    }

    /// The state of an object that is alive.
    pub(super) fn state(&self, object: Object) -> Option<State> {
        match self.objects.get(&object) {
            Some(state) => Some(state.clone()),
            None => match object {
                Object::Global(_) | Object::Beyond(_) => Some(State::new(self.globals)),
                Object::Local(..) | Object::Record(_) | Object::Alloc(..) => None,
            },
        }
    }
}
