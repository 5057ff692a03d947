//! Variable arguments.

use glassbox_ir::{Operand, Ty, VarArgsOp};

use super::body::BodyLowering;
use crate::tree::{Expr, ExprId};
use crate::ty::kind::TypeKind;

impl BodyLowering<'_, '_> {
    pub(super) fn va_start(&mut self, arguments: &[ExprId], expr: &Expr) -> Operand {
        let list = self.plain_arguments(arguments)[0];
        self.at(expr.span);
        self.b.push(VarArgsOp::Start { list });
        Operand::NullPtr
    }

    pub(super) fn va_end(&mut self, arguments: &[ExprId], expr: &Expr) -> Operand {
        let list = self.plain_arguments(arguments)[0];
        self.at(expr.span);
        self.b.push(VarArgsOp::End { list });
        Operand::NullPtr
    }

    pub(super) fn va_copy(&mut self, arguments: &[ExprId], expr: &Expr) -> Operand {
        let values = self.plain_arguments(arguments);
        self.at(expr.span);
        self.b.push(VarArgsOp::Copy { dst: values[0], src: values[1] });
        Operand::NullPtr
    }

    /// The next argument; a record's address.
    pub(super) fn va_arg(&mut self, arguments: &[ExprId], expr: &Expr) -> Operand {
        let list = self.plain_arguments(arguments)[0];
        self.at(expr.span);
        let source_type = self.program.source_type(expr.ty);
        let next = |ty, is_indirect| VarArgsOp::Next { list, ty, source_type, is_indirect };
        match self.scalar(expr.ty) {
            Some(ty) => self.emit(next(ty, false), ty),
            None if matches!(self.tree.types.kind(expr.ty), TypeKind::Record(_)) => {
                self.emit(next(Ty::Ptr, true), Ty::Ptr)
            }
            None => self.unsupported("a variable argument of this type", Some(Ty::Ptr)),
        }
    }
}
