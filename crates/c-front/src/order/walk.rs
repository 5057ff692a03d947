//! The walk over statements and expressions that gathers effects and finds operands in each other's way.

use std::collections::BTreeSet;

use glassbox_library::Operator;
use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::Effects;
use super::place::Place;
use crate::span::Span;
use crate::tree::{
    AddressBase, Builtin, Callee, CompareOp, Conversion, ExprId, ExprKind, FloatTest, FunctionBody,
    FunctionId, Init, InitValue, Program, StmtId, StmtKind, VariableId,
};

/// Two operands of one statement, one of which calls something.
type Candidate = (StmtId, Span, [Effects; 2]);

/// What was found so far.
pub(super) struct Walk<'t> {
    program: &'t Program,
    addressed: &'t FxHashSet<VariableId>,
    statement: StmtId,
    /// Statements with operands that are in each other's way whatever calls do.
    pub(super) found: FxHashMap<StmtId, Span>,
    pub(super) candidates: Vec<Candidate>,
    /// Statements that make a pointer to something constant one that it can be changed by.
    pub(super) loses_const: FxHashMap<StmtId, Span>,
    /// Statements that make a pointer to values of one kind one to values of another.
    pub(super) changes_type: FxHashMap<StmtId, Span>,
    /// Statements that read a truth value from where a union may hold another number, or make a pointer to a structure with
    /// truth values one to its bytes.
    pub(super) reads_truth: FxHashMap<StmtId, Span>,
    /// Statements in which something is no constant that an optimizer may know to be one.
    pub(super) not_constant: FxHashMap<StmtId, Span>,
    /// Statements in which a number matters of which only that it is not zero is fixed.
    pub(super) only_truth: FxHashMap<StmtId, Span>,
    /// Calls that pass several pointers, one of them as `restrict`.
    pub(super) restricts: FxHashMap<StmtId, Span>,
    /// Functions whose address is taken.
    pub(super) pointed_to: BTreeSet<FunctionId>,
    /// Statements that store through pointers, with where, and those that call.
    pub(super) stores: Vec<(StmtId, Place)>,
    pub(super) calls: Vec<(StmtId, FunctionId)>,
}

impl<'t> Walk<'t> {
    pub(super) fn new(program: &'t Program, addressed: &'t FxHashSet<VariableId>) -> Walk<'t> {
        Walk {
            program,
            addressed,
            statement: StmtId(0),
            found: FxHashMap::default(),
            candidates: Vec::new(),
            loses_const: FxHashMap::default(),
            changes_type: FxHashMap::default(),
            reads_truth: FxHashMap::default(),
            not_constant: FxHashMap::default(),
            only_truth: FxHashMap::default(),
            restricts: FxHashMap::default(),
            pointed_to: program.functions_in_initializers(),
            stores: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// What a function does, without what it calls does.
    pub(super) fn body(&mut self, body: &FunctionBody) -> Effects {
        let mut all = self.statements(&body.prologue);
        all.add(&self.statement(body.body));
        all
    }

    fn statements(&mut self, statements: &[StmtId]) -> Effects {
        let mut all = Effects::default();
        // Lengths of one declarator, which nothing orders.
        let mut lengths = Effects::default();
        for &statement in statements {
            let effects = self.statement(statement);
            if let StmtKind::SetVlaLength { .. } = self.program.stmt(statement).kind {
                let outer = std::mem::replace(&mut self.statement, statement);
                lengths = self.side_by_side(vec![lengths, effects.clone()]);
                self.statement = outer;
            } else {
                lengths = Effects::default();
            }
            all.add(&effects);
        }
        all
    }

    fn statement(&mut self, id: StmtId) -> Effects {
        let program = self.program;
        let outer = std::mem::replace(&mut self.statement, id);
        let mut all = Effects::default();
        match &program.stmt(id).kind {
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Expr(expr) => all = self.expr(*expr),
            StmtKind::Block(statements) => all = self.statements(statements),
            StmtKind::Declare { init, .. } => {
                if let Some(init) = init {
                    all = self.init(init);
                }
            }
            StmtKind::SetVlaLength { length, .. } => all = self.expr(*length),
            StmtKind::If { condition, then, otherwise } => {
                all = self.condition(*condition);
                all.add(&self.statement(*then));
                if let Some(otherwise) = otherwise {
                    all.add(&self.statement(*otherwise));
                }
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                all = self.condition(*condition);
                all.add(&self.statement(*body));
                all.may_not_end = true;
            }
            StmtKind::For { init, condition, step, body } => {
                all = self.statements(init);
                if let Some(condition) = condition {
                    all.add(&self.condition(*condition));
                }
                if let Some(step) = step {
                    all.add(&self.expr(*step));
                }
                all.add(&self.statement(*body));
                all.may_not_end = true;
            }
            StmtKind::Switch { value, body, .. } => {
                all = self.expr(*value);
                all.add(&self.statement(*body));
            }
            StmtKind::Case { body, .. }
            | StmtKind::Default { body }
            | StmtKind::Label { body, .. } => all = self.statement(*body),
            StmtKind::Goto(_) => all.may_not_end = true,
            StmtKind::GotoComputed(target) => {
                all = self.expr(*target);
                all.may_not_end = true;
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    all = self.expr(*value);
                }
            }
            StmtKind::Unsupported(_) | StmtKind::UnsupportedJump { .. } => {
                all.may_not_end = true;
                all.writes.insert(Place::ANYWHERE);
            }
        }
        self.statement = outer;
        all.settle()
    }

