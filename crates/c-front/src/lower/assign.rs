//! Assignments, `op=`, `++` and `--`.
//!
//! Order as gcc has it at `-O0`: the right side first, unless it is a call (or a record chosen by
//! `?:`), which comes after the address of the left side; with `op=` the right side always first.

use glassbox_ir::{MemoryOp, Operand};
use glassbox_values::{Bits, Float, RoundingMode, Signedness};

use super::body::{BodyLowering, size};
use super::place::Purpose;
use crate::span::Span;
use crate::tree::{BinaryOp, Conversion, Expr, ExprId, ExprKind, Fixity, Step};
use crate::ty::kind::TypeId;

/// Whether anyone reads the value of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    Result,
    Nothing,
}

impl BodyLowering<'_, '_> {
    pub(super) fn assign(
        &mut self,
        target: ExprId,
        value: ExprId,
        expr: &Expr,
        keep: Keep,
    ) -> Operand {
        if keep == Keep::Nothing
            && let Some(source) = self.member_to_copy(target, value)
        {
            self.copy_member(target, source, expr.span);
            return Operand::NullPtr;
        }
        let mut value = value;
        while let ExprKind::Comma { left, right } = self.tree.expr(value).kind {
            self.effect(left);
            value = right;
        }
        let (place, given) = if self.comes_after_target(value) {
            let place = self.place(target, Purpose::Access);
            (place, self.value(value))
        } else {
            let given = self.value(value);
            (self.place(target, Purpose::Access), given)
        };
        self.at(expr.span);
        let stored = self.store(&place, given);
        if let ExprKind::Variable(id) = self.tree.expr(target).kind {
            self.remember_member(id, value, given);
        }
        match keep {
            Keep::Result => stored,
            Keep::Nothing => Operand::NullPtr,
        }
    }

    /// `p->a = q->b` of numbers: the member that is copied. Such copies move bytes with whatever they hold,
    /// because programs do copy members that were never set (C11 forbids it for registers only) and a
    /// read of an indeterminate value would stop them.
    fn member_to_copy(&self, target: ExprId, value: ExprId) -> Option<ExprId> {
        let ExprKind::Convert { conversion: Conversion::Load, operand, .. } =
            self.tree.expr(value).kind
        else {
            return None;
        };
        let ty = self.scalar(self.tree.expr(value).ty)?;
        let is_number = matches!(ty, glassbox_ir::Ty::Int(_) | glassbox_ir::Ty::Float(_));
        let is_plain = is_number && self.is_steady_member(target) && self.is_steady_member(operand);
        is_plain.then_some(operand)
    }

    /// A member at a constant offset from a variable or a pointer.
    fn is_steady_member(&self, id: ExprId) -> bool {
        let ExprKind::Member { mut base, field } = self.tree.expr(id).kind else { return false };
        if field.bits.is_some() || self.tree.types.qualifiers(self.tree.expr(id).ty).may_change() {
            return false;
        }
        while let ExprKind::Member { base: outer, field } = self.tree.expr(base).kind {
            if field.bits.is_some() {
                return false;
            }
            base = outer;
        }
        if let ExprKind::Deref(pointer) = self.tree.expr(base).kind {
            return !matches!(self.tree.expr(pointer).kind, ExprKind::PointerAdd { .. });
        }
        matches!(self.tree.expr(base).kind, ExprKind::Variable(_))
    }

    fn copy_member(&mut self, target: ExprId, source: ExprId, span: Span) {
        let from = self.place(source, Purpose::Access);
        self.at(self.tree.expr(source).span);
        let bytes = self.size_of(from.ty);
        self.mark_use(from.var);
        self.check_accessible(from.ptr, bytes);
        let to = self.place(target, Purpose::Access);
        self.at(span);
        if !to.is_sure {
            self.check_writable(to.ptr, bytes);
        }
        self.b.push(MemoryOp::Copy {
            dst: to.ptr,
            src: from.ptr,
            len: size(bytes),
            is_volatile: false,
        });
        self.mark_beside(&to);
        self.mark_def(to.var);
    }

    /// Calls deliver straight into their target, so the target is found first.
    fn comes_after_target(&self, value: ExprId) -> bool {
        let mut at = value;
        while let Some(operand) = self.same_bits(at) {
            at = operand;
        }
        let expr = self.tree.expr(at);
        let is_record = self.scalar(expr.ty).is_none();
        matches!(expr.kind, ExprKind::Call { .. })
            || is_record && matches!(expr.kind, ExprKind::Conditional { .. })
    }

    pub(super) fn compound_assign(
        &mut self,
        op: BinaryOp,
        target: ExprId,
        value: ExprId,
        compute: TypeId,
        expr: &Expr,
    ) -> Operand {
        let rhs_ty = self.tree.expr(value).ty;
        let rhs = self.value(value);
        let place = self.place(target, Purpose::Access);
        self.at(expr.span);
        let old = self.load(&place);
        if self.scalar(place.ty).is_none() || self.scalar(compute).is_none() {
            return self.unsupported("arithmetic on this type", self.scalar(place.ty));
        }
        let lhs = self.convert_implicitly(old, place.ty, compute);
        let result = self.combine(op, lhs, rhs, compute, rhs_ty);
        let new = self.convert_implicitly(result, compute, place.ty);
        self.store(&place, new)
    }

    pub(super) fn inc_dec(
        &mut self,
        target: ExprId,
        step: Step,
        fixity: Fixity,
        compute: TypeId,
        span: Span,
    ) -> Operand {
        let place = self.place(target, Purpose::Access);
        self.at(span);
        if self.tree.types.is_pointer(place.ty) {
            let one = self.constant(1, 64);
            let (old, new) = self.move_pointer(&place, one, step);
            self.check_member(target, new, None);
            return match fixity {
                Fixity::Prefix => new,
                Fixity::Postfix => old,
            };
        }
        let old = self.load(&place);
        let Some(compute_ty) = self.scalar(compute) else {
            return self.unsupported("arithmetic on this type", self.scalar(place.ty));
        };
        let lhs = self.convert_implicitly(old, place.ty, compute);
        let one = match compute_ty {
            glassbox_ir::Ty::Float(format) => Operand::Float(Float::from_int(
                Bits::one(8),
                Signedness::Unsigned,
                format,
                RoundingMode::NearestEven,
            )),
            glassbox_ir::Ty::Int(width) => Operand::Int(Bits::one(width)),
            glassbox_ir::Ty::Ptr => {
                return self.unsupported("arithmetic on this type", self.scalar(place.ty));
            }
        };
        let op = match step {
            Step::Forward => BinaryOp::Add,
            Step::Backward => BinaryOp::Sub,
        };
        let result = self.combine(op, lhs, one, compute, compute);
        let new = self.convert_implicitly(result, compute, place.ty);
        let stored = self.store(&place, new);
        match fixity {
            Fixity::Prefix => stored,
            Fixity::Postfix => old,
        }
    }
}
