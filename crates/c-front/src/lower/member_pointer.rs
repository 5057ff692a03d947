//! Pointers that walk through a part of an object: `p = h.name; p += 6; *p = 0;`, `p = matrix[0]; p[5]`, `p = &s.a; p[1]`.
//!
//! A pointer knows its object, not the part it was formed from. Local pointers that lead into parts and nowhere else
//! (all that is assigned to them is a member, a row of an array, another such pointer, or null) remember in locals of their own
//! where their part starts, and what they reach is checked against its bounds. Those that lead to a member that is no array do so
//! only where they are moved. Pointers that are passed to functions or kept in memory do not remember (`forgotten_member`).

use glassbox_ir::instr::{BinaryOp, CompareOp};
use glassbox_ir::{CheckKind, InstrKind, Local, LocalId, MemoryOp, Operand, PointerOp, Ty};
use glassbox_values::Bits;
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{BodyLowering, size};
use super::place::{Purpose, known_length};
use crate::tree::{
    self, Category, Constant, Conversion, ExprId, ExprKind, FunctionId, Init, InitValue, StmtKind,
    Storage, VariableId, VariableRole,
};
use crate::ty::kind::TypeId;
use crate::ty::table::TypeTable;

/// Where a pointer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// A member, or a row of an array.
    Member(ExprId),
    /// Another pointer.
    Variable(VariableId),
    Null,
}

/// A local pointer that only leads into members.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemberPointer {
    /// One of the members.
    pub(super) array: ExprId,
    /// The bytes of each of them, where they are equal.
    pub(super) bytes: Option<u64>,
}

/// The local pointers of a program that only lead into members.
pub(super) type MemberPointers = FxHashMap<VariableId, MemberPointer>;

/// Where a function keeps what such a pointer remembers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Remembered {
    start: LocalId,
    /// The bytes of the member, where that is not always the same.
    bytes: Option<LocalId>,
}

/// Finds the local pointers that only lead into members.
pub(super) fn member_pointers(program: &tree::Program) -> MemberPointers {
    let mut assigned = assignments(program);
    forget_resting(program, &mut assigned);
    let mut n_known = usize::MAX;
    while assigned.len() < n_known {
        n_known = assigned.len();
        let known: FxHashSet<VariableId> = assigned.keys().copied().collect();
        assigned.retain(|_, sources| {
            sources.iter().all(|source| match source {
                Source::Variable(other) => known.contains(other),
                Source::Member(_) | Source::Null => true,
            })
        });
    }
    // What the members are that pointers come from, over other pointers.
    let mut found = MemberPointers::default();
    let mut ids: Vec<VariableId> = assigned.keys().copied().collect();
    ids.sort_unstable();
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for &id in &ids {
            let members = assigned[&id].iter().filter_map(|source| match *source {
                Source::Member(array) => {
                    let bytes = program.types.size_of(program.expr(array).ty);
                    Some(MemberPointer { array, bytes })
                }
                Source::Variable(other) => found.get(&other).copied(),
                Source::Null => None,
            });
            let joined = members.reduce(|a, b| MemberPointer {
                array: a.array.min(b.array),
                bytes: a.bytes.filter(|_| a.bytes == b.bytes),
            });
            let Some(joined) = joined else { continue };
            let before = found.insert(id, joined);
            let is_new =
                before.is_none_or(|it| (it.array, it.bytes) != (joined.array, joined.bytes));
            has_changed |= is_new;
        }
    }
    found
}

/// Variables whose pointers are moved as what they are, or have elements.
pub(super) fn moved_pointers(program: &tree::Program) -> FxHashSet<VariableId> {
    let mut moved = FxHashSet::default();
    for (_, expr) in program.all_exprs() {
        let (ExprKind::PointerAdd { pointer: target, .. }
        | ExprKind::IncDec { target, .. }
        | ExprKind::PointerAssign { target, .. }) = expr.kind
        else {
            continue;
        };
        let mut at = target;
        while let ExprKind::Convert {
            conversion: Conversion::Load | Conversion::Same,
            operand,
            ..
        }
        | ExprKind::PointerAdd { pointer: operand, .. } = program.expr(at).kind
        {
            at = operand;
        }
        if let ExprKind::Variable(id) = program.expr(at).kind {
            moved.insert(id);
        }
    }
    moved
}