    fn init(&mut self, init: &Init) -> Effects {
        let values: Vec<&InitValue> = match init {
            Init::Value(value) => vec![value],
            Init::Items(items) => items.iter().map(|item| &item.value).collect(),
        };
        let exprs = values.into_iter().filter_map(|value| match value {
            InitValue::Expr(expr) => Some(*expr),
            InitValue::Constant(_) | InitValue::String(_) | InitValue::Unsupported(_) => None,
        });
        let exprs: Vec<ExprId> = exprs.collect();
        self.operands(&exprs)
    }

    /// The same of something of which only whether it is zero matters.
    fn condition(&mut self, id: ExprId) -> Effects {
        let was_known = self.only_truth.contains_key(&self.statement);
        let effects = self.expr(id);
        if !was_known && self.has_only_truth(id) {
            self.only_truth.remove(&self.statement);
        }
        effects
    }

    /// Whether of the value nothing but that it is not zero is fixed.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "everything else gives a number that is fixed"
    )]
    fn has_only_truth(&self, id: ExprId) -> bool {
        match &self.program.expr(id).kind {
            ExprKind::Convert { conversion: Conversion::IntToInt, operand, .. } => {
                self.has_only_truth(*operand)
            }
            ExprKind::Builtin { builtin, .. } => *builtin == Builtin::FloatTest(FloatTest::SignBit),
            ExprKind::Call { callee: Callee::Direct(function), .. } => {
                let function = self.program.function(*function);
                let known = glassbox_library::find(self.program.name(function.name));
                function.body.is_none()
                    && known.and_then(|known| known.row.operator) == Some(Operator::SignBit)
            }
            _ => false,
        }
    }

    fn note_only_truth(&mut self, id: ExprId) {
        if self.has_only_truth(id) {
            self.only_truth.insert(self.statement, self.program.stmt(self.statement).span);
        }
    }

    /// What evaluating an expression does: for a place, finding its address.
    #[expect(clippy::too_many_lines, reason = "one arm for each kind of expression")]
    fn expr(&mut self, id: ExprId) -> Effects {
        let program = self.program;
        let expr = program.expr(id);
        match &expr.kind {
            ExprKind::Int(_) => {
                if program.not_constant.contains(&id) {
                    self.not_constant.insert(self.statement, program.stmt(self.statement).span);
                }
                Effects::default()
            }
            ExprKind::Float(_)
            | ExprKind::Variable(_)
            | ExprKind::String(_)
            | ExprKind::Reuse(_)
            | ExprKind::AddressOfLabel(_) => Effects::default(),
            // Calls by name do not come here.
            ExprKind::Function(function) => {
                self.pointed_to.insert(*function);
                Effects::default()
            }
            ExprKind::CompoundLiteral { init, .. } => {
                let mut all = self.init(init);
                all.write(program.place_of(id));
                all
            }
            ExprKind::Deref(operand)
            | ExprKind::Member { base: operand, .. }
            | ExprKind::Unary { operand, .. }
            | ExprKind::AddressOf(operand) => self.expr(*operand),
            ExprKind::LogicalNot(operand)
            | ExprKind::Convert { conversion: Conversion::ToBool, operand, .. } => {
                self.condition(*operand)
            }
            ExprKind::Convert { conversion, operand, .. } => {
                let mut all = self.expr(*operand);
                if *conversion == Conversion::Load {
                    all.reads.extend(program.place_of(*operand));
                    all.may_not_end |=
                        program.types.qualifiers(program.expr(*operand).ty).is_volatile;
                }
                let is_const = |id: ExprId| {
                    let target = program.types.pointee(program.expr(id).ty);
                    target.is_some_and(|target| program.types.qualifiers(target).is_const)
                };
                if *conversion == Conversion::PointerToPointer
                    && is_const(*operand)
                    && !is_const(id)
                {
                    self.loses_const.insert(self.statement, program.stmt(self.statement).span);
                }
                if *conversion == Conversion::PointerToPointer {
                    all.as_bytes.extend(program.becomes_bytes(*operand, expr.ty));
                }
                if *conversion == Conversion::PointerToPointer
                    && program.are_apart(program.expr(*operand).ty, expr.ty)
                {
                    self.changes_type.insert(self.statement, program.stmt(self.statement).span);
                }
                let is_read = *conversion == Conversion::Load && program.may_be_no_truth(*operand);
                let is_shown = *conversion == Conversion::PointerToPointer
                    && program.shows_truth_as_bytes(program.expr(*operand).ty, expr.ty);
                if is_read || is_shown {
                    self.reads_truth.insert(self.statement, program.stmt(self.statement).span);
                }
                all
            }
            ExprKind::Compare { op: CompareOp::Equal | CompareOp::NotEqual, left, right } if matches!(&program.expr(*right).kind, ExprKind::Int(value) if value.is_zero()) => {
                self.condition(*left)
            }
            ExprKind::Binary { left, right, .. }
            | ExprKind::Compare { left, right, .. }
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDiff { left, right } => self.operands(&[*left, *right]),
            ExprKind::Logical { left, right, .. } => {
                let mut all = self.condition(*left).settle();
                all.add(&self.condition(*right));
                all
            }
            ExprKind::Comma { left, right } => {
                let mut all = self.expr(*left).settle();
                all.add(&self.expr(*right));
                all
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let mut all = self.condition(*condition).settle();
                all.add(&self.expr(*then));
                all.add(&self.expr(*otherwise));
                all
            }
            ExprKind::Assign { target, value } => {
                let mut all = self.operands(&[*target, *value]);
                // The same value is stored twice, whichever store is first.
                let chained = self.chained(*value);
                self.store(*target, chained, &mut all);
                all
            }
            ExprKind::CompoundAssign { target, value, .. }
            | ExprKind::PointerAssign { target, index: value, .. } => {
                let mut left = self.expr(*target);
                left.reads.extend(program.place_of(*target));
                let right = self.expr(*value);
                let mut all = self.side_by_side(vec![left, right]);
                self.store(*target, None, &mut all);
                all
            }
            ExprKind::IncDec { target, .. } => {
                let mut all = self.expr(*target);
                all.reads.extend(program.place_of(*target));
                self.store(*target, None, &mut all);
                all
            }
            ExprKind::Call { callee, arguments } => {
                self.note_only_truth(id);
                let mut operands: Vec<ExprId> = arguments.to_vec();
                if let Callee::Indirect(pointer) = callee {
                    operands.push(*pointer);
                }
                let mut all = self.operands(&operands).settle();
                match callee {
                    Callee::Direct(function) => {
                        all.calls.insert(*function);
                        if program.may_change_unnamed(*function, arguments) {
                            self.calls.push((self.statement, *function));
                        }
                        if program.fills_truth(*function, arguments) {
                            let span = program.stmt(self.statement).span;
                            self.reads_truth.insert(self.statement, span);
                        }
                        if program.may_share_restricted(*function, arguments) {
                            self.restricts
                                .insert(self.statement, program.stmt(self.statement).span);
                        }
                    }
                    Callee::Indirect(_) => all.calls_pointer = true,
                }
                all
            }
            ExprKind::Builtin { builtin, arguments } => {
                self.note_only_truth(id);
                let mut all = self.operands(arguments);
                let pointer = match builtin {
                    Builtin::VaStart | Builtin::VaEnd | Builtin::VaCopy | Builtin::VaArg => {
                        arguments.first()
                    }
                    Builtin::Overflow(_) => arguments.get(2),
                    Builtin::Atomic(_) => arguments.first(),
                    Builtin::Unreachable | Builtin::Trap => {
                        all.may_not_end = true;
                        None
                    }
                    Builtin::ByteSwap
                    | Builtin::Count(_)
                    | Builtin::OverflowPredicate(_)
                    | Builtin::Alloca
                    | Builtin::FloatTest(_)
                    | Builtin::FpClassify
                    | Builtin::IsGreater
                    | Builtin::IsGreaterEqual
                    | Builtin::IsLess
                    | Builtin::IsLessEqual
                    | Builtin::IsLessGreater
                    | Builtin::IsUnordered => None,
                };
                let place = pointer.map(|&pointer| program.place_behind(pointer));
                all.reads.extend(place);
                all.write(place);
                all
            }
            ExprKind::StatementExpr { statements, result } => {
                let mut all = self.statements(statements);
                if let Some(result) = result {
                    all.add(&self.expr(*result));
                }
                all
            }
            ExprKind::SetVlaLength { lengths, then } => {
                let lengths: Vec<ExprId> = lengths.iter().map(|(_, length)| *length).collect();
                let mut all = self.operands(&lengths).settle();
                all.add(&self.expr(*then));
                all
            }
            ExprKind::Unsupported(_) => {
                let may_not_end = true;
                let writes = [Place::ANYWHERE].into();
                Effects { may_not_end, writes, ..Effects::default() }
            }
        }
    }

    fn operands(&mut self, operands: &[ExprId]) -> Effects {
        let each = operands.iter().map(|&operand| self.expr(operand)).collect();
        self.side_by_side(each)
    }

    /// The effects of operands that nothing orders.
    fn side_by_side(&mut self, operands: Vec<Effects>) -> Effects {
        let mut operands = operands.into_iter();
        let mut all = operands.next().unwrap_or_default();
        for operand in operands {
            if all.conflicts(&operand, self.addressed) {
                self.note();
            } else if may_matter(&all, &operand) || may_matter(&operand, &all) {
                let span = self.program.stmt(self.statement).span;
                self.candidates.push((self.statement, span, [all.clone(), operand.clone()]));
            }
            all.add(&operand);
        }
        all
    }

    /// A store that comes after its operands are known, and not after their changes.
    fn store(&mut self, target: ExprId, chained: Option<Place>, all: &mut Effects) {
        let place = self.program.place_of(target);
        if let Some(place) = place {
            let mut pending = all.pending.iter().filter(|other| Some(**other) != chained);
            if pending.any(|other| place.meets(*other, self.addressed)) {
                self.note();
            }
        }
        if let Some(place @ Place::Behind { .. }) = place {
            self.stores.push((self.statement, place));
        }
        all.write(place);
    }

    /// What an assignment stores to whose value is stored again.
    fn chained(&self, value: ExprId) -> Option<Place> {
        let mut at = value;
        while let ExprKind::Convert { operand, .. } = self.program.expr(at).kind {
            at = operand;
        }
        let ExprKind::Assign { target, .. } = self.program.expr(at).kind else { return None };
        self.program.place_of(target)
    }

    fn note(&mut self) {
        let span = self.program.stmt(self.statement).span;
        self.found.entry(self.statement).or_insert(span);
    }
}

