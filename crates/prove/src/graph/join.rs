//! Joins: nodes with several ways in, and what differs between the ways.
//!
//! When a join begins, the ways from earlier nodes are known and those from later nodes (back edges) are not.
//! What the known ways agree on is taken over as it is; what they disagree on becomes a parameter. When all
//! ways are known, the ones that disagree with what was taken over are a lesson for the next build.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::Ty;
use glassbox_terms::{Sort, TermId};

use super::build::{Builder, CellKind, NodeKey, Slot};
use super::memory::{Cell, Content, Memory, Object, Ptr, State, Val};
use super::pure::sort_of;

/// A way into a node.
#[derive(Debug, Clone)]
pub(super) struct WayIn {
    pub(super) from: usize,
    pub(super) edge: usize,
    /// For the block's parameters.
    pub(super) values: Vec<Val>,
    pub(super) memory: Memory,
}

/// What a parameter of a join stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Param {
    /// A block parameter, by position; pointers as numbers.
    Value(usize, Ty),
    /// The offset of a pointer into this object.
    Offset(usize, Object),
    Cell(Object, u64, u64, CellKind),
    CellOffset(Object, u64, Object),
    Array(Object),
}

/// A join that has begun.
#[derive(Debug)]
pub(super) struct Joined {
    key: NodeKey,
    params: Vec<Param>,
    memory: Memory,
    pub(super) ways: Vec<WayIn>,
}

pub(super) fn kind_of(terms: &glassbox_terms::Terms, value: Val) -> CellKind {
    match value {
        Val::Ptr(_) => CellKind::Pointer,
        Val::Term(term) if matches!(terms.sort(term), Sort::Float(_)) => CellKind::Float,
        Val::Term(_) => CellKind::Int,
    }
}

