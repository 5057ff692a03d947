//! Unary and binary operators on values: arithmetic, comparison, pointer arithmetic.

use super::Checker;
use crate::diagnostics::{TypeProblem, TypeWarning};
use crate::span::Span;
use crate::tree::{BinaryOp, CompareOp, Conversion, ExprId, ExprKind, Step, UnaryOp, Unsupported};
use crate::ty::kind::{TypeId, TypeKind};
use crate::ty::table::TypeTable;

impl BinaryOp {
    /// As written in C.
    pub const fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
        }
    }

    pub const fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }

    const fn integers_only(self) -> bool {
        !matches!(self, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div)
    }
}

impl CompareOp {
    /// As written in C.
    pub const fn text(self) -> &'static str {
        match self {
            CompareOp::Equal => "==",
            CompareOp::NotEqual => "!=",
            CompareOp::Less => "<",
            CompareOp::LessEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterEqual => ">=",
        }
    }
}

impl Checker<'_> {
    pub(crate) fn bad_operand(
        &mut self,
        operator: &'static str,
        operand: ExprId,
        span: Span,
    ) -> ExprId {
        if !self.is_error(operand) {
            let ty = self.show(self.ty(operand));
            self.error(TypeProblem::BadOperand { operator, ty }, span);
        }
        self.error_node(span)
    }

    pub(crate) fn bad_operands(
        &mut self,
        operator: &'static str,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> ExprId {
        if !self.is_error(left) && !self.is_error(right) {
            let (left, right) = (self.show(self.ty(left)), self.show(self.ty(right)));
            self.error(TypeProblem::BadOperands { operator, left, right }, span);
        }
        self.error_node(span)
    }

    /// If an operand's type has no arithmetic, the whole operation has none.
    fn unmodeled_operands(&self, left: ExprId, right: ExprId) -> Option<Unsupported> {
        self.unmodeled(self.ty(left)).or_else(|| self.unmodeled(self.ty(right)))
    }

    /// `+x`.
    pub(crate) fn unary_plus(&mut self, operand: ExprId, span: Span) -> ExprId {
        let operand = self.value(operand);
        if !self.program.types.is_arithmetic(self.ty(operand)) {
            return self.bad_operand("+", operand, span);
        }
        let promoted = self.promote(operand);
        if promoted == operand {
            // Not a place, and no longer a bit-field.
            return self.convert_node(Conversion::Same, operand, self.ty(operand), span);
        }
        promoted
    }

    /// `-x` and `~x`.
    pub(crate) fn unary(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> ExprId {
        let operand = self.value(operand);
        let ty = self.ty(operand);
        if self.is_odd_width(operand, operand, BinaryOp::Sub) {
            let what = Unsupported::Construct("arithmetic in the width of a wide bit-field");
            let ty = self.program.types.size_type();
            return self.unsupported(what, ty, span);
        }
        let (text, fits) = match op {
            UnaryOp::Negate => ("-", self.program.types.is_arithmetic(ty)),
            UnaryOp::BitNot => ("~", self.program.types.is_integer(ty)),
        };
        if let Some(what) = self.unmodeled(ty) {
            return self.unsupported(what, ty, span);
        }
        if !fits {
            return self.bad_operand(text, operand, span);
        }
        let operand = self.promote(operand);
        let ty = self.ty(operand);
        self.value_node(ExprKind::Unary { op, operand }, ty, span)
    }

    /// `left op right` as written, for all but comparisons and logic.
    pub(crate) fn binary_expression(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> ExprId {
        let (left, right) = (self.value(left), self.value(right));
        let wraps = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl);
        if wraps && self.is_odd_width(left, right, op) {
            let what = Unsupported::Construct("arithmetic in the width of a wide bit-field");
            let ty = self.program.types.size_type();
            return self.unsupported(what, ty, span);
        }
        self.binary(op, left, right, span)
    }

    /// gcc computes with an unsigned bit-field wider than `int` in exactly its width; that is not
    /// modeled. (Stores into the field and operations that cannot wrap are the same in 64 bits.)
    fn is_odd_width(&self, left: ExprId, right: ExprId, op: BinaryOp) -> bool {
        let wide_field = |expr| {
            let kind = self.int_kind_of(expr)?;
            let width = self.bit_field_width(expr)?;
            (!kind.is_signed() && 32 < width && width < kind.width()).then_some(width)
        };
        let width_of = |expr| {
            let own = self.int_kind_of(expr).map_or(128, |kind| kind.width());
            self.bit_field_width(expr).unwrap_or(own)
        };
        match (wide_field(left), wide_field(right)) {
            (None, None) => false,
            (Some(_), _) if op == BinaryOp::Shl => true,
            (None, Some(_)) if op == BinaryOp::Shl => false,
            (Some(width), _) if width_of(right) <= width => true,
            (_, Some(width)) => width_of(left) <= width,
            _ => false,
        }
    }

    /// `left op right` for all but comparisons and logic.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> ExprId {
        let (left, right) = (self.value(left), self.value(right));
        if self.is_error(left) || self.is_error(right) {
            return self.error_node(span);
        }
        let types = &self.program.types;
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            let (left_pointer, right_pointer) =
                (types.is_pointer(left_ty), types.is_pointer(right_ty));
            if left_pointer && right_pointer && op == BinaryOp::Sub {
                return self.pointer_difference(left, right, span);
            }
            if left_pointer && types.is_integer(right_ty) {
                let step = if op == BinaryOp::Add { Step::Forward } else { Step::Backward };
                return self.pointer_add(left, right, step, span);
            }
            if right_pointer && types.is_integer(left_ty) && op == BinaryOp::Add {
                return self.pointer_add(right, left, Step::Forward, span);
            }
        }
        if let Some(what) = self.unmodeled_operands(left, right) {
            let ty = self.unmodeled_result(left_ty, right_ty);
            return self.unsupported(what, ty, span);
        }
        let fits = |ty| {
            if op.integers_only() { types.is_integer(ty) } else { types.is_arithmetic(ty) }
        };
        if !fits(left_ty) || !fits(right_ty) {
            return self.bad_operands(op.text(), left, right, span);
        }
        if op.is_shift() {
            let (left, right) = (self.promote(left), self.promote(right));
            let ty = self.ty(left);
            return self.value_node(ExprKind::Binary { op, left, right }, ty, span);
        }
        let (left, right, ty) = self.usual_arithmetic(left, right);
        self.value_node(ExprKind::Binary { op, left, right }, ty, span)
    }

    /// The type of an operation that is unsupported because of one operand.
    fn unmodeled_result(&self, left: TypeId, right: TypeId) -> TypeId {
        if self.unmodeled(left).is_some() { left } else { right }
    }

    /// `pointer ± index`.
    pub(crate) fn pointer_add(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        step: Step,
        span: Span,
    ) -> ExprId {
        let ty = self.ty(pointer);
        if !self.check_pointee(ty, span) {
            return self.error_node(span);
        }
        let index = self.promote(index);
        self.value_node(ExprKind::PointerAdd { pointer, index, step }, ty, span)
    }

    /// Pointer arithmetic needs a size; GNU gives `void` and functions the size 1.
    pub(crate) fn check_pointee(&mut self, pointer: TypeId, span: Span) -> bool {
        let Some(target) = self.program.types.pointee(pointer) else { return true };
        let types = &self.program.types;
        if types.is_void(target) || types.is_function(target) {
            return true;
        }
        self.require_complete(target, span)
    }

    fn pointer_difference(&mut self, left: ExprId, right: ExprId, span: Span) -> ExprId {
        let types = &self.program.types;
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        let agree = match (types.pointee(left_ty), types.pointee(right_ty)) {
            (Some(a), Some(b)) => {
                types.compatible_unqualified(a, b) || types.is_void(a) || types.is_void(b)
            }
            _ => false,
        };
        if !agree {
            return self.bad_operands("-", left, right, span);
        }
        if !self.check_pointee(left_ty, span) {
            return self.error_node(span);
        }
        let ty = TypeTable::int_id(self.program.types.difference_kind());
        self.value_node(ExprKind::PointerDiff { left, right }, ty, span)
    }

    /// `left op right` for the six comparisons.
    pub(crate) fn compare(
        &mut self,
        op: CompareOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> ExprId {
        let (left, right) = (self.value(left), self.value(right));
        if self.is_error(left) || self.is_error(right) {
            return self.error_node(span);
        }
        let types = &self.program.types;
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        if let Some(what) = self.unmodeled_operands(left, right) {
            return self.unsupported(what, TypeTable::INT, span);
        }
        let (left, right) = if types.is_arithmetic(left_ty) && types.is_arithmetic(right_ty) {
            let (left, right, _) = self.usual_arithmetic(left, right);
            (left, right)
        } else if types.is_scalar(left_ty) && types.is_scalar(right_ty) {
            if types.float_kind(left_ty).is_some() || types.float_kind(right_ty).is_some() {
                return self.bad_operands(op.text(), left, right, span);
            }
            self.common_pointers(left, right, span)
        } else {
            return self.bad_operands(op.text(), left, right, span);
        };
        self.value_node(ExprKind::Compare { op, left, right }, TypeTable::INT, span)
    }

    /// Two scalars of which at least one is a pointer, brought to one pointer type for comparison.
    fn common_pointers(&mut self, left: ExprId, right: ExprId, span: Span) -> (ExprId, ExprId) {
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        let (left_null, right_null) = (self.is_null_constant(left), self.is_null_constant(right));
        let types = &self.program.types;
        match (types.pointee(left_ty), types.pointee(right_ty)) {
            (Some(a), Some(b)) => {
                let left_is_void = types.is_void(a);
                let loose = left_is_void || types.is_void(b) || left_null || right_null;
                if !loose && !self.pointees_comparable(a, b) {
                    let (left, right) = (self.show(left_ty), self.show(right_ty));
                    self.warn(TypeWarning::PointerComparison { left, right }, span);
                }
                if left_is_void {
                    (self.convert_scalar(left, right_ty), right)
                } else {
                    (left, self.convert_scalar(right, left_ty))
                }
            }
            (Some(_), None) => (left, self.integer_as_pointer(right, left_ty, right_null, span)),
            _ => (self.integer_as_pointer(left, right_ty, left_null, span), right),
        }
    }

    fn integer_as_pointer(
        &mut self,
        expr: ExprId,
        ty: TypeId,
        is_null: bool,
        span: Span,
    ) -> ExprId {
        if is_null {
            return self.convert_node(Conversion::NullToPointer, expr, ty, self.span(expr));
        }
        let (left, right) = (self.show(self.ty(expr)), self.show(ty));
        self.warn(TypeWarning::PointerComparison { left, right }, span);
        self.convert_scalar(expr, ty)
    }

    /// True if the type can be an operand of `&&`, `if` and so on.
    pub(crate) fn scalar_condition(&mut self, expr: ExprId) -> ExprId {
        let expr = self.value(expr);
        let ty = self.ty(expr);
        if self.is_error(expr) || matches!(self.program.types.kind(ty), TypeKind::Error) {
            return expr;
        }
        if let Some(what) = self.unmodeled(ty) {
            return self.unsupported(what, TypeTable::INT, self.span(expr));
        }
        if !self.program.types.is_scalar(ty) {
            let problem = if self.program.types.is_void(ty) {
                TypeProblem::VoidValue
            } else {
                TypeProblem::NotScalar { ty: self.show(ty) }
            };
            self.error(problem, self.span(expr));
            return self.error_node(self.span(expr));
        }
        expr
    }
}
