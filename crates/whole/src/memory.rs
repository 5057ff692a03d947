//! Memory that the graph follows: objects by name, their scalars as values, arrays as terms.
//!
//! An object is in one of three shapes, the same everywhere in one graph: *cells*, scalars at constant
//! offsets; an *array* of scalars of one size, a term indexed by the byte offset, once an access has a symbolic
//! offset; or *opaque*, when accesses do not fit either. What may have been written through an unknown pointer
//! is forgotten. Shapes, escapes and what differs at joins are guessed first and corrected by building again.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{BlockId, FuncId, GlobalId, LocalId, SourceTypeId};
use glassbox_terms::TermId;

use super::lessons::CellKind;

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
    /// One of several: `which` is the code of a target. It points `offset` bytes behind the place that the target
    /// names; where the target is null or a number, to `address`.
    OneOf {
        targets: SetId,
        which: TermId,
        offset: TermId,
        address: TermId,
    },
}

/// What a pointer may point to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    Null,
    /// Something that is not followed.
    Number,
    /// Behind so many bytes of an object; `None` for its beginning where offsets are no constants.
    Object(Object, Option<u64>),
}

/// Places in objects that one pointer may point to; a pointer with more is a number.
pub(super) const MAX_TARGETS: usize = 6;

/// A set of targets in the table of the builder; equal sets have one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SetId(pub(super) usize);

/// A small set of targets; equal sets are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Targets {
    has_null: bool,
    has_number: bool,
    // Invariant: sorted, without gaps before the last one; an object without constant offsets is there once.
    places: [Option<(Object, Option<u64>)>; MAX_TARGETS],
}

impl Targets {
    /// Adds a target; `None` when there are too many places.
    pub(super) fn with(mut self, target: Target) -> Option<Targets> {
        match target {
            Target::Null => self.has_null = true,
            Target::Number => self.has_number = true,
            Target::Object(object, at) => {
                let mut places: Vec<(Object, Option<u64>)> =
                    self.places.iter().copied().flatten().collect();
                if at.is_none() {
                    places.retain(|&(of, _)| of != object);
                }
                if places.contains(&(object, None)) {
                    return Some(self);
                }
                if let Err(position) = places.binary_search(&(object, at)) {
                    places.insert(position, (object, at));
                }
                if places.len() > MAX_TARGETS {
                    return None;
                }
                self.places = [None; MAX_TARGETS];
                for (slot, place) in self.places.iter_mut().zip(places) {
                    *slot = Some(place);
                }
            }
        }
        Some(self)
    }

    pub(super) fn union(self, other: Targets) -> Option<Targets> {
        other.iter().try_fold(self, Targets::with)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Target> {
        let null = self.has_null.then_some(Target::Null);
        let number = self.has_number.then_some(Target::Number);
        let places = self.places.into_iter().flatten();
        let places = places.map(|(object, at)| Target::Object(object, at));
        null.into_iter().chain(number).chain(places)
    }

    pub(super) fn objects(self) -> impl Iterator<Item = Object> {
        self.places.into_iter().flatten().map(|(object, _)| object)
    }

    /// What a target is in this set: itself, or its object wherever the pointer points in it.
    pub(super) fn find(self, target: Target) -> Option<Target> {
        let is_it = |known: &Target| match (target, *known) {
            (Target::Object(a, _), Target::Object(b, None)) => a == b,
            (a, b) => a == b,
        };
        self.iter().find(is_it)
    }

    /// The only place, where there is nothing else.
    pub(super) fn only_place(self) -> Option<(Object, Option<u64>)> {
        match (self.has_null, self.has_number, self.places) {
            (false, false, [Some(place), None, ..]) => Some(place),
            _ => None,
        }
    }

    pub(super) fn has_objects(self) -> bool {
        self.places[0].is_some()
    }

    pub(super) fn has_number(self) -> bool {
        self.has_number
    }

    /// The number that stands for a target of the set.
    pub(super) fn code(self, target: Target) -> u128 {
        match self.find(target) {
            None | Some(Target::Null) => 0,
            Some(Target::Number) => 1,
            Some(Target::Object(object, at)) => {
                let position = self.places.iter().position(|known| *known == Some((object, at)));
                2 + position.map_or(0, |position| position as u128)
            }
        }
    }
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
    /// Memory that pointers which are not followed may point to, by address.
    Beyond(MemoryMap),
}

/// A map of memory behind pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum MemoryMap {
    /// All of it as scalars of this many bytes. The same bytes are in the map of every size: a write to one
    /// changes the others.
    Size(u64),
    /// Scalars of one class.
    Class(Class),
    /// A member of a structure, by its offset.
    Member(SourceTypeId, u64, Class),
}

impl MemoryMap {
    /// The bytes of a scalar.
    pub(super) fn size(self) -> u64 {
        match self {
            MemoryMap::Size(size) => size,
            MemoryMap::Class(class) | MemoryMap::Member(_, _, class) => class.size,
        }
    }

    pub(super) fn class(self) -> Option<Class> {
        match self {
            MemoryMap::Size(_) => None,
            MemoryMap::Class(class) | MemoryMap::Member(_, _, class) => Some(class),
        }
    }
}

/// Scalars that are distinguished by their size and by what they hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Class {
    pub(super) size: u64,
    pub(super) kind: CellKind,
}

/// A scalar of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Scalar {
    pub(super) object: Object,
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) kind: CellKind,
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

    /// Whether the bytes hold something that the program or its caller has put there.
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

/// All memory at one point. A global that is missing holds what `globals` says, and
/// memory behind pointers what `beyond` says; another object that is missing is not alive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) objects: BTreeMap<Object, State>,
    pub(super) globals: Content,
    /// The same for memory behind pointers.
    pub(super) beyond: Content,
    /// Pointers to structures that control has seen on every way here.
    pub(super) bases: BTreeSet<TermId>,
    /// Addresses of new objects behind pointers that are surely there.
    pub(super) fresh: BTreeSet<TermId>,
    /// Members of new objects that may not have been set, by address.
    pub(super) unset: BTreeMap<TermId, BTreeSet<Member>>,
}

/// A member of a structure: the structure and the offset.
pub(super) type Member = (SourceTypeId, u64);

impl Memory {
    pub(super) fn new() -> Memory {
        Memory {
            objects: BTreeMap::new(),
            globals: Content::Initial,
            beyond: Content::Initial,
            bases: BTreeSet::new(),
            fresh: BTreeSet::new(),
            unset: BTreeMap::new(),
        }
    }

    /// The state of an object that is alive.
    pub(super) fn state(&self, object: Object) -> Option<State> {
        match self.objects.get(&object) {
            Some(state) => Some(state.clone()),
            None => match object {
                Object::Global(_) => Some(State::new(self.globals)),
                Object::Beyond(_) => Some(State::new(self.beyond)),
                Object::Local(..) | Object::Record(_) | Object::Alloc(..) => None,
            },
        }
    }
}
