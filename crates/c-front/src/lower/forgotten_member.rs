//! Pointers that forget the part of an object they were formed from: passed to functions, returned or kept in memory, as in
//! `fill(h.name, 9)`, `sum(matrix[0], 12)` or `next(&s.a)`; and copies that may go beyond such a part.
//!
//! What such a pointer reaches is checked against the whole object. So an access by a pointer that may be one of them takes
//! for granted that it stays inside of the part. Types decide which may be: what is pointed to where a pointer
//! forgets, and what it is converted to anywhere in the program. A pointer to a member that is no array, or to a row, which are passed
//! everywhere, has to be moved or to have elements besides.

use glassbox_ir::{InstrKind, Mark, Presumption};
use glassbox_library::Operator;
use glassbox_values::Signedness;
use rustc_hash::FxHashSet;

use super::body::BodyLowering;
use super::member_pointer::{
    MemberPointers, Source, is_lone, is_start_of, moved_pointers, source_of,
};
use super::place::known_length;
use crate::tree::{
    self, AddressBase, Callee, Constant, Conversion, ExprId, ExprKind, Init, InitValue, StmtKind,
    VariableId,
};
use crate::ty::kind::{TypeId, TypeKind};
use crate::ty::table::TypeTable;

/// Where pointers forget their members, and what they may point to from then on.
#[derive(Debug, Default)]
pub(super) struct Forgotten {
    /// Values that are pointers into members when they are passed or kept.
    values: FxHashSet<ExprId>,
    /// Static variables begin with such a pointer.
    is_static: bool,
    pointees: FxHashSet<TypeKind>,
    /// The same of pointers to rows and to members that are no arrays.
    rests: FxHashSet<TypeKind>,
    /// Variables whose pointers are moved or have elements.
    moved: FxHashSet<VariableId>,
}

/// Looks through a whole program.
#[expect(clippy::wildcard_enum_match_arm, reason = "other expressions keep no pointer")]
pub(super) fn forgotten(program: &tree::Program, known: &MemberPointers) -> Forgotten {
    let mut found = Forgotten::default();
    let mut kept: Vec<ExprId> = Vec::new();
    // What the library is given comes back as it was.
    let mut given: FxHashSet<ExprId> = FxHashSet::default();
    for (_, expr) in program.all_exprs() {
        match &expr.kind {
            ExprKind::Call { callee: Callee::Direct(function), arguments }
                if is_library(program, *function) =>
            {
                given.extend(arguments);
            }
            ExprKind::Call { arguments, .. } => kept.extend(arguments),
            ExprKind::Assign { target, value } if !is_known(program, *target, known) => {
                kept.push(*value);
            }
            ExprKind::CompoundLiteral { init, .. } => kept.extend(values_of(init)),
            _ => {}
        }
    }
    for stmt in program.all_stmts() {
        match &stmt.kind {
            StmtKind::Declare { variable, init: Some(init) } if !known.contains_key(variable) => {
                kept.extend(values_of(init));
            }
            StmtKind::Return(Some(value)) => kept.push(*value),
            _ => {}
        }
    }
    for value in kept {
        let target = pointee(&program.types, program.expr(value).ty);
        match part_behind(program, value, known) {
            Some(Part::Array) => {
                found.values.insert(value);
                found.pointees.extend(target);
            }
            Some(Part::Other) => {
                found.values.insert(value);
                found.rests.extend(target);
            }
            None => {}
        }
    }
    for id in program.variable_ids() {
        if let Some(init) = &program.variable(id).init {
            found.add_static(program, init, program.variable(id).ty);
        }
    }
    if !found.pointees.is_empty() {
        found.close(program, &given);
    }
    if !found.rests.is_empty() {
        found.moved = moved_pointers(program);
    }
    found
}

impl Forgotten {
    /// Addresses in static variables that may be those of elements of members.
    fn add_static(&mut self, program: &tree::Program, init: &Init, ty: TypeId) {
        let types = &program.types;
        let mut add = |value: &InitValue, ty: TypeId| {
            let InitValue::Constant(Constant::Address { base: AddressBase::Variable(id), .. }) =
                value
            else {
                return;
            };
            let mut elements = FxHashSet::default();
            add_elements(types, program.variable(*id).ty, false, &mut elements);
            let target = pointee(types, ty).filter(|target| elements.contains(target));
            self.is_static |= target.is_some();
            self.pointees.extend(target);
        };
        match init {
            Init::Value(value) => add(value, ty),
            Init::Items(items) => items.iter().for_each(|item| add(&item.value, item.ty)),
        }
    }