/// Whether what `caller` calls may be in the way of the other.
fn may_matter(caller: &Effects, other: &Effects) -> bool {
    let is_idle = other.reads.is_empty() && other.writes.is_empty() && !other.has_calls();
    caller.has_calls() && !is_idle
}

impl Program {
    /// Whether a call may change anything but objects whose names stand in it.
    fn may_change_unnamed(&self, function: FunctionId, arguments: &[ExprId]) -> bool {
        let mut pointers = arguments.iter().filter(|&&id| self.types.is_pointer(self.expr(id).ty));
        let is_known = || glassbox_library::find(self.name(self.function(function).name)).is_some();
        self.function(function).body.is_some()
            || pointers.any(|&id| !matches!(self.place_behind(id), Place::Variable { .. }))
            || !is_known()
    }

    /// Whether a function that the program defines may get one object through two parameters, one of them `restrict`.
    fn may_share_restricted(&self, function: FunctionId, arguments: &[ExprId]) -> bool {
        let Some(body) = &self.function(function).body else { return false };
        let is_restrict =
            |&id: &VariableId| self.types.qualifiers(self.variable(id).ty).is_restrict;
        let pointers = arguments.iter().filter(|&&id| self.types.is_pointer(self.expr(id).ty));
        let places: Vec<Place> = pointers.map(|&id| self.place_behind(id)).collect();
        // Objects by name are one or another; any pointer may lead to a global, too.
        let are_apart = |place: &Place, other: &Place| {
            let variables =
                matches!((place, other), (Place::Variable { .. }, Place::Variable { .. }));
            variables && !place.meets(*other, &FxHashSet::default())
        };
        let mut pairs = (0..places.len()).flat_map(|at| (0..at).map(move |other| (at, other)));
        body.parameters.iter().any(is_restrict)
            && pairs.any(|(at, other)| !are_apart(&places[at], &places[other]))
    }

    /// Functions whose address is in a variable from the start.
    fn functions_in_initializers(&self) -> BTreeSet<FunctionId> {
        let functions = self.addresses_in_initializers().filter_map(|base| match base {
            AddressBase::Function(function) => Some(function),
            AddressBase::Variable(_) | AddressBase::String(_) | AddressBase::Label(_) => None,
        });
        functions.collect()
    }
}