/// What variables are assigned and declared with, where that is evaluated.
fn given_values(program: &tree::Program) -> impl Iterator<Item = (VariableId, ExprId)> {
    let assigned = program.all_exprs().filter_map(|(_, expr)| {
        let ExprKind::Assign { target, value } = expr.kind else { return None };
        let ExprKind::Variable(id) = program.expr(target).kind else { return None };
        Some((id, value))
    });
    let declared = program.all_stmts().filter_map(|stmt| {
        let StmtKind::Declare { variable, init: Some(init) } = &stmt.kind else { return None };
        let Init::Value(InitValue::Expr(value)) = init else { return None };
        Some((*variable, *value))
    });
    assigned.chain(declared)
}

/// Drops pointers to members that are no arrays where nothing moves the pointer or one that comes from it: it stays there.
fn forget_resting(program: &tree::Program, assigned: &mut FxHashMap<VariableId, Vec<Source>>) {
    let mut moved = moved_pointers(program);
    let behind = |value: ExprId| match source_of(program, value) {
        Some(Source::Member(part)) => !is_start_of(program, value, part),
        Some(Source::Variable(_) | Source::Null) | None => false,
    };
    moved.extend(given_values(program).filter(|(_, value)| behind(*value)).map(|(id, _)| id));
    let is_array = |source: &Source| match source {
        Source::Member(part) => program.types.element(program.expr(*part).ty).is_some(),
        Source::Variable(_) | Source::Null => false,
    };
    let walks =
        |id: &VariableId, sources: &[Source]| moved.contains(id) || sources.iter().any(is_array);
    let mut kept: FxHashSet<VariableId> =
        assigned.iter().filter(|(id, all)| walks(id, all)).map(|(id, _)| *id).collect();
    let mut n_before = 0;
    while kept.len() > n_before {
        n_before = kept.len();
        let sources = kept.iter().filter_map(|id| assigned.get(id)).flatten();
        let others = sources.filter_map(|source| match source {
            Source::Variable(other) => Some(*other),
            Source::Member(_) | Source::Null => None,
        });
        let others: Vec<VariableId> = others.collect();
        kept.extend(others);
    }
    assigned.retain(|id, _| kept.contains(id));
}

/// What is assigned to local pointers whose address nothing takes, where all of it has a source.
fn assignments(program: &tree::Program) -> FxHashMap<VariableId, Vec<Source>> {
    let mut assigned: FxHashMap<VariableId, Vec<Source>> = FxHashMap::default();
    let mut others: FxHashSet<VariableId> = FxHashSet::default();
    let mut note = |id: VariableId, source: Option<Source>| match source {
        Some(source) => assigned.entry(id).or_default().push(source),
        None => {
            others.insert(id);
        }
    };
    for (_, expr) in program.all_exprs() {
        if let ExprKind::Assign { target, value } = expr.kind
            && let ExprKind::Variable(id) = program.expr(target).kind
        {
            note(id, source_of(program, value));
        }
        if let ExprKind::AddressOf(place) = expr.kind
            && let ExprKind::Variable(id) = program.expr(place).kind
        {
            note(id, None);
        }
    }
    for stmt in program.all_stmts() {
        let StmtKind::Declare { variable, init: Some(init) } = &stmt.kind else { continue };
        let source = match init {
            Init::Value(InitValue::Expr(value)) => source_of(program, *value),
            Init::Value(InitValue::Constant(Constant::Int(bits))) if bits.is_zero() => {
                Some(Source::Null)
            }
            Init::Value(_) | Init::Items(_) => None,
        };
        note(*variable, source);
    }
    assigned.retain(|id, _| {
        let variable = program.variable(*id);
        variable.storage == Storage::Automatic
            && variable.role == VariableRole::Named
            && program.types.is_pointer(variable.ty)
            && !program.types.qualifiers(variable.ty).may_change()
            && !others.contains(id)
    });
    assigned
}