    /// Whether a pointer was moved since it was passed or kept. Elements of an array by its name are checked as such.
    #[expect(clippy::wildcard_enum_match_arm, reason = "others are what they were")]
    fn is_moved(&self, program: &tree::Program, pointer: ExprId) -> bool {
        let is_start = |index: ExprId| constant(program, index) == Some(0);
        match program.expr(pointer).kind {
            ExprKind::PointerAdd { pointer, index, .. } => {
                let is_array = matches!(
                    program.expr(pointer).kind,
                    ExprKind::Convert { conversion: Conversion::ArrayDecay, .. }
                );
                !is_array && (!is_start(index) || self.is_moved(program, pointer))
            }
            ExprKind::Convert {
                conversion: Conversion::PointerToPointer | Conversion::Same | Conversion::Load,
                operand,
                ..
            } => self.is_moved(program, operand),
            ExprKind::Variable(id) => self.moved.contains(&id),
            _ => false,
        }
    }

    /// Adds what the pointers are converted to, but for what goes to the library and comes from there.
    fn close(&mut self, program: &tree::Program, given: &FxHashSet<ExprId>) {
        let types = &program.types;
        let mut conversions = Vec::new();
        for (id, expr) in program.all_exprs() {
            let ExprKind::Convert { conversion: Conversion::PointerToPointer, operand, .. } =
                expr.kind
            else {
                continue;
            };
            let operand = program.expr(operand);
            let is_result = matches!(&operand.kind, ExprKind::Call { callee: Callee::Direct(function), .. }
                if is_library(program, *function));
            if !is_result
                && !given.contains(&id)
                && let (Some(from), Some(to)) =
                    (pointee(types, operand.ty), pointee(types, expr.ty))
            {
                conversions.push((from, to));
            }
        }
        let mut n_before = 0;
        while self.pointees.len() > n_before {
            n_before = self.pointees.len();
            for (from, to) in &conversions {
                if self.pointees.contains(from) {
                    self.pointees.insert(to.clone());
                }
            }
        }
    }
}

fn is_library(program: &tree::Program, function: tree::FunctionId) -> bool {
    let declared = program.function(function);
    declared.body.is_none() && glassbox_library::find(program.name(declared.name)).is_some()
}

/// Whether a place is a variable that remembers members.
fn is_known(program: &tree::Program, place: ExprId, known: &MemberPointers) -> bool {
    matches!(program.expr(place).kind, ExprKind::Variable(id) if known.contains_key(&id))
}

/// What is evaluated for an initializer.
fn values_of(init: &Init) -> Vec<ExprId> {
    let value = |value: &InitValue| match value {
        InitValue::Expr(value) => Some(*value),
        InitValue::Constant(_) | InitValue::String(_) | InitValue::Unsupported(_) => None,
    };
    match init {
        Init::Value(one) => value(one).into_iter().collect(),
        Init::Items(items) => items.iter().filter_map(|item| value(&item.value)).collect(),
    }
}

/// What a pointer points to, whatever its qualifiers.
fn pointee(types: &TypeTable, pointer: TypeId) -> Option<TypeKind> {
    types.pointee(pointer).map(|ty| types.kind(ty).clone())
}

/// What the elements are of arrays that are members of a type.
fn add_elements(types: &TypeTable, ty: TypeId, is_member: bool, found: &mut FxHashSet<TypeKind>) {
    if let Some(element) = types.element(ty) {
        if is_member {
            found.insert(types.kind(element).clone());
        }
        add_elements(types, element, is_member, found);
    }
    let body = types.record_of(ty).and_then(|record| types.record_body(record));
    for field in body.into_iter().flat_map(|body| &body.fields) {
        add_elements(types, field.ty, true, found);
    }
}

/// Where a pointer leads.
enum Base {
    /// Into the array of a member.
    Member,
    /// Into a row of an array, or to a member that is none.
    Part,
    /// What the variable holds.
    Variable(VariableId),
    /// To an object of its own, or nowhere.
    Object,
    /// What was loaded or returned.
    Unknown,
}

/// What part of an object a pointer leads into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// A row, or a member that is no array.
    Other,
    /// The array of a member.
    Array,
}

