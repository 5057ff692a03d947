//! Pointers into objects that end with their expression: an array in a structure that a call returns (C11 6.2.4p8).

use super::Checker;
use crate::tree::{Category, Conversion, ExprId, ExprKind, Unsupported};
use crate::ty::kind::TypeId;

impl Checker<'_> {
    /// A value of this type that is kept beyond its expression: what it then points to is not modeled where that has ended.
    pub(super) fn kept_value(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        let value = self.convert_assign(value, ty);
        if !self.points_into_temporary(value) {
            return value;
        }
        let what = Unsupported::Construct("a pointer into an object that ends with its expression");
        self.unsupported(what, ty, self.span(value))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other values point elsewhere")]
    fn points_into_temporary(&self, value: ExprId) -> bool {
        let (mut at, mut is_inside) = (value, false);
        loop {
            let expr = self.program.expr(at);
            at = match expr.kind {
                ExprKind::Convert { conversion, operand, .. } => match conversion {
                    Conversion::PointerToPointer | Conversion::Same => operand,
                    Conversion::ArrayDecay => {
                        is_inside = true;
                        operand
                    }
                    _ => return false,
                },
                ExprKind::PointerAdd { pointer, .. } => pointer,
                ExprKind::AddressOf(place) => match self.program.expr(place).kind {
                    ExprKind::Deref(pointer) => pointer,
                    _ => return false,
                },
                ExprKind::Member { base, .. } if is_inside => base,
                ExprKind::Call { .. }
                | ExprKind::Assign { .. }
                | ExprKind::Conditional { .. }
                | ExprKind::Comma { .. }
                | ExprKind::StatementExpr { .. } => {
                    return is_inside && expr.category == Category::Value;
                }
                _ => return false,
            };
        }
    }
}