/// Where a pointer comes from, if that is a part of something or a variable.
#[expect(clippy::wildcard_enum_match_arm, reason = "other pointers come from elsewhere")]
pub(super) fn source_of(program: &tree::Program, pointer: ExprId) -> Option<Source> {
    let mut at = pointer;
    let (mut has_other_type, mut is_element) = (false, false);
    loop {
        let expr = program.expr(at);
        at = match expr.kind {
            ExprKind::Variable(id) => return Some(Source::Variable(id)),
            ExprKind::Convert { conversion, operand, .. } => match conversion {
                // A member leads back to its structure (`container_of`).
                Conversion::PointerToPointer if is_to_record(program, expr.ty) => return None,
                Conversion::PointerToPointer => {
                    has_other_type = true;
                    operand
                }
                Conversion::Same => operand,
                Conversion::NullToPointer => return Some(Source::Null),
                Conversion::Load => match program.expr(operand).kind {
                    ExprKind::Variable(id) => return Some(Source::Variable(id)),
                    _ => return None,
                },
                Conversion::ArrayDecay => {
                    // Who writes `&matrix[0][0]` means to go on behind the row (`forgotten_member`).
                    let is_row = matches!(program.expr(operand).kind, ExprKind::Deref(_));
                    let part = part_array(program, operand).filter(|_| !(is_row && is_element));
                    return part.map(Source::Member);
                }
                _ => return None,
            },
            ExprKind::PointerAdd { pointer, .. } => pointer,
            // `&a[k]` is `a + k`.
            ExprKind::AddressOf(place) => match program.expr(place).kind {
                ExprKind::Deref(pointer) => {
                    is_element = true;
                    pointer
                }
                // What is seen by another type may be meant to be more than the member.
                ExprKind::Member { .. } if !has_other_type && is_lone(program, place) => {
                    return Some(Source::Member(place));
                }
                _ => return None,
            },
            ExprKind::IncDec { target, .. } | ExprKind::PointerAssign { target, .. } => target,
            ExprKind::Comma { right, .. } => right,
            _ => return None,
        };
    }
}

fn is_to_record(program: &tree::Program, pointer: TypeId) -> bool {
    let pointee = program.types.pointee(pointer);
    pointee.is_some_and(|ty| program.types.record_of(ty).is_some())
}

/// An array that is a member or a row, and no object of its own.
fn part_array(program: &tree::Program, array: ExprId) -> Option<ExprId> {
    let is_part = matches!(program.expr(array).kind, ExprKind::Member { .. } | ExprKind::Deref(_));
    let is_place = program.expr(array).category == Category::Place;
    let is_known = known_length(program, array).is_some();
    (is_part && is_place && is_known && is_quiet(program, array)).then_some(array)
}

/// Whether a member is no array and has its own size.
pub(super) fn is_lone(program: &tree::Program, member: ExprId) -> bool {
    let expr = program.expr(member);
    expr.category == Category::Place
        && program.types.element(expr.ty).is_none()
        && program.types.size_of(expr.ty).is_some()
        && is_quiet(program, member)
}

/// Whether finding a place changes nothing, so that it can be found again.
#[expect(clippy::wildcard_enum_match_arm, reason = "anything else may change something")]
pub(super) fn is_quiet(program: &tree::Program, id: ExprId) -> bool {
    match &program.expr(id).kind {
        ExprKind::Variable(_) | ExprKind::Int(_) => true,
        ExprKind::Member { base: inner, .. }
        | ExprKind::Deref(inner)
        | ExprKind::AddressOf(inner)
        | ExprKind::Convert { operand: inner, .. } => {
            !program.types.qualifiers(program.expr(*inner).ty).may_change()
                && is_quiet(program, *inner)
        }
        ExprKind::PointerAdd { pointer, index, .. } => {
            is_quiet(program, *pointer) && is_quiet(program, *index)
        }
        _ => false,
    }
}

/// Whether a pointer leads to the start of this part.
pub(super) fn is_start_of(program: &tree::Program, pointer: ExprId, part: ExprId) -> bool {
    matches!(program.expr(program.unconverted(pointer)).kind,
        ExprKind::Convert { conversion: Conversion::ArrayDecay, operand: place, .. }
        | ExprKind::AddressOf(place) if place == part)
}