fn part_behind(program: &tree::Program, value: ExprId, known: &MemberPointers) -> Option<Part> {
    let bases = bases(program, value);
    let part = |base: &Base| match base {
        Base::Member => Some(Part::Array),
        Base::Part => Some(Part::Other),
        Base::Variable(id) => known.get(id).map(|pointer| {
            let part = program.expr(pointer.array);
            let is_array = matches!(part.kind, ExprKind::Member { .. })
                && program.types.element(part.ty).is_some();
            if is_array { Part::Array } else { Part::Other }
        }),
        Base::Object | Base::Unknown => None,
    };
    bases.iter().filter_map(part).max()
}

/// Whether it is `&m[i][j] + k`: who writes this means to go on behind the row.
fn moves_from_element_of_row(program: &tree::Program, pointer: ExprId) -> bool {
    let ExprKind::PointerAdd { pointer: from, .. } = program.expr(pointer).kind else {
        return false;
    };
    let ExprKind::AddressOf(element) = program.expr(program.unconverted(from)).kind else {
        return false;
    };
    let ExprKind::Deref(mut at) = program.expr(element).kind else { return false };
    if let ExprKind::PointerAdd { pointer, .. } = program.expr(at).kind {
        at = pointer;
    }
    let ExprKind::Convert { conversion: Conversion::ArrayDecay, operand, .. } =
        program.expr(at).kind
    else {
        return false;
    };
    matches!(program.expr(operand).kind, ExprKind::Deref(_))
}

/// Where a pointer may lead: a choice leads to both.
#[expect(clippy::wildcard_enum_match_arm, reason = "other values come from elsewhere")]
fn bases(program: &tree::Program, pointer: ExprId) -> Vec<Base> {
    let mut found = Vec::new();
    let mut open = vec![pointer];
    while let Some(at) = open.pop() {
        match program.expr(at).kind {
            ExprKind::Variable(id) => found.push(Base::Variable(id)),
            ExprKind::Convert { conversion, operand, .. } => match conversion {
                Conversion::PointerToPointer | Conversion::Same => open.push(operand),
                Conversion::Load => match program.expr(operand).kind {
                    ExprKind::Variable(id) => found.push(Base::Variable(id)),
                    _ => found.push(Base::Unknown),
                },
                Conversion::ArrayDecay => match program.expr(operand).kind {
                    ExprKind::Member { .. } => found.push(match known_length(program, operand) {
                        Some(_) => Base::Member,
                        None => Base::Object,
                    }),
                    // A row of an array, which may be in a member.
                    ExprKind::Deref(row) => {
                        found.push(Base::Part);
                        open.push(row);
                    }
                    _ => found.push(Base::Object),
                },
                Conversion::NullToPointer => found.push(Base::Object),
                _ => found.push(Base::Unknown),
            },
            ExprKind::PointerAdd { pointer, .. } => open.push(pointer),
            ExprKind::AddressOf(place) => match program.expr(place).kind {
                ExprKind::Deref(pointer) => open.push(pointer),
                ExprKind::Member { .. } if is_lone(program, place) => found.push(Base::Part),
                _ => found.push(Base::Object),
            },
            ExprKind::IncDec { target, .. } | ExprKind::PointerAssign { target, .. } => {
                open.push(target);
            }
            ExprKind::Comma { right, .. } => open.push(right),
            ExprKind::Assign { value, .. } => open.push(value),
            ExprKind::Conditional { then, otherwise, .. } => open.extend([then, otherwise]),
            _ => found.push(Base::Unknown),
        }
    }
    found
}

/// A number that is written down.
#[expect(clippy::wildcard_enum_match_arm, reason = "other expressions are computed")]
fn constant(program: &tree::Program, value: ExprId) -> Option<u64> {
    let mut at = value;
    while let ExprKind::Convert {
        conversion: Conversion::IntToInt | Conversion::Same,
        operand,
        ..
    } = program.expr(at).kind
    {
        at = operand;
    }
    match &program.expr(at).kind {
        ExprKind::Int(number) => number.to_u64(),
        _ => None,
    }
}

/// Whether so many bytes from the start of a part are all of something that begins with it.
fn is_whole(program: &tree::Program, part: ExprId, bytes: u64) -> bool {
    let mut at = part;
    while let ExprKind::Member { base, field } = &program.expr(at).kind
        && field.offset == 0
    {
        at = *base;
        if program.types.size_of(program.expr(at).ty) == Some(bytes) {
            return true;
        }
    }
    false
}

