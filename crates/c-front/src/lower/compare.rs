//! Comparisons of integers, floats and pointers, and truth values of scalars.

use glassbox_ir::instr::{CompareOp as IrCompare, FloatCompareOp};
use glassbox_ir::{Check, InstrKind, Mark, Operand, PointerOp, PureOp, Ty};
use glassbox_values::Signedness;

use super::body::{BodyLowering, zero};
use crate::span::Span;
use crate::tree::{CompareOp, Conversion, ExprId, ExprKind};

impl BodyLowering<'_, '_> {
    /// `left op right` as an `Int(1)`.
    pub(super) fn comparison(
        &mut self,
        op: CompareOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Operand {
        let (lhs, rhs) = self.operands(left, right, true);
        self.at(span);
        let signedness =
            self.tree.types.signedness(self.tree.expr(left).ty).unwrap_or(Signedness::Unsigned);
        // `a > b` is `b < a`: one order is enough.
        let (op, lhs, rhs) = match op {
            CompareOp::Greater => (CompareOp::Less, rhs, lhs),
            CompareOp::GreaterEqual => (CompareOp::LessEqual, rhs, lhs),
            CompareOp::Equal | CompareOp::NotEqual | CompareOp::Less | CompareOp::LessEqual => {
                (op, lhs, rhs)
            }
        };
        match self.b.operand_ty(lhs) {
            Ty::Int(_) => {
                let is_equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
                if is_equality && signedness == Signedness::Unsigned {
                    self.b.push(InstrKind::Mark(Mark::Unsigned));
                }
                self.compare(int_compare(op, signedness), lhs, rhs)
            }
            Ty::Float(_) => {
                let op = match op {
                    CompareOp::Equal => FloatCompareOp::Eq,
                    CompareOp::NotEqual => FloatCompareOp::Ne,
                    CompareOp::Less | CompareOp::Greater => FloatCompareOp::Lt,
                    CompareOp::LessEqual | CompareOp::GreaterEqual => FloatCompareOp::Le,
                };
                self.emit(PureOp::FloatCompare { op, lhs, rhs }, Ty::BOOL)
            }
            Ty::Ptr => {
                let is_order = !matches!(op, CompareOp::Equal | CompareOp::NotEqual);
                if is_order {
                    // Whoever looks for inputs decides the first pointer first and then puts the second at or
                    // behind it: with `<=` that must be the left one, or it would never be false.
                    let (first, second) = match op {
                        CompareOp::LessEqual | CompareOp::GreaterEqual => (rhs, lhs),
                        CompareOp::Less
                        | CompareOp::Greater
                        | CompareOp::Equal
                        | CompareOp::NotEqual => (lhs, rhs),
                    };
                    self.b.push(InstrKind::Check(Check::SameObject { lhs: first, rhs: second }));
                }
                let op = int_compare(op, Signedness::Unsigned);
                self.emit(PointerOp::Compare { op, lhs, rhs }, Ty::BOOL)
            }
        }
    }

    /// Whether a scalar expression is unequal to zero, as an `Int(1)`.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the values of other expressions are compared with zero"
    )]
    pub(super) fn truth(&mut self, id: ExprId) -> Operand {
        let tree = self.tree;
        let expr = tree.expr(id);
        match &expr.kind {
            ExprKind::Compare { op, left, right } => self.comparison(*op, *left, *right, expr.span),
            // 0 and 1 keep their truth in every integer type.
            ExprKind::Convert {
                conversion: Conversion::IntToInt | Conversion::ToBool | Conversion::Same,
                operand,
                ..
            } if is_zero_or_one(&tree.expr(*operand).kind) => self.truth(*operand),
            ExprKind::Convert { conversion: Conversion::ToBool, operand, .. }
                if self.scalar(tree.expr(*operand).ty).is_some() =>
            {
                self.truth(*operand)
            }
            _ => {
                let value = self.value(id);
                self.at(expr.span);
                self.is_nonzero(value)
            }
        }
    }

    /// Whether a scalar is unequal to zero; a NaN is.
    pub(super) fn is_nonzero(&mut self, value: Operand) -> Operand {
        match self.b.operand_ty(value) {
            ty @ Ty::Int(_) => self.compare(IrCompare::Ne, value, zero(ty)),
            ty @ Ty::Float(_) => {
                let op = FloatCompareOp::Ne;
                self.emit(PureOp::FloatCompare { op, lhs: value, rhs: zero(ty) }, Ty::BOOL)
            }
            Ty::Ptr => {
                let (op, rhs) = (IrCompare::Ne, Operand::NullPtr);
                self.emit(PointerOp::Compare { op, lhs: value, rhs }, Ty::BOOL)
            }
        }
    }
}

fn is_zero_or_one(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Compare { .. })
}

fn int_compare(op: CompareOp, signedness: Signedness) -> IrCompare {
    match (op, signedness) {
        (CompareOp::Equal, _) => IrCompare::Eq,
        (CompareOp::NotEqual, _) => IrCompare::Ne,
        (CompareOp::Less | CompareOp::Greater, Signedness::Signed) => IrCompare::Slt,
        (CompareOp::Less | CompareOp::Greater, Signedness::Unsigned) => IrCompare::Ult,
        (CompareOp::LessEqual | CompareOp::GreaterEqual, Signedness::Signed) => IrCompare::Sle,
        (CompareOp::LessEqual | CompareOp::GreaterEqual, Signedness::Unsigned) => IrCompare::Ule,
    }
}
