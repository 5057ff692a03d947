//! Joins: nodes with several ways in, and what differs between the ways.
//!
//! When a join begins, the ways from earlier nodes are known and those from later nodes (back edges) are not.
//! What the known ways agree on is taken over as it is; what they disagree on becomes a parameter. When all
//! ways are known, the ones that disagree with what was taken over are a lesson for the next build.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::Ty;
use glassbox_terms::{Sort, TermId};

use super::build::Builder;
use super::choice::CODE_WIDTH;
use super::join_pointer::{Half, Holder, PointerJoin};
use super::lessons::{CellKind, NodeKey, Slot};
use super::memory::{Cell, Content, Memory, Object, Scalar, SetId, State, Val};
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
pub(super) enum Param {
    /// A block parameter, by position; pointers as numbers.
    Value(usize, Ty),
    Cell(Scalar),
    /// A part of a pointer to one of these targets.
    Pointer(Holder, SetId, Half),
    Array(Object),
}

/// A join that has begun.
#[derive(Debug)]
pub(super) struct Joined {
    pub(super) key: NodeKey,
    params: Vec<Param>,
    /// Pointers that do not move within their targets.
    pub(super) resting: Vec<(Holder, SetId)>,
    memory: Memory,
    pub(super) ways: Vec<WayIn>,
}

/// A join that begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joining<'a> {
    pub(super) key: NodeKey,
    pub(super) node: usize,
    /// What is known to differ between its ways.
    pub(super) slots: &'a [Slot],
}

