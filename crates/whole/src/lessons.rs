//! Lessons: guesses about memory that turned out to be wrong in one build of a graph, for the next.
//!
//! A guess is what makes the graph precise (this cell does not change in the loop, this pointer keeps to its type); a
//! lesson takes it back. `Knowledge` is a lattice: all lessons together say no less than each of them, and it only
//! grows, so that building ends. Lessons of one build are counted at once, except those that others may make
//! superfluous: they are *tentative*, and count when there was nothing else to learn.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{BlockId, FuncId, GlobalId, SourceTypeId, Ty};

use super::memory::{Class, Member, MemoryMap, Object, Scalar, Shape, Target};
use super::typed::Pointee;

/// Low zero bits of offsets that are hoped for at first: no scalar needs more.
pub(super) const MAX_ALIGNMENT: u32 = 4;

/// A node, the same in every build: activation, block, and how many nodes the block began before.
pub(super) type NodeKey = (usize, BlockId, u32);

/// Something at a join that may differ between the ways in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    /// A pointer parameter of the block with too many targets.
    Pointer(usize),
    Cell(Scalar),
    /// Something else that a pointer parameter of the block may point to.
    PointerTo(usize, Target),
    /// A cell that holds pointers into too many objects.
    PointerCell(Object, u64),
    /// Something else that a pointer in a cell may point to.
    PointerCellTo(Object, u64, Target),
    /// A pointer parameter of the block that moves within its target.
    PointerMoves(usize),
    PointerCellMoves(Object, u64),
    /// A cell that was not written on every way in.
    Unwritten(Object, u64),
    Array(Object),
    Content(Object),
    /// The object is not alive on every way in.
    Life(Object),
    Globals,
    /// Memory behind pointers.
    Beyond,
}

/// What a cell holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum CellKind {
    Int,
    Float,
    Pointer,
}

impl CellKind {
    pub(super) fn of(ty: Ty) -> CellKind {
        match ty {
            Ty::Ptr => CellKind::Pointer,
            Ty::Float(_) => CellKind::Float,
            Ty::Int(_) => CellKind::Int,
        }
    }
}

/// What was learned about one function.
#[derive(Debug, Default)]
pub(super) struct Knowledge {
    pub(super) slots: BTreeSet<(NodeKey, Slot)>,
    /// Objects whose address goes where it is not followed.
    pub(super) escaped: BTreeSet<Object>,
    shapes: BTreeMap<Object, Shape>,
    /// Low bits that are zero in the offset of a pointer parameter of a join, where fewer than hoped.
    alignments: BTreeMap<(NodeKey, Slot), u32>,
    /// The function does not keep to the types of its pointers: memory behind them is followed by address and size.
    pub(super) is_untyped: bool,
    /// Pointers in memory may point to what is no more.
    pub(super) is_dangling: bool,
    /// Memory behind pointers is written byte by byte.
    pub(super) has_bytes: bool,
    /// Memory behind pointers may never have been set.
    pub(super) has_unset: bool,
    /// Members that objects behind pointers may not have set.
    pub(super) unset_members: BTreeSet<Member>,
    /// Something is released.
    pub(super) has_frees: bool,
    /// Classes whose scalars share one map.
    pub(super) merged: BTreeSet<Class>,
    /// Maps that are in use.
    pub(super) maps: BTreeSet<MemoryMap>,
    pub(super) globals: BTreeSet<GlobalId>,
    /// What pointers at joins point to; `None` when that is not known.
    pub(super) pointees: BTreeMap<(NodeKey, Slot), Option<Pointee>>,
    /// What allocated objects are.
    pub(super) alloc_types: BTreeMap<Object, SourceTypeId>,
}

impl Knowledge {
    /// Adds what the other knows; true when that was not known.
    fn join(&mut self, other: Knowledge) -> bool {
        let mut has_changed = add_all(&mut self.slots, other.slots)
            | add_all(&mut self.escaped, other.escaped)
            | add_all(&mut self.unset_members, other.unset_members)
            | add_all(&mut self.merged, other.merged)
            | add_all(&mut self.maps, other.maps)
            | add_all(&mut self.globals, other.globals);
        for (flag, is_set) in [
            (&mut self.is_untyped, other.is_untyped),
            (&mut self.is_dangling, other.is_dangling),
            (&mut self.has_bytes, other.has_bytes),
            (&mut self.has_unset, other.has_unset),
            (&mut self.has_frees, other.has_frees),
        ] {
            has_changed |= is_set && !std::mem::replace(flag, true);
        }
        for (object, shape) in other.shapes {
            has_changed |= self.join_shape(object, shape);
        }
        for (place, n_zeros) in other.alignments {
            let known = self.alignments.entry(place).or_insert(MAX_ALIGNMENT);
            has_changed |= n_zeros < *known;
            *known = n_zeros.min(*known);
        }
        for (place, pointee) in other.pointees {
            has_changed |= self.pointees.insert(place, pointee) != Some(pointee);
        }
        for (object, ty) in other.alloc_types {
            if let std::collections::btree_map::Entry::Vacant(entry) =
                self.alloc_types.entry(object)
            {
                entry.insert(ty);
                has_changed = true;
            }
        }
        has_changed
    }