impl Builder<'_> {
    /// Begins a join; gives the values of the block's parameters. The present memory is the join's.
    pub(super) fn join(
        &mut self,
        key: NodeKey,
        node: usize,
        types: &[(Ty, String)],
        ways: Vec<WayIn>,
    ) -> Vec<Val> {
        let slots: Vec<Slot> = self
            .lessons
            .slots
            .range((key, Slot::Pointer(0))..)
            .take_while(|(k, _)| *k == key)
            .map(|(_, slot)| *slot)
            .collect();
        let mut params = Vec::new();
        let mut values = Vec::new();
        for (position, (ty, name)) in types.iter().enumerate() {
            let object = common_object(ways.iter().map(|way| way.values[position]))
                .filter(|_| !slots.contains(&Slot::Pointer(position)));
            let sort = if object.is_some() { Sort::Bv(64) } else { sort_of(*ty) };
            let variable = self.new_param(node, name, sort);
            values.push(match (ty, object) {
                (Ty::Ptr | Ty::Ref, Some(object)) => {
                    let n_zeros = self.lessons.alignment(key, Slot::Pointer(position));
                    let _ = self.aligned.insert(variable, n_zeros);
                    params.push(Param::Offset(position, object));
                    Val::Ptr(Ptr::Object { object, offset: variable })
                }
                (Ty::Ptr | Ty::Ref, None) => {
                    params.push(Param::Value(position, *ty));
                    Val::Ptr(Ptr::Number(variable))
                }
                (Ty::Int(_) | Ty::Float(_), _) => {
                    params.push(Param::Value(position, *ty));
                    Val::Term(variable)
                }
            });
        }
        let memory = self.join_memory(node, &slots, &ways, &mut params);
        self.memory = memory.clone();
        for way in &ways {
            self.connect(way, node);
        }
        let _ = self.joins.insert(node, Joined { key, params, memory, ways });
        values
    }

    fn new_param(&mut self, node: usize, name: &str, sort: Sort) -> TermId {
        let variable = self.new_var(name, sort, node);
        self.graph.nodes[node].params.push(variable);
        variable
    }

    fn join_memory(
        &mut self,
        node: usize,
        slots: &[Slot],
        ways: &[WayIn],
        params: &mut Vec<Param>,
    ) -> Memory {
        let first = &ways[0].memory;
        let mut memory = Memory::new();
        let same = ways.iter().all(|way| way.memory.globals == first.globals);
        memory.globals =
            if same && !slots.contains(&Slot::Globals) { first.globals } else { Content::Unknown };
        let mut objects: BTreeSet<Object> =
            ways.iter().flat_map(|way| way.memory.objects.keys().copied()).collect();
        for slot in slots {
            match slot {
                Slot::Cell(object, ..)
                | Slot::PointerCell(object, _)
                | Slot::Unwritten(object, _)
                | Slot::Array(object)
                | Slot::Content(object)
                | Slot::Life(object) => {
                    let _ = objects.insert(*object);
                }
                Slot::Pointer(_) | Slot::Globals => {}
            }
        }
        for object in objects {
            if slots.contains(&Slot::Life(object)) {
                continue;
            }
            let states: Option<Vec<State>> =
                ways.iter().map(|way| way.memory.state(object)).collect();
            // Not alive on every way: nothing is known of it any more.
            let Some(states) = states else { continue };
            let state = self.join_object(node, slots, object, &states, params);
            let _ = memory.objects.insert(object, state);
        }
        memory
    }

    fn join_object(
        &mut self,
        node: usize,
        slots: &[Slot],
        object: Object,
        states: &[State],
        params: &mut Vec<Param>,
    ) -> State {
        let agree = states.iter().all(|state| state.content == states[0].content);
        let content = if agree && !slots.contains(&Slot::Content(object)) {
            states[0].content
        } else {
            Content::Unknown
        };
        let mut joined = State::new(content);
        // Cells by offset with their size; where ways disagree on the size nothing is known.
        let mut cells: BTreeMap<u64, Option<(u64, CellKind)>> = BTreeMap::new();
        for state in states {
            for (&offset, cell) in &state.cells {
                let shape = (cell.size, kind_of(&self.graph.terms, cell.value));
                let entry = cells.entry(offset).or_insert(Some(shape));
                if *entry != Some(shape) {
                    *entry = None;
                }
            }
        }
        let mut forced = BTreeSet::new();
        for slot in slots {
            if let Slot::Cell(of, offset, size, kind) = slot
                && *of == object
            {
                let _ = cells.insert(*offset, Some((*size, *kind)));
                let _ = forced.insert(*offset);
            }
        }
        for (offset, shape) in cells {
            let Some((size, kind)) = shape else {
                joined.content = Content::Unknown;
                continue;
            };
            if joined.overlaps(offset, size) {
                joined.content = Content::Unknown;
                continue;
            }
            let found: Vec<Val> = states
                .iter()
                .map(|state| self.cell_of(object, Some(state), offset, size, kind))
                .collect();
            let value = if !forced.contains(&offset) && found.iter().all(|v| *v == found[0]) {
                found[0]
            } else {
                self.join_cell(node, slots, (object, offset, size, kind), &found, params)
            };
            let is_written = !slots.contains(&Slot::Unwritten(object, offset))
                && states.iter().all(|state| state.is_written(offset, size));
            let _ = joined.cells.insert(offset, Cell { size, value, is_written });
        }
        let arrays: BTreeSet<Option<TermId>> =
            states.iter().map(|state| self.present_array(object, state)).collect();
        let is_forced = slots.contains(&Slot::Array(object));
        if is_forced || arrays.len() > 1 {
            if let super::memory::Shape::Array { size, .. } = self.lessons.shape(object) {
                let sort = array_sort(size);
                let name = self.object_name(object);
                joined.array = Some(self.new_param(node, &name, sort));
                params.push(Param::Array(object));
            }
        } else {
            joined.array = self.present_array(object, &states[0]);
        }
        joined
    }

    /// A parameter for a cell that differs.
    fn join_cell(
        &mut self,
        node: usize,
        slots: &[Slot],
        (object, offset, size, kind): (Object, u64, u64, CellKind),
        found: &[Val],
        params: &mut Vec<Param>,
    ) -> Val {
        let target = common_object(found.iter().copied())
            .filter(|_| !slots.contains(&Slot::PointerCell(object, offset)));
        let name = if offset == 0 {
            self.object_name(object)
        } else {
            format!("{}+{offset}", self.object_name(object))
        };
        if let (CellKind::Pointer, Some(target)) = (kind, target) {
            params.push(Param::CellOffset(object, offset, target));
            let variable = self.new_param(node, &name, Sort::Bv(64));
            return Val::Ptr(Ptr::Object { object: target, offset: variable });
        }
        params.push(Param::Cell(object, offset, size, kind));
        match kind {
            CellKind::Pointer => Val::Ptr(Ptr::Number(self.new_param(node, &name, Sort::Bv(64)))),
            CellKind::Int | CellKind::Float => {
                let sort = cell_sort(size, kind);
                Val::Term(self.new_param(node, &name, sort))
            }
        }
    }

    /// Fills in the arguments of all joins of an activation, and learns where a way disagrees.
    pub(super) fn close_joins(&mut self, activation: usize) {
        let nodes: Vec<usize> = self
            .joins
            .iter()
            .filter(|(_, joined)| joined.key.0 == activation)
            .map(|(&node, _)| node)
            .collect();
        for node in nodes {
            self.close_join(node);
        }
    }

    /// Fills in the arguments of a join all of whose ways are known.
    pub(super) fn close_join(&mut self, node: usize) {
        let Some(joined) = self.joins.remove(&node) else { return };
        let here = self.here;
        for way in &joined.ways {
            // What is assumed of arguments is assumed where the way begins.
            self.here = Some(way.from);
            let args: Vec<TermId> =
                joined.params.iter().map(|&p| self.argument(&joined, way, p)).collect();
            self.graph.nodes[way.from].edges[way.edge].args = args;
            self.compare_memory(&joined, &way.memory);
        }
        self.here = here;
    }

    fn argument(&mut self, joined: &Joined, way: &WayIn, param: Param) -> TermId {
        match param {
            Param::Value(position, _) => self.number(way.values[position]),
            Param::Offset(position, object) => match way.values[position] {
                Val::Ptr(Ptr::Object { object: found, offset })
                    if found == object && way.memory.state(object).is_some() =>
                {
                    let n_zeros = self.n_low_zeros(offset, 12);
                    self.lessons.learn_alignment(joined.key, Slot::Pointer(position), n_zeros);
                    offset
                }
                Val::Ptr(_) | Val::Term(_) => {
                    self.lessons.learn_slot(joined.key, Slot::Pointer(position));
                    self.opaque(Sort::Bv(64))
                }
            },
            Param::Cell(object, offset, size, kind) => {
                let state = way.memory.state(object);
                let value = self.cell_of(object, state.as_ref(), offset, size, kind);
                self.number(value)
            }
            Param::CellOffset(object, offset, target) => {
                let state = way.memory.state(object);
                match self.cell_of(object, state.as_ref(), offset, 8, CellKind::Pointer) {
                    Val::Ptr(Ptr::Object { object: found, offset: inner })
                        if found == target && way.memory.state(target).is_some() =>
                    {
                        inner
                    }
                    Val::Ptr(_) | Val::Term(_) => {
                        self.lessons.learn_slot(joined.key, Slot::PointerCell(object, offset));
                        self.opaque(Sort::Bv(64))
                    }
                }
            }
            Param::Array(object) => {
                let state = way.memory.state(object);
                self.array_of(object, state.as_ref())
            }
        }
    }

    /// Whether a way agrees with what the join took over.
    fn compare_memory(&mut self, joined: &Joined, memory: &Memory) {
        let key = joined.key;
        if joined.memory.globals != memory.globals && joined.memory.globals != Content::Unknown {
            self.lessons.learn_slot(key, Slot::Globals);
        }
        let objects: BTreeSet<Object> =
            joined.memory.objects.keys().chain(memory.objects.keys()).copied().collect();
        for object in objects {
            let Some(ours) = joined.memory.state(object) else { continue };
            let Some(theirs) = memory.state(object) else {
                self.lessons.learn_slot(key, Slot::Life(object));
                continue;
            };
            if ours.content != theirs.content && ours.content != Content::Unknown {
                self.lessons.learn_slot(key, Slot::Content(object));
            }
            self.compare_cells(joined, object, &ours, &theirs);
            let is_param = joined.params.contains(&Param::Array(object));
            let same = self.present_array(object, &ours) == self.present_array(object, &theirs);
            if !is_param && !same {
                self.lessons.learn_slot(key, Slot::Array(object));
            }
        }
    }

    fn compare_cells(&mut self, joined: &Joined, object: Object, ours: &State, theirs: &State) {
        let is_param = |offset: u64| {
            joined.params.iter().any(|param| match param {
                Param::Cell(of, at, ..) | Param::CellOffset(of, at, _) => {
                    *of == object && *at == offset
                }
                Param::Value(..) | Param::Offset(..) | Param::Array(_) => false,
            })
        };
        for (&offset, cell) in &ours.cells {
            if cell.is_written && !theirs.is_written(offset, cell.size) {
                self.lessons.learn_slot(joined.key, Slot::Unwritten(object, offset));
            }
            if is_param(offset) {
                continue;
            }
            let kind = kind_of(&self.graph.terms, cell.value);
            let same = match theirs.cells.get(&offset) {
                Some(their) => their.size == cell.size && their.value == cell.value,
                None => {
                    let known = matches!(theirs.content, Content::Initial | Content::Zeros)
                        && !theirs.overlaps(offset, cell.size);
                    known
                        && self.cell_of(object, Some(theirs), offset, cell.size, kind) == cell.value
                }
            };
            if !same {
                self.lessons.learn_slot(joined.key, Slot::Cell(object, offset, cell.size, kind));
            }
        }
        if matches!(ours.content, Content::Unknown | Content::Uninitialized) {
            return;
        }
        for (&offset, cell) in &theirs.cells {
            if ours.cells.contains_key(&offset) {
                continue;
            }
            let kind = kind_of(&self.graph.terms, cell.value);
            let same = !ours.overlaps(offset, cell.size)
                && self.cell_of(object, Some(ours), offset, cell.size, kind) == cell.value;
            if !same {
                self.lessons.learn_slot(joined.key, Slot::Cell(object, offset, cell.size, kind));
            }
        }
    }
}

/// The object that all pointers point into.
fn common_object(values: impl Iterator<Item = Val>) -> Option<Object> {
    let mut common = None;
    for value in values {
        match (value, common) {
            (Val::Ptr(Ptr::Object { object, .. }), None) => common = Some(object),
            (Val::Ptr(Ptr::Object { object, .. }), Some(known)) if object == known => {}
            (Val::Ptr(_) | Val::Term(_), _) => return None,
        }
    }
    common
}

pub(super) fn cell_sort(size: u64, kind: CellKind) -> Sort {
    match (kind, size) {
        (CellKind::Float, 4) => Sort::Float(glassbox_values::Format::F32),
        (CellKind::Float, 8) => Sort::Float(glassbox_values::Format::F64),
        (CellKind::Int | CellKind::Float | CellKind::Pointer, _) => {
            Sort::Bv(u8::try_from(size * 8).expect("scalars are at most 16 bytes"))
        }
    }
}

pub(super) fn array_sort(size: u64) -> Sort {
    let width = u8::try_from(size * 8).expect("scalars are at most 16 bytes");
    Sort::Array { index: 64, element: glassbox_terms::sort::Scalar::Bv(width) }
}