/// What a join finds out: its parameters, and the pointers that rest.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) params: Vec<Param>,
    pub(super) resting: Vec<(Holder, SetId)>,
    /// Pointers that are numbers: what holds them, the variable, and what it is on the ways so far.
    pub(super) numbers: Vec<(Holder, TermId, Vec<TermId>)>,
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
            .known
            .slots
            .range((key, Slot::Pointer(0))..)
            .take_while(|(k, _)| *k == key)
            .map(|(_, slot)| *slot)
            .collect();
        let at = Joining { key, node, slots: &slots };
        let mut joint = Found::default();
        let mut values = Vec::new();
        for (position, (ty, name)) in types.iter().enumerate() {
            let found: Vec<Val> = ways.iter().map(|way| way.values[position]).collect();
            let holder = Holder::Value(position);
            values.push(match ty {
                Ty::Ptr => {
                    let number = Param::Value(position, *ty);
                    let join = PointerJoin { at, holder, number, name };
                    self.join_pointer(join, &found, &mut joint)
                }
                Ty::Int(_) | Ty::Float(_) => {
                    joint.params.push(Param::Value(position, *ty));
                    Val::Term(self.new_param(node, name, sort_of(*ty)))
                }
            });
        }
        let memory = self.join_memory(at, &ways, &mut joint);
        self.memory = memory.clone();
        for way in &ways {
            self.connect(way, node);
        }
        let Found { params, resting, numbers } = joint;
        for (holder, number, found) in numbers {
            self.join_pointee(key, holder, number, found);
        }
        self.joins.insert(node, Joined { key, params, resting, memory, ways });
        values
    }

    pub(super) fn new_param(&mut self, node: usize, name: &str, sort: Sort) -> TermId {
        let variable = self.new_var(name, sort, node);
        self.graph.nodes[node].params.push(variable);
        variable
    }

    fn join_memory(&mut self, at: Joining<'_>, ways: &[WayIn], joint: &mut Found) -> Memory {
        let slots = at.slots;
        let first = &ways[0].memory;
        let mut memory = Memory::new();
        let same = ways.iter().all(|way| way.memory.globals == first.globals);
        memory.globals =
            if same && !slots.contains(&Slot::Globals) { first.globals } else { Content::Unknown };
        let same = ways.iter().all(|way| way.memory.beyond == first.beyond);
        memory.beyond =
            if same && !slots.contains(&Slot::Beyond) { first.beyond } else { Content::Unknown };
        memory.bases = first.bases.clone();
        memory.bases.retain(|base| ways.iter().all(|way| way.memory.bases.contains(base)));
        memory.fresh = first.fresh.clone();
        memory.fresh.retain(|new| ways.iter().all(|way| way.memory.fresh.contains(new)));
        for (&new, members) in ways.iter().flat_map(|way| &way.memory.unset) {
            memory.unset.entry(new).or_default().extend(members);
        }
        let mut objects: BTreeSet<Object> =
            ways.iter().flat_map(|way| way.memory.objects.keys().copied()).collect();
        for slot in slots {
            match slot {
                Slot::Cell(Scalar { object, .. })
                | Slot::PointerCell(object, _)
                | Slot::PointerCellTo(object, ..)
                | Slot::PointerCellMoves(object, _)
                | Slot::Unwritten(object, _)
                | Slot::Array(object)
                | Slot::Content(object)
                | Slot::Life(object) => {
                    objects.insert(*object);
                }
                Slot::Pointer(_)
                | Slot::PointerTo(..)
                | Slot::PointerMoves(_)
                | Slot::Globals
                | Slot::Beyond => {}
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
            let state = self.join_object(at, object, &states, joint);
            memory.objects.insert(object, state);
        }
        memory
    }

    fn join_object(
        &mut self,
        at: Joining<'_>,
        object: Object,
        states: &[State],
        joint: &mut Found,
    ) -> State {
        let slots = at.slots;
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
            if let Slot::Cell(scalar) = slot
                && scalar.object == object
            {
                cells.insert(scalar.offset, Some((scalar.size, scalar.kind)));
                forced.insert(scalar.offset);
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
            let scalar = Scalar { object, offset, size, kind };
            let found: Vec<Val> =
                states.iter().map(|state| self.cell_of(scalar, Some(state))).collect();
            let value = if !forced.contains(&offset) && found.iter().all(|v| *v == found[0]) {
                found[0]
            } else {
                self.join_cell(at, scalar, &found, joint)
            };
            let is_written = !slots.contains(&Slot::Unwritten(object, offset))
                && states.iter().all(|state| state.is_written(offset, size));
            joined.cells.insert(offset, Cell { size, value, is_written });
        }
        let arrays: BTreeSet<Option<TermId>> =
            states.iter().map(|state| self.present_array(object, state)).collect();
        let is_forced = slots.contains(&Slot::Array(object));
        if is_forced || arrays.len() > 1 {
            if let super::memory::Shape::Array { size, .. } = self.lessons.known.shape(object) {
                let sort = array_sort(size);
                let name = self.object_name(object);
                joined.array = Some(self.new_param(at.node, &name, sort));
                joint.params.push(Param::Array(object));
            }
        } else {
            joined.array = self.present_array(object, &states[0]);
        }
        joined
    }

    /// A parameter for a cell that differs.
    fn join_cell(
        &mut self,
        at: Joining<'_>,
        scalar: Scalar,
        values: &[Val],
        joint: &mut Found,
    ) -> Val {
        let name = self.scalar_name(scalar.object, scalar.offset);
        let param = Param::Cell(scalar);
        match scalar.kind {
            CellKind::Pointer => {
                let holder = Holder::Cell(scalar.object, scalar.offset);
                let join = PointerJoin { at, holder, number: param, name: &name };
                self.join_pointer(join, values, joint)
            }
            CellKind::Int | CellKind::Float => {
                joint.params.push(param);
                let sort = cell_sort(scalar.size, scalar.kind);
                Val::Term(self.new_param(at.node, &name, sort))
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
            args.iter().for_each(|&arg| self.publish(arg, &way.memory.unset));
            self.graph.nodes[way.from].edges[way.edge].args = args;
            self.compare_fixed(&joined, way);
            self.compare_memory(&joined, &way.memory);
        }
        self.here = here;
    }

    fn argument(&mut self, joined: &Joined, way: &WayIn, param: Param) -> TermId {
        match param {
            Param::Value(position, ty) => {
                let number = self.number(way.values[position]);
                if matches!(ty, Ty::Ptr) {
                    self.note_alignment(joined.key, Holder::Value(position), number);
                    self.compare_pointee(joined.key, Holder::Value(position), number);
                }
                number
            }
            Param::Cell(scalar) => {
                let state = way.memory.state(scalar.object);
                let value = self.cell_of(scalar, state.as_ref());
                let number = self.number(value);
                if scalar.kind == CellKind::Pointer {
                    let holder = Holder::Cell(scalar.object, scalar.offset);
                    self.note_alignment(joined.key, holder, number);
                    self.compare_pointee(joined.key, holder, number);
                }
                number
            }
            Param::Pointer(holder, targets, half) => {
                let targets = self.targets(targets);
                let found = self.pointer_within(joined.key, holder, targets, way);
                match (found, half) {
                    (Some(ptr), Half::Which) => self.which_in(ptr, targets),
                    (Some(ptr), Half::Offset) => {
                        let offset = self.offset_in(ptr, targets);
                        self.note_alignment(joined.key, holder, offset);
                        offset
                    }
                    (Some(ptr), Half::Address) => {
                        let address = self.address_in(ptr);
                        self.note_alignment(joined.key, holder, address);
                        self.compare_pointee(joined.key, holder, address);
                        address
                    }
                    (None, Half::Which) => self.opaque(Sort::Bv(CODE_WIDTH)),
                    (None, Half::Offset | Half::Address) => self.opaque(Sort::Bv(64)),
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
        if joined.memory.beyond != memory.beyond && joined.memory.beyond != Content::Unknown {
            self.lessons.learn_slot(key, Slot::Beyond);
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

    fn scalar_in(&self, object: Object, offset: u64, cell: &Cell) -> Scalar {
        let kind = kind_of(&self.graph.terms, cell.value);
        Scalar { object, offset, size: cell.size, kind }
    }

    fn compare_cells(&mut self, joined: &Joined, object: Object, ours: &State, theirs: &State) {
        let is_param = |offset: u64| {
            joined.params.iter().any(|param| match param {
                Param::Cell(Scalar { object: of, offset: at, .. })
                | Param::Pointer(Holder::Cell(of, at), ..) => *of == object && *at == offset,
                Param::Value(..) | Param::Pointer(..) | Param::Array(_) => false,
            })
        };
        for (&offset, cell) in &ours.cells {
            if cell.is_written && !theirs.is_written(offset, cell.size) {
                self.lessons.learn_slot(joined.key, Slot::Unwritten(object, offset));
            }
            if is_param(offset) {
                continue;
            }
            let scalar = self.scalar_in(object, offset, cell);
            let same = match theirs.cells.get(&offset) {
                Some(their) => their.size == cell.size && their.value == cell.value,
                None => {
                    let known = matches!(theirs.content, Content::Initial | Content::Zeros)
                        && !theirs.overlaps(offset, cell.size);
                    known && self.cell_of(scalar, Some(theirs)) == cell.value
                }
            };
            if !same {
                self.lessons.learn_slot(joined.key, Slot::Cell(scalar));
            }
        }
        if matches!(ours.content, Content::Unknown | Content::Uninitialized) {
            return;
        }
        for (&offset, cell) in &theirs.cells {
            if ours.cells.contains_key(&offset) {
                continue;
            }
            let scalar = self.scalar_in(object, offset, cell);
            let same =
                !ours.overlaps(offset, cell.size) && self.cell_of(scalar, Some(ours)) == cell.value;
            if !same {
                self.lessons.learn_slot(joined.key, Slot::Cell(scalar));
            }
        }
    }
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