impl BodyLowering<'_, '_> {
    /// Makes room for what pointers remember.
    pub(super) fn start_remembering(&mut self, function: FunctionId) {
        let tree = self.tree;
        let all = self.program.member_pointers.iter();
        let own = all.filter(|(id, _)| tree.variable(**id).function == Some(function));
        let mut own: Vec<(VariableId, MemberPointer)> = own.map(|(id, it)| (*id, *it)).collect();
        own.sort_by_key(|(id, _)| *id);
        for (id, pointer) in own {
            let start = self.unnamed_local(TypeTable::VOID_POINTER, Operand::NullPtr);
            let is_open = pointer.bytes.is_none();
            let bytes = is_open.then(|| self.unnamed_local(TypeTable::ULONG, size(u64::MAX)));
            self.remembered.insert(id, Remembered { start, bytes });
        }
    }

    fn unnamed_local(&mut self, ty: TypeId, value: Operand) -> LocalId {
        let source_type = self.program.source_type(ty);
        let (span, name) = (self.b.span(), String::new());
        let local =
            self.b.new_local(Local { name, size: 8, align: 8, source_type, var: None, span });
        self.b.push(MemoryOp::LocalStart(local));
        self.put(local, value);
        local
    }

    fn put(&mut self, local: LocalId, value: Operand) {
        let ptr = self.local_addr(local);
        self.b.push(MemoryOp::Store { ptr, value, is_volatile: false });
    }

    fn get(&mut self, local: LocalId, ty: Ty) -> Operand {
        let ptr = self.local_addr(local);
        self.emit(InstrKind::Memory(MemoryOp::Load { ty, ptr, is_volatile: false }), ty)
    }

    /// A variable was given a pointer: `given` is its value.
    pub(super) fn remember_member(&mut self, id: VariableId, value: ExprId, given: Operand) {
        let Some(&kept) = self.remembered.get(&id) else { return };
        let span = self.b.span();
        let (start, bytes) = match source_of(self.tree, value) {
            Some(Source::Variable(other)) if other == id => return,
            Some(Source::Member(array)) => {
                let start = match is_start_of(self.tree, value, array) {
                    true => given,
                    false => self.place(array, Purpose::Access).ptr,
                };
                (start, size(self.size_of(self.tree.expr(array).ty)))
            }
            Some(Source::Variable(other)) => match self.member_of(other) {
                Some(part) => part,
                None => (Operand::NullPtr, size(u64::MAX)),
            },
            Some(Source::Null) | None => (Operand::NullPtr, size(u64::MAX)),
        };
        self.b.set_span(span);
        self.put(kept.start, start);
        if let Some(local) = kept.bytes {
            self.put(local, bytes);
        }
    }

    /// The start of the member that a pointer leads into, and its bytes.
    pub(super) fn member_of(&mut self, id: VariableId) -> Option<(Operand, Operand)> {
        let kept = *self.remembered.get(&id)?;
        let known = self.program.member_pointers.get(&id)?.bytes;
        let start = self.get(kept.start, Ty::Ptr);
        let bytes = match (kept.bytes, known) {
            (Some(local), _) => self.get(local, Ty::I64),
            (None, known) => size(known?),
        };
        Some((start, bytes))
    }

    /// What a pointer that is formed from `pointer` reaches has to lie in its member: so many bytes at `address`, or the
    /// address itself.
    pub(super) fn check_member(&mut self, pointer: ExprId, address: Operand, reads: Option<u64>) {
        let span = self.b.span();
        let (start, bytes) = match source_of(self.tree, pointer) {
            Some(Source::Variable(id)) => match self.member_of(id) {
                Some(part) => part,
                None => return,
            },
            Some(Source::Member(array)) => {
                let bytes = size(self.size_of(self.tree.expr(array).ty));
                (self.place(array, Purpose::Access).ptr, bytes)
            }
            Some(Source::Null) | None => return,
        };
        self.b.set_span(span);
        let at = self.emit(PointerOp::Diff { lhs: address, rhs: start }, Ty::I64);
        let (kind, room) = match reads {
            Some(reads) => {
                let fits = self.compare(CompareOp::Ule, size(reads), bytes);
                self.check(CheckKind::OutOfBounds, fits, vec![size(reads), bytes]);
                let room = self.arithmetic(BinaryOp::Sub, bytes, size(reads));
                (CheckKind::OutOfBounds, room)
            }
            None => (CheckKind::PointerOverflow, bytes),
        };
        let is_inside = self.compare(CompareOp::Ule, at, room);
        if is_inside != Operand::Int(Bits::from_bool(true)) {
            self.check(kind, is_inside, vec![at, bytes]);
        }
    }
}
