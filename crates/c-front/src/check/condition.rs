//! Logical operators and the conditional expression; their structure is kept for coverage.

use super::Checker;
use crate::diagnostics::{TypeProblem, TypeWarning};
use crate::span::Span;
use crate::tree::{Conversion, ExprId, ExprKind, LogicalOp};
use crate::ty::kind::TypeId;
use crate::ty::table::TypeTable;

impl Checker<'_> {
    pub(crate) fn logical_not(&mut self, operand: ExprId, span: Span) -> ExprId {
        let operand = self.scalar_condition(operand);
        if self.is_error(operand) {
            return self.error_node(span);
        }
        self.value_node(ExprKind::LogicalNot(operand), TypeTable::INT, span)
    }

    pub(crate) fn logical(
        &mut self,
        op: LogicalOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> ExprId {
        let (left, right) = (self.scalar_condition(left), self.scalar_condition(right));
        if self.is_error(left) || self.is_error(right) {
            return self.error_node(span);
        }
        self.value_node(ExprKind::Logical { op, left, right }, TypeTable::INT, span)
    }

    /// `condition ? then : otherwise`; without `then`, the condition's value is used again.
    pub(crate) fn conditional(
        &mut self,
        condition: ExprId,
        then: Option<ExprId>,
        otherwise: ExprId,
        span: Span,
    ) -> ExprId {
        let condition = self.scalar_condition(condition);
        let then = match then {
            Some(then) => self.value(then),
            None => {
                let (ty, span) = (self.ty(condition), self.span(condition));
                self.value_node(ExprKind::Reuse(condition), ty, span)
            }
        };
        let otherwise = self.value(otherwise);
        if self.is_error(condition) || self.is_error(then) || self.is_error(otherwise) {
            return self.error_node(span);
        }
        let Some((then, otherwise, ty)) = self.common_arms(then, otherwise, span) else {
            let (left, right) = (self.show(self.ty(then)), self.show(self.ty(otherwise)));
            self.error(TypeProblem::ConditionalTypes { left, right }, span);
            return self.error_node(span);
        };
        self.value_node(ExprKind::Conditional { condition, then, otherwise }, ty, span)
    }

    /// Both arms in their common type (C11 6.5.15).
    fn common_arms(
        &mut self,
        then: ExprId,
        otherwise: ExprId,
        span: Span,
    ) -> Option<(ExprId, ExprId, TypeId)> {
        let (a, b) = (self.ty(then), self.ty(otherwise));
        let types = &self.program.types;
        if types.is_arithmetic(a) && types.is_arithmetic(b) {
            return Some(self.usual_arithmetic(then, otherwise));
        }
        if types.is_void(a) || types.is_void(b) {
            let then = self.discard(then);
            let otherwise = self.discard(otherwise);
            return Some((then, otherwise, TypeTable::VOID));
        }
        if types.record_of(a).is_some() || types.record_of(b).is_some() {
            return types.compatible_unqualified(a, b).then_some((then, otherwise, a));
        }
        if !types.is_scalar(a) || !types.is_scalar(b) {
            return (a == b).then_some((then, otherwise, a));
        }
        let (then_null, otherwise_null) =
            (self.is_null_constant(then), self.is_null_constant(otherwise));
        let types = &self.program.types;
        let ty = match (types.pointee(a), types.pointee(b)) {
            (Some(_), _) if otherwise_null => a,
            (_, Some(_)) if then_null => b,
            (Some(x), Some(y)) => self.common_pointer(x, y, span),
            (Some(_), None) if types.is_integer(b) => self.mixed_arm(a, b, span),
            (None, Some(_)) if types.is_integer(a) => self.mixed_arm(b, a, span),
            _ => return None,
        };
        let then = self.arm_to_pointer(then, ty, then_null);
        let otherwise = self.arm_to_pointer(otherwise, ty, otherwise_null);
        Some((then, otherwise, ty))
    }

    fn mixed_arm(&mut self, pointer: TypeId, integer: TypeId, span: Span) -> TypeId {
        let (from, to) = (self.show(integer), self.show(pointer));
        self.warn(TypeWarning::PointerFromInteger { from, to }, span);
        pointer
    }

    fn arm_to_pointer(&mut self, arm: ExprId, ty: TypeId, is_null: bool) -> ExprId {
        if is_null && self.ty(arm) != ty {
            let span = self.span(arm);
            return self.convert_node(Conversion::NullToPointer, arm, ty, span);
        }
        self.convert_scalar(arm, ty)
    }

    /// The pointer type of two arms pointing to `x` and `y`: composite, with the qualifiers of both;
    /// `void *` if one is or if they do not agree.
    fn common_pointer(&mut self, x: TypeId, y: TypeId, span: Span) -> TypeId {
        let types = &mut self.program.types;
        let qualifiers = types.qualifiers(x).union(types.qualifiers(y));
        let target = if types.is_void(x) || types.is_void(y) {
            TypeTable::VOID
        } else if types.compatible_unqualified(x, y) {
            let (x, y) = (types.unqualified(x), types.unqualified(y));
            types.composite(x, y)
        } else {
            if !self.pointees_comparable(x, y) {
                let (left, right) = (self.show(x), self.show(y));
                self.warn(TypeWarning::PointerComparison { left, right }, span);
            }
            TypeTable::VOID
        };
        let target = self.program.types.qualified(target, qualifiers);
        self.program.types.pointer_to(target)
    }

    pub(crate) fn discard(&mut self, expr: ExprId) -> ExprId {
        if self.program.types.is_void(self.ty(expr)) {
            return expr;
        }
        let span = self.span(expr);
        self.convert_node(Conversion::ToVoid, expr, TypeTable::VOID, span)
    }
}