    /// Cells may become an array, and both become opaque.
    fn join_shape(&mut self, object: Object, shape: Shape) -> bool {
        let known = self.shape(object);
        let joined = match (known, shape) {
            (known, Shape::Cells) => known,
            (Shape::Cells, shape) => shape,
            (known, shape) if known == shape => known,
            (Shape::Array { .. } | Shape::Opaque, Shape::Array { .. } | Shape::Opaque) => {
                Shape::Opaque
            }
        };
        self.shapes.insert(object, joined);
        joined != known
    }

    pub(super) fn shape(&self, object: Object) -> Shape {
        if let Object::Beyond(map) = object {
            return Shape::Array { size: map.size(), is_float: false };
        }
        self.shapes.get(&object).copied().unwrap_or(Shape::Cells)
    }

    pub(super) fn alignment(&self, key: NodeKey, slot: Slot) -> u32 {
        self.alignments.get(&(key, slot)).copied().unwrap_or(MAX_ALIGNMENT)
    }
}

fn add_all<T: Ord>(known: &mut BTreeSet<T>, more: BTreeSet<T>) -> bool {
    let before = known.len();
    known.extend(more);
    known.len() != before
}

/// What all builds so far have taught.
#[derive(Debug, Default)]
pub(super) struct Lessons {
    pub(super) known: Knowledge,
    /// Lessons of this build that count only when it teaches nothing else.
    tentative: Knowledge,
    has_changed: bool,
    /// Structures that lie in unions: their members share bytes with those of others. Known from the start.
    pub(super) in_unions: BTreeSet<SourceTypeId>,
    /// Numbers of activations by caller, place of the call and callee.
    pub(super) activations: BTreeMap<(usize, BlockId, u32, FuncId), usize>,
}

impl Lessons {
    /// What a callee is given in the middle of a run is not what inputs are.
    pub(super) fn of_callee() -> Lessons {
        let known = Knowledge {
            is_untyped: true,
            is_dangling: true,
            has_unset: true,
            ..Default::default()
        };
        Lessons { known, ..Lessons::default() }
    }

    /// A build begins.
    pub(super) fn begin(&mut self) {
        self.has_changed = false;
        self.tentative = Knowledge::default();
    }

    /// A build has ended; true when another one is needed.
    pub(super) fn end(&mut self) -> bool {
        if !self.has_changed {
            let mut tentative = std::mem::take(&mut self.tentative);
            // The other lessons may show that the function keeps to its types after all.
            let is_untyped = std::mem::take(&mut tentative.is_untyped);
            self.has_changed = self.known.join(tentative);
            if !self.has_changed {
                self.learn(Knowledge { is_untyped, ..Knowledge::default() });
            }
        }
        self.has_changed
    }

    fn learn(&mut self, lesson: Knowledge) {
        self.has_changed |= self.known.join(lesson);
    }

    pub(super) fn learn_slot(&mut self, key: NodeKey, slot: Slot) {
        self.has_changed |= self.known.slots.insert((key, slot));
    }

    pub(super) fn learn_escape(&mut self, object: Object) {
        self.has_changed |= self.known.escaped.insert(object);
    }

    pub(super) fn learn_shape(&mut self, object: Object, shape: Shape) {
        self.has_changed |= self.known.join_shape(object, shape);
    }

    /// The function seems not to keep to the types of its pointers.
    pub(super) fn learn_untyped(&mut self) {
        self.tentative.is_untyped = true;
    }

    pub(super) fn learn_dangling(&mut self) {
        self.tentative.is_dangling = true;
    }

    pub(super) fn learn_unset(&mut self) {
        self.tentative.has_unset = true;
    }

    pub(super) fn learn_unset_member(&mut self, member: Member) {
        self.tentative.unset_members.insert(member);
    }

    pub(super) fn learn_bytes(&mut self) {
        self.learn(Knowledge { has_bytes: true, ..Knowledge::default() });
    }

    pub(super) fn learn_frees(&mut self) {
        self.learn(Knowledge { has_frees: true, ..Knowledge::default() });
        self.learn_dangling();
    }

    pub(super) fn merge(&mut self, class: Class) {
        self.has_changed |= self.known.merged.insert(class);
    }

    pub(super) fn learn_map(&mut self, map: MemoryMap) {
        self.has_changed |= self.known.maps.insert(map);
    }

    pub(super) fn learn_global(&mut self, global: GlobalId) {
        self.has_changed |= self.known.globals.insert(global);
    }

    pub(super) fn learn_alloc_type(&mut self, object: Object, ty: SourceTypeId) {
        let alloc_types = BTreeMap::from([(object, ty)]);
        self.learn(Knowledge { alloc_types, ..Knowledge::default() });
    }

    /// That it is not known is tentative.
    pub(super) fn learn_pointee(&mut self, key: NodeKey, slot: Slot, pointee: Option<Pointee>) {
        let place = (key, slot);
        match pointee {
            None => {
                self.tentative.pointees.insert(place, None);
            }
            Some(_) => {
                let known = self.known.pointees.insert(place, pointee);
                self.has_changed |= known != Some(pointee);
            }
        }
    }

    pub(super) fn learn_alignment(&mut self, key: NodeKey, slot: Slot, n_zeros: u32) {
        let alignments = BTreeMap::from([((key, slot), n_zeros)]);
        self.learn(Knowledge { alignments, ..Knowledge::default() });
    }
}
