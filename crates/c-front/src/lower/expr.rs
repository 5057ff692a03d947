//! Expressions: the dispatcher from node kinds to construct families.
//!
//! `value` gives the value of an expression: a scalar as an operand, anything larger as the address of
//! memory that holds it now (whatever keeps a record copies it). `effect` is for values that are
//! not used.

use glassbox_ir::{InstrKind, Mark, MemoryOp, Operand, Presumption, PureOp, Ty, UseKind};
use glassbox_values::Bits;

use super::assign::Keep;
use super::body::{BodyLowering, Slot, size, zero};
use super::place::Purpose;
use crate::tree::{Conversion, ExprId, ExprKind, FunctionId, LabelId, Origin, StmtId, VariableId};

/// First of the integers that stand for label addresses; far from null, far from objects.
const FIRST_LABEL: u64 = 0x1000;

impl<'t> BodyLowering<'_, 't> {
    /// The value of an expression; null for `void`.
    pub(super) fn value(&mut self, id: ExprId) -> Operand {
        self.mark_forgetting(id);
        match self.nested(|this| this.value_of(id)) {
            Some(value) => value,
            None => {
                self.at(self.tree.expr(id).span);
                let ty = self.scalar(self.tree.expr(id).ty);
                self.unsupported("an expression nested too deeply", ty)
            }
        }
    }

    fn value_of(&mut self, id: ExprId) -> Operand {
        let tree = self.tree;
        let expr = tree.expr(id);
        match &expr.kind {
            ExprKind::Int(bits) => Operand::Int(*bits),
            ExprKind::Float(float) => Operand::Float(*float),
            ExprKind::Convert {
                conversion: Conversion::IntToInt | Conversion::FloatToInt | Conversion::FloatToFloat,
                operand,
                origin: Origin::Implicit,
            } if tree.checks_conversions => self.convert_keeping_value(*operand, expr),
            ExprKind::Convert { conversion, operand, .. } => {
                self.convert(*conversion, *operand, expr)
            }
            ExprKind::Unary { op, operand } => self.unary(*op, *operand, expr),
            ExprKind::Binary { op, left, right } => self.binary(*op, *left, *right, expr),
            ExprKind::Compare { op, left, right } => {
                let truth = self.comparison(*op, *left, *right, expr.span);
                self.truth_to_int(truth, expr.ty)
            }
            ExprKind::PointerAdd { pointer, index, step } => {
                self.pointer_add(*pointer, *index, *step, expr.span, Purpose::Address)
            }
            ExprKind::PointerDiff { left, right } => self.pointer_diff(*left, *right, expr.span),
            ExprKind::LogicalNot(_) | ExprKind::Logical { .. } => self.logical_value(id),
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise, expr.ty)
            }
            ExprKind::Reuse(condition) => match self.reused.get(condition) {
                Some(&value) => value,
                None => self.value(*condition),
            },
            ExprKind::Comma { left, right } => {
                self.effect(*left);
                self.value(*right)
            }
            ExprKind::Assign { target, value } => self.assign(*target, *value, expr, Keep::Result),
            ExprKind::CompoundAssign { op, target, value, compute } => {
                self.compound_assign(*op, *target, *value, *compute, expr)
            }
            ExprKind::PointerAssign { target, index, step } => {
                self.pointer_assign(*target, *index, *step, expr.span)
            }
            ExprKind::IncDec { target, step, fixity, compute } => {
                self.inc_dec(*target, *step, *fixity, *compute, expr.span)
            }
            ExprKind::AddressOf(operand) => self.address_of(*operand),
            ExprKind::AddressOfLabel(label) => self.label_address(*label),
            ExprKind::Call { callee, arguments } => {
                self.call(*callee, arguments, expr, Keep::Result)
            }
            ExprKind::Builtin { builtin, arguments } => self.builtin(*builtin, arguments, expr),
            ExprKind::StatementExpr { statements, result } => {
                self.statement_expr(statements, *result, Keep::Result)
            }
            ExprKind::SetVlaLength { lengths, then } => {
                self.set_vla_lengths(lengths);
                self.value(*then)
            }
            ExprKind::Unsupported(what) => {
                self.at(expr.span);
                let ty = self.scalar(expr.ty);
                self.unsupported(what.to_string(), ty)
            }
            // A member of a record value, or an object where only its address can be meant.
            ExprKind::Member { .. }
            | ExprKind::Variable(_)
            | ExprKind::String(_)
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Deref(_) => self.member_of_value(id),
            ExprKind::Function(function) => self.function_address(*function),
        }
    }

    /// A place asked for as a value: a member of a record value is read, other places are read too.
    fn member_of_value(&mut self, id: ExprId) -> Operand {
        let place = self.place(id, Purpose::Access);
        self.at(self.tree.expr(id).span);
        self.load(&place)
    }

    /// Evaluates for the effects only.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other expressions are evaluated like values"
    )]
    pub(super) fn effect(&mut self, id: ExprId) {
        let tree = self.tree;
        let expr = tree.expr(id);
        match &expr.kind {
            ExprKind::Convert { conversion: Conversion::ToVoid, operand, .. } => {
                let operand = *operand;
                if self.nested(|this| this.effect(operand)).is_none() {
                    self.unsupported("an expression nested too deeply", None);
                }
            }
            ExprKind::Comma { left, right } => {
                let (left, right) = (*left, *right);
                let done = self.nested(|this| {
                    this.effect(left);
                    this.effect(right);
                });
                if done.is_none() {
                    self.unsupported("an expression nested too deeply", None);
                }
            }
            ExprKind::Assign { target, value } => {
                self.assign(*target, *value, expr, Keep::Nothing);
            }
            ExprKind::Call { callee, arguments } => {
                self.call(*callee, arguments, expr, Keep::Nothing);
            }
            ExprKind::StatementExpr { statements, result } => {
                self.statement_expr(statements, *result, Keep::Nothing);
            }
            ExprKind::Conditional { condition, then, otherwise }
                if tree.types.is_void(expr.ty) || self.scalar(expr.ty).is_none() =>
            {
                self.conditional_effect(*condition, *then, *otherwise);
            }
            // An object that is named and not read, such as an array: only what its address needs.
            ExprKind::Variable(_) | ExprKind::String(_) | ExprKind::Function(_) => {}
            ExprKind::Deref(pointer) => {
                let pointer = *pointer;
                self.value(pointer);
            }
            _ => {
                self.value(id);
            }
        }
    }

    fn function_address(&mut self, function: FunctionId) -> Operand {
        self.note_unmodeled(function);
        Operand::Func(self.program.function_id(function))
    }

    /// Says why what a use of the function does is not known, or what it takes for granted, if so.
    pub(super) fn note_unmodeled(&mut self, function: FunctionId) {
        if let Some(what) = self.program.unmodeled.functions.get(&function) {
            let what = what.to_string();
            self.unsupported(what, None);
        }
        // A contract asks about the function itself.
        let is_harness = self.tree.function(self.function).harness_of.is_some();
        if self.program.open.functions.contains(&function) && !is_harness {
            self.b.push(InstrKind::Mark(Mark::Presumes(Presumption::Attributes)));
        }
        let declared = self.tree.function(function);
        let known = glassbox_library::find(self.tree.name(declared.name));
        let Some(known) = known.filter(|_| declared.body.is_none()) else { return };
        let presumed = [
            (known.row.changes_rounding, Presumption::Rounding),
            (known.row.orders_freely, Presumption::LibraryOrder),
        ];
        for (_, what) in presumed.into_iter().filter(|(is_so, _)| *is_so) {
            self.b.push(InstrKind::Mark(Mark::Presumes(what)));
        }
    }

    fn address_of(&mut self, operand: ExprId) -> Operand {
        if let ExprKind::Function(function) = self.tree.expr(operand).kind {
            return self.function_address(function);
        }
        self.place(operand, Purpose::Address).ptr
    }

    /// `&&label`: an integer that only a computed goto of the same function understands.
    fn label_address(&mut self, label: LabelId) -> Operand {
        let number = self.program.label_number(label);
        let arg = size(number);
        self.emit(
            PureOp::Cast { op: glassbox_ir::instr::CastOp::IntToPtr, arg, to: Ty::Ptr },
            Ty::Ptr,
        )
    }

    fn statement_expr(
        &mut self,
        statements: &'t [StmtId],
        result: Option<ExprId>,
        keep: Keep,
    ) -> Operand {
        let saved_kind = std::mem::replace(&mut self.use_kind, UseKind::Computation);
        let scope = self.scopes.open_unnamed(self.scope);
        self.scopes.scan(self.tree, scope, statements);
        self.enter_scope(scope);
        for &stmt in statements {
            self.stmt(stmt);
        }
        self.use_kind = saved_kind;
        let value = match (result, keep) {
            (None, _) => Operand::NullPtr,
            (Some(result), Keep::Nothing) => {
                self.effect(result);
                Operand::NullPtr
            }
            (Some(result), Keep::Result) => {
                let ty = self.tree.expr(result).ty;
                let value = self.value(result);
                if self.scalar(ty).is_some() || self.tree.types.is_void(ty) {
                    value
                } else {
                    // What the statements declared is about to die; the value must not.
                    let copy = self.temporary(ty);
                    self.copy_record(copy, value, ty);
                    copy
                }
            }
        };
        self.leave_scope();
        value
    }

    /// Where an automatic variable lives, making room for hidden ones on first sight.
    pub(super) fn slot(&mut self, id: VariableId) -> Slot {
        if let Some(&slot) = self.slots.get(&id) {
            return slot;
        }
        let local = self.declare_local(id);
        self.b.push(MemoryOp::LocalStart(local));
        self.adopt_variable(id);
        Slot::Local(local)
    }

    /// 0 or 1 of the type that C gives a truth value.
    pub(super) fn truth_to_int(&mut self, truth: Operand, ty: crate::ty::kind::TypeId) -> Operand {
        let to = self.scalar(ty).unwrap_or(Ty::I32);
        let Ty::Int(width) = to else { return zero(to) };
        if let Operand::Int(bits) = truth {
            return Operand::Int(bits.zero_extend(width));
        }
        let op = glassbox_ir::instr::CastOp::ZeroExtend;
        self.emit(PureOp::Cast { op, arg: truth, to }, to)
    }

    pub(super) fn constant(&self, value: u64, width: u8) -> Operand {
        Operand::Int(Bits::from_u64(value, width))
    }
}

impl super::ProgramLowering<'_> {
    /// The integer that stands for a label's address.
    pub(super) fn label_number(&mut self, label: LabelId) -> u64 {
        let next = FIRST_LABEL + 16 * u64::try_from(self.label_numbers.len()).unwrap_or(0);
        *self.label_numbers.entry(label).or_insert(next)
    }
}
