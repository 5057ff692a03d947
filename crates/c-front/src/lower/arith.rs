//! Arithmetic: operators on integers and floats, each integer operator with the checks it needs.

use glassbox_ir::instr::{
    BinaryOp as IrBinary, CompareOp as IrCompare, FloatBinaryOp, FloatUnaryOp, OverflowOp,
    UnaryOp as IrUnary,
};
use glassbox_ir::{CheckKind, Operand, PureOp, Ty};
use glassbox_values::{Bits, Signedness};

use super::body::{BodyLowering, zero};
use crate::flags::Floats;
use crate::tree::{BinaryOp, Conversion, Expr, ExprId, ExprKind, UnaryOp};
use crate::ty::kind::TypeId;

impl BodyLowering<'_, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: ExprId, expr: &Expr) -> Operand {
        let arg = self.value(operand);
        self.at(expr.span);
        let ty = self.b.operand_ty(arg);
        match (op, ty) {
            (UnaryOp::Negate, Ty::Float(_)) => {
                if let Operand::Float(float) = arg {
                    return Operand::Float(float.neg());
                }
                self.emit(PureOp::FloatUnary { op: FloatUnaryOp::Neg, arg }, ty)
            }
            (UnaryOp::Negate, Ty::Int(width)) => {
                if self.tree.types.signedness(expr.ty) == Some(Signedness::Signed) {
                    let min = Operand::Int(Bits::min_signed(width));
                    let fits = self.compare(IrCompare::Ne, arg, min);
                    self.check(CheckKind::SignedOverflow, fits, vec![arg]);
                }
                if let Operand::Int(bits) = arg {
                    return Operand::Int(bits.neg());
                }
                self.emit(PureOp::Unary { op: IrUnary::Neg, arg }, ty)
            }
            (UnaryOp::BitNot, Ty::Int(_)) => {
                if let Operand::Int(bits) = arg {
                    return Operand::Int(bits.not());
                }
                self.emit(PureOp::Unary { op: IrUnary::Not, arg }, ty)
            }
            (UnaryOp::Negate | UnaryOp::BitNot, Ty::Float(_) | Ty::Ptr) => {
                self.unsupported("an operator on this type", Some(ty))
            }
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        expr: &Expr,
    ) -> Operand {
        let is_commutative = match op {
            BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => true,
            BinaryOp::Sub | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr => false,
        };
        let (lhs, rhs) = self.operands(left, right, is_commutative);
        let amount_ty = self.tree.expr(right).ty;
        self.at(expr.span);
        self.combine(op, lhs, rhs, expr.ty, amount_ty)
    }

    /// Both operands of an operator, evaluated in gcc's order: left first, except that it moves a plain
    /// variable behind anything else where it may exchange the operands.
    pub(super) fn operands(
        &mut self,
        left: ExprId,
        right: ExprId,
        may_exchange: bool,
    ) -> (Operand, Operand) {
        if may_exchange && self.is_plain_variable(left) && !self.is_simple(right) {
            let rhs = self.value(right);
            let lhs = self.value(left);
            return (lhs, rhs);
        }
        let lhs = self.value(left);
        let rhs = self.value(right);
        (lhs, rhs)
    }

    /// A variable that is read, through conversions that keep its size.
    fn is_plain_variable(&self, id: ExprId) -> bool {
        let mut at = id;
        while let Some(operand) = self.same_bits(at) {
            at = operand;
        }
        matches!(self.tree.expr(at).kind, ExprKind::Convert { conversion: Conversion::Load, operand, .. }
            if matches!(self.tree.expr(operand).kind, ExprKind::Variable(_)))
    }

    /// The operand of a conversion that leaves its bits as they are.
    pub(super) fn same_bits(&self, id: ExprId) -> Option<ExprId> {
        let expr = self.tree.expr(id);
        let ExprKind::Convert {
            conversion: Conversion::IntToInt | Conversion::PointerToPointer | Conversion::Same,
            operand,
            ..
        } = expr.kind
        else {
            return None;
        };
        let is_same_size = self.size_of(expr.ty) == self.size_of(self.tree.expr(operand).ty);
        is_same_size.then_some(operand)
    }

    /// A variable or a constant, which evaluate alike in any order.
    fn is_simple(&self, id: ExprId) -> bool {
        matches!(self.tree.expr(id).kind, ExprKind::Int(_) | ExprKind::Float(_))
            || self.is_plain_variable(id)
    }

    /// `lhs op rhs` computed in `ty`, with its checks. The operand of a shift has a type of its own.
    pub(super) fn combine(
        &mut self,
        op: BinaryOp,
        lhs: Operand,
        rhs: Operand,
        ty: TypeId,
        amount_ty: TypeId,
    ) -> Operand {
        let lhs_ty = self.b.operand_ty(lhs);
        match lhs_ty {
            Ty::Float(_) => self.combine_floats(op, lhs, rhs, lhs_ty),
            Ty::Int(width) => {
                let signedness = self.tree.types.signedness(ty).unwrap_or(Signedness::Signed);
                match op {
                    BinaryOp::Add => self.overflowing(OverflowOp::Add, lhs, rhs, signedness),
                    BinaryOp::Sub => self.overflowing(OverflowOp::Sub, lhs, rhs, signedness),
                    BinaryOp::Mul => self.overflowing(OverflowOp::Mul, lhs, rhs, signedness),
                    BinaryOp::Div => self.divide(IrDivision::Quotient, lhs, rhs, signedness),
                    BinaryOp::Rem => self.divide(IrDivision::Remainder, lhs, rhs, signedness),
                    BinaryOp::And => self.arithmetic(IrBinary::And, lhs, rhs),
                    BinaryOp::Or => self.arithmetic(IrBinary::Or, lhs, rhs),
                    BinaryOp::Xor => self.arithmetic(IrBinary::Xor, lhs, rhs),
                    BinaryOp::Shl | BinaryOp::Shr => {
                        let of_amount =
                            self.tree.types.signedness(amount_ty).unwrap_or(Signedness::Signed);
                        let amount = self.shift_amount(rhs, of_amount, width);
                        if op == BinaryOp::Shl {
                            return self.shift_left(lhs, amount, signedness);
                        }
                        let right = match signedness {
                            Signedness::Signed => IrBinary::Ashr,
                            Signedness::Unsigned => IrBinary::Lshr,
                        };
                        self.arithmetic(right, lhs, amount)
                    }
                }
            }
            Ty::Ptr => self.unsupported("an operator on this type", Some(lhs_ty)),
        }
    }

    fn combine_floats(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand, ty: Ty) -> Operand {
        let op = match op {
            BinaryOp::Add => FloatBinaryOp::Add,
            BinaryOp::Sub => FloatBinaryOp::Sub,
            BinaryOp::Mul => FloatBinaryOp::Mul,
            BinaryOp::Div => FloatBinaryOp::Div,
            BinaryOp::Rem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::Shr => return self.unsupported("an operator on this type", Some(ty)),
        };
        if let Some(what) = self.inexact(op == FloatBinaryOp::Mul) {
            return self.unsupported(what, Some(ty));
        }
        let result = self.emit(PureOp::FloatBinary { op, lhs, rhs }, ty);
        self.check_arithmetic_range(op, [lhs, rhs], result);
        result
    }

    /// Why the result of arithmetic on floating numbers is up to the compiler, if it is.
    pub(super) fn inexact(&self, is_product: bool) -> Option<&'static str> {
        match self.tree.floats {
            Floats::Exact => None,
            Floats::Excess => {
                Some("arithmetic of the x87 (compile with -msse2 -mfpmath=sse to have it rounded)")
            }
            Floats::Fused => is_product.then_some(
                "a product that may be fused with a sum (compile with -ffp-contract=off)",
            ),
        }
    }

    /// `+`, `-`, `*`: unsigned ones wrap, signed ones must not. With `checks_unsigned_wrap`, neither may.
    fn overflowing(
        &mut self,
        op: OverflowOp,
        lhs: Operand,
        rhs: Operand,
        signedness: Signedness,
    ) -> Operand {
        let kind = match signedness {
            Signedness::Signed => Some(CheckKind::SignedOverflow),
            Signedness::Unsigned => {
                self.tree.checks_unsigned_wrap.then_some(CheckKind::UnsignedWrap)
            }
        };
        if let Some(kind) = kind {
            let fits = self.fits(op, lhs, rhs, signedness);
            self.check(kind, fits, vec![lhs, rhs]);
        }
        let op = match op {
            OverflowOp::Add => IrBinary::Add,
            OverflowOp::Sub => IrBinary::Sub,
            OverflowOp::Mul => IrBinary::Mul,
        };
        self.arithmetic(op, lhs, rhs)
    }

    /// Whether the exact result fits.
    pub(super) fn fits(
        &mut self,
        op: OverflowOp,
        lhs: Operand,
        rhs: Operand,
        signedness: Signedness,
    ) -> Operand {
        if let (Operand::Int(l), Operand::Int(r)) = (lhs, rhs) {
            let overflows = match op {
                OverflowOp::Add => l.add_overflows(r, signedness),
                OverflowOp::Sub => l.sub_overflows(r, signedness),
                OverflowOp::Mul => l.mul_overflows(r, signedness),
            };
            return Operand::Int(Bits::from_bool(!overflows));
        }
        let overflows = self.emit(PureOp::Overflows { op, signedness, lhs, rhs }, Ty::BOOL);
        self.not(overflows)
    }

    fn divide(
        &mut self,
        part: IrDivision,
        lhs: Operand,
        rhs: Operand,
        signedness: Signedness,
    ) -> Operand {
        let Ty::Int(width) = self.b.operand_ty(rhs) else { return rhs };
        let is_nonzero = self.compare(IrCompare::Ne, rhs, zero(Ty::Int(width)));
        self.check(CheckKind::DivisionByZero, is_nonzero, vec![lhs, rhs]);
        let op = match (signedness, part) {
            (Signedness::Unsigned, IrDivision::Quotient) => IrBinary::Udiv,
            (Signedness::Unsigned, IrDivision::Remainder) => IrBinary::Urem,
            (Signedness::Signed, part) => {
                self.check_division_overflow(lhs, rhs, width);
                match part {
                    IrDivision::Quotient => IrBinary::Sdiv,
                    IrDivision::Remainder => IrBinary::Srem,
                }
            }
        };
        self.arithmetic(op, lhs, rhs)
    }

    /// `MIN / -1` does not fit, and `MIN % -1` is undefined with it.
    fn check_division_overflow(&mut self, lhs: Operand, rhs: Operand, width: u8) {
        let minus_one = Operand::Int(Bits::ones(width));
        let min = Operand::Int(Bits::min_signed(width));
        let is_other_divisor = self.compare(IrCompare::Ne, rhs, minus_one);
        if is_other_divisor == Operand::Int(Bits::from_bool(true)) {
            return;
        }
        let is_other_dividend = self.compare(IrCompare::Ne, lhs, min);
        let fits = self.arithmetic(IrBinary::Or, is_other_divisor, is_other_dividend);
        self.check(CheckKind::SignedOverflow, fits, vec![lhs, rhs]);
    }

    /// The amount in the shifted type, checked to be below its width.
    fn shift_amount(&mut self, amount: Operand, signedness: Signedness, width: u8) -> Operand {
        let Ty::Int(own_width) = self.b.operand_ty(amount) else { return amount };
        let bound = self.constant(u64::from(width), own_width);
        let is_in_range = self.compare(IrCompare::Ult, amount, bound);
        self.check(CheckKind::ShiftAmount, is_in_range, vec![amount]);
        self.resize(amount, width, signedness)
    }

    fn shift_left(&mut self, lhs: Operand, amount: Operand, signedness: Signedness) -> Operand {
        if signedness == Signedness::Signed
            && let Ty::Int(width) = self.b.operand_ty(lhs)
        {
            // Not negative and still representable when shifted: at most MAX >> amount, unsigned.
            let max = Operand::Int(Bits::max_signed(width));
            let largest = self.arithmetic(IrBinary::Lshr, max, amount);
            let fits = self.compare(IrCompare::Ule, lhs, largest);
            self.check(CheckKind::ShiftOverflow, fits, vec![lhs, amount]);
        }
        self.arithmetic(IrBinary::Shl, lhs, amount)
    }
}

#[derive(Debug, Clone, Copy)]
enum IrDivision {
    Quotient,
    Remainder,
}