impl BodyLowering<'_, '_> {
    /// Whether the library may go beyond the member or the row that it is given. Copying all of a structure from its first
    /// member on is meant.
    fn may_leave_part(&self, function: tree::FunctionId, arguments: &[ExprId]) -> bool {
        let tree = self.tree;
        let known = glassbox_library::find(tree.name(tree.function(function).name));
        let [.., last] = arguments else { return false };
        let areas = match known.and_then(|known| known.row.operator) {
            Some(Operator::Copy | Operator::Move) => &arguments[..2],
            Some(Operator::Fill) => &arguments[..1],
            // Others reach no memory by what they are given.
            Some(_) => return false,
            None if self.tells_length(function) => return false,
            // What is written as text is written to a copy of the part.
            None => &arguments[usize::from(self.text_part(function, arguments).is_some())..],
        };
        let is_counted = tree.types.signedness(tree.expr(*last).ty) == Some(Signedness::Unsigned);
        let count = constant(tree, *last).filter(|_| is_counted);
        areas.iter().any(|&area| {
            let (room, part) = match source_of(tree, tree.unconverted(area)) {
                // What is given a single object and no count stays there.
                Some(Source::Member(part))
                    if !is_counted && tree.types.element(tree.expr(part).ty).is_none() =>
                {
                    return false;
                }
                Some(Source::Member(part)) => {
                    let is_start = is_start_of(tree, area, part);
                    let room = tree.types.size_of(tree.expr(part).ty).filter(|_| is_start);
                    (room, Some(part))
                }
                Some(Source::Variable(id)) if self.program.member_pointers.contains_key(&id) => {
                    (None, None)
                }
                Some(Source::Variable(_) | Source::Null) | None => return false,
            };
            match (count, room) {
                (Some(count), Some(room)) => {
                    count > room && !part.is_some_and(|part| is_whole(tree, part, count))
                }
                (Some(_), None) | (None, _) => true,
            }
        })
    }

    /// A value is passed or kept: it may be a pointer that forgets its member.
    pub(super) fn mark_forgetting(&mut self, value: ExprId) {
        if self.program.forgotten.values.contains(&value) {
            self.at(self.tree.expr(value).span);
            self.b.push(InstrKind::Mark(Mark::Presumes(Presumption::MemberForgotten)));
        }
    }

    /// Memory is reached by a pointer here: it may be one that has forgotten its member.
    pub(super) fn mark_forgetful_access(&mut self, pointer: ExprId) {
        let (tree, program) = (self.tree, &self.program);
        let Some(target) = pointee(&tree.types, tree.expr(pointer).ty) else { return };
        if moves_from_element_of_row(tree, pointer) {
            self.b.push(InstrKind::Mark(Mark::Presumes(Presumption::MemberForgotten)));
            self.b.push(InstrKind::Mark(Mark::Presumes(Presumption::MemberKept)));
            return;
        }
        let forgotten = &program.forgotten;
        let may_rest = forgotten.rests.contains(&target) && forgotten.is_moved(tree, pointer);
        if !may_rest && !forgotten.pointees.contains(&target) {
            return;
        }
        let is_open = bases(tree, pointer).iter().any(|base| match base {
            Base::Member | Base::Part | Base::Object => false,
            Base::Variable(id) => {
                !program.member_pointers.contains_key(id)
                    && tree.types.is_pointer(tree.variable(*id).ty)
            }
            Base::Unknown => true,
        });
        if !is_open {
            return;
        }
        let is_static = program.forgotten.is_static;
        if is_static {
            self.b.push(InstrKind::Mark(Mark::Presumes(Presumption::MemberForgotten)));
        }
        self.b.push(InstrKind::Mark(Mark::Presumes(Presumption::MemberKept)));
    }

    /// The library reaches memory by these pointers.
    pub(super) fn mark_forgetful_call(&mut self, function: tree::FunctionId, arguments: &[ExprId]) {
        if !is_library(self.tree, function) {
            return;
        }
        if self.may_leave_part(function, arguments) {
            self.b.push(InstrKind::Mark(Mark::Presumes(Presumption::MemberForgotten)));
            self.b.push(InstrKind::Mark(Mark::Presumes(Presumption::MemberKept)));
        }
        for &argument in arguments {
            let pointer = self.tree.unconverted(argument);
            self.mark_forgetful_access(pointer);
        }
    }
}
