//! Assignment, compound assignment, increment and decrement.

use super::Checker;
use crate::diagnostics::TypeProblem;
use crate::span::Span;
use crate::tree::{BinaryOp, Category, ExprId, ExprKind, Fixity, Step};
use crate::ty::kind::TypeId;
use crate::ty::table::TypeTable;

impl Checker<'_> {
    /// Reports a target that cannot be stored to; `true` if fine.
    fn require_assignable(&mut self, target: ExprId) -> bool {
        let (ty, span) = (self.ty(target), self.span(target));
        if self.program.types.is_error(ty) {
            return false;
        }
        let types = &self.program.types;
        if self.category(target) != Category::Place {
            self.error(TypeProblem::NotAPlace, span);
            return false;
        }
        let const_member = types
            .record_of(ty)
            .and_then(|id| types.record_body(id))
            .is_some_and(|body| body.has_const_member);
        if types.qualifiers(ty).is_const || const_member || types.is_array(ty) {
            let ty = self.show(ty);
            self.error(TypeProblem::NotAssignable { ty }, span);
            return false;
        }
        self.require_complete(ty, span)
    }

    /// `target = value`.
    pub(crate) fn assign(&mut self, target: ExprId, value: ExprId, span: Span) -> ExprId {
        if !self.require_assignable(target) {
            return self.error_node(span);
        }
        let ty = self.program.types.unqualified(self.ty(target));
        let value = self.kept_value(value, ty);
        if self.is_error(value) {
            return self.error_node(span);
        }
        self.value_node(ExprKind::Assign { target, value }, ty, span)
    }

    /// `target op= value`.
    pub(crate) fn compound_assign(
        &mut self,
        op: BinaryOp,
        target: ExprId,
        value: ExprId,
        span: Span,
    ) -> ExprId {
        if !self.require_assignable(target) {
            return self.error_node(span);
        }
        let value = self.value(value);
        if self.is_error(value) {
            return self.error_node(span);
        }
        let ty = self.program.types.unqualified(self.ty(target));
        let types = &self.program.types;
        let value_ty = self.ty(value);
        if types.is_pointer(ty) {
            let step = match op {
                BinaryOp::Add => Step::Forward,
                BinaryOp::Sub => Step::Backward,
                BinaryOp::Mul
                | BinaryOp::Div
                | BinaryOp::Rem
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Shl
                | BinaryOp::Shr => return self.bad_operands(op.text(), target, value, span),
            };
            if !types.is_integer(value_ty) {
                return self.bad_operands(op.text(), target, value, span);
            }
            if !self.check_pointee(ty, span) {
                return self.error_node(span);
            }
            let index = self.promote(value);
            return self.value_node(ExprKind::PointerAssign { target, index, step }, ty, span);
        }
        if let Some(what) = self.unmodeled(ty).or_else(|| self.unmodeled(value_ty)) {
            return self.unsupported(what, ty, span);
        }
        // Check the operation as if written out; its nodes have the types of the computation.
        let current = self.value(target);
        let combined = self.binary(op, current, value, span);
        let ExprKind::Binary { right: value, left, .. } = self.program.expr(combined).kind else {
            return self.error_node(span);
        };
        let compute = self.ty(left);
        self.value_node(ExprKind::CompoundAssign { op, target, value, compute }, ty, span)
    }

    /// `++target`, `target--` and the others.
    pub(crate) fn inc_dec(
        &mut self,
        target: ExprId,
        step: Step,
        fixity: Fixity,
        span: Span,
    ) -> ExprId {
        if !self.require_assignable(target) {
            return self.error_node(span);
        }
        let ty = self.program.types.unqualified(self.ty(target));
        let operator = match step {
            Step::Forward => "++",
            Step::Backward => "--",
        };
        if let Some(what) = self.unmodeled(ty) {
            return self.unsupported(what, ty, span);
        }
        if !self.program.types.is_scalar(ty) {
            return self.bad_operand(operator, target, span);
        }
        if !self.check_pointee(ty, span) {
            return self.error_node(span);
        }
        let compute = self.inc_dec_type(target, ty);
        self.value_node(ExprKind::IncDec { target, step, fixity, compute }, ty, span)
    }

    /// The type in which 1 is added: that of `target + 1`.
    fn inc_dec_type(&mut self, target: ExprId, ty: TypeId) -> TypeId {
        if !self.program.types.is_integer(ty) {
            return ty;
        }
        let current = self.value(target);
        let promoted = self.promote(current);
        let compute = self.ty(promoted);
        if self.program.types.is_error(compute) { TypeTable::INT } else { compute }
    }

    /// `left, right`.
    pub(crate) fn comma(&mut self, left: ExprId, right: ExprId, span: Span) -> ExprId {
        let right = self.value(right);
        let ty = self.ty(right);
        self.value_node(ExprKind::Comma { left, right }, ty, span)
    }
}
