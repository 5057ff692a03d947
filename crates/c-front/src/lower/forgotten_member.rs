//! Pointers that forget the member they were formed from: passed to functions, returned or kept in memory, as in
//! `fill(h.name, 9)`.
//!
//! What such a pointer reaches is checked against the whole object. So an access by a pointer that may be one of them takes
//! for granted that it stays inside of the member. Types decide which may be: what is pointed to where a pointer
//! forgets, and what it is converted to anywhere in the program.

use glassbox_ir::{InstrKind, Mark, Presumption};
use rustc_hash::FxHashSet;

use super::body::BodyLowering;
use super::member_pointer::MemberPointers;
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
        if leads_into_member(program, value, known) {
            found.values.insert(value);
            found.pointees.extend(pointee(&program.types, program.expr(value).ty));
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
    /// What the variable holds.
    Variable(VariableId),
    /// To an object of its own, or nowhere.
    Object,
    /// What was loaded or returned.
    Unknown,
}

fn leads_into_member(program: &tree::Program, value: ExprId, known: &MemberPointers) -> bool {
    let bases = bases(program, value);
    bases.iter().any(|base| match base {
        Base::Member => true,
        Base::Variable(id) => known.contains_key(id),
        Base::Object | Base::Unknown => false,
    })
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
                    // A row of an array.
                    ExprKind::Deref(row) => open.push(row),
                    _ => found.push(Base::Object),
                },
                Conversion::NullToPointer => found.push(Base::Object),
                _ => found.push(Base::Unknown),
            },
            ExprKind::PointerAdd { pointer, .. } => open.push(pointer),
            ExprKind::AddressOf(place) => match program.expr(place).kind {
                ExprKind::Deref(pointer) => open.push(pointer),
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

impl BodyLowering<'_, '_> {
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
        let target = pointee(&tree.types, tree.expr(pointer).ty);
        if !target.is_some_and(|target| program.forgotten.pointees.contains(&target)) {
            return;
        }
        let is_open = bases(tree, pointer).iter().any(|base| match base {
            Base::Member | Base::Object => false,
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
        for &argument in arguments {
            let mut pointer = argument;
            while let ExprKind::Convert {
                conversion: Conversion::PointerToPointer | Conversion::Same,
                operand,
                ..
            } = self.tree.expr(pointer).kind
            {
                pointer = operand;
            }
            self.mark_forgetful_access(pointer);
        }
    }
}
