//! Compiler builtins.

use glassbox_ir::instr::{
    BinaryOp, CompareOp, FloatClassifyOp, FloatCompareOp, OverflowOp as IrOverflow, UnaryOp,
};
use glassbox_ir::{CheckKind, InstrKind, MemoryOp, Operand, PureOp, SourceType, Terminator, Ty};
use glassbox_values::{Bits, Signedness};

use super::body::{BodyLowering, zero};
use super::place::Place;
use crate::tree::{Builtin, CountBits, Expr, ExprId, FloatTest, OverflowOp};
use crate::ty::kind::TypeId;
use crate::ty::table::TypeTable;

impl BodyLowering<'_, '_> {
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[ExprId],
        expr: &Expr,
    ) -> Operand {
        match builtin {
            Builtin::VaStart => self.va_start(arguments, expr),
            Builtin::VaEnd => self.va_end(arguments, expr),
            Builtin::VaCopy => self.va_copy(arguments, expr),
            Builtin::VaArg => self.va_arg(arguments, expr),
            Builtin::Atomic(op) => self.atomic(op, arguments, expr),
            Builtin::Unreachable => {
                self.at(expr.span);
                self.check_never(CheckKind::Unreachable, None);
                self.end_with(Terminator::Unreachable);
                Operand::NullPtr
            }
            Builtin::Trap => {
                self.at(expr.span);
                self.call_abort();
                Operand::NullPtr
            }
            Builtin::ByteSwap
            | Builtin::Count(_)
            | Builtin::Overflow(_)
            | Builtin::OverflowPredicate(_)
            | Builtin::Alloca
            | Builtin::FloatTest(_)
            | Builtin::FpClassify
            | Builtin::IsGreater
            | Builtin::IsGreaterEqual
            | Builtin::IsLess
            | Builtin::IsLessEqual
            | Builtin::IsLessGreater
            | Builtin::IsUnordered => {
                let values = self.plain_arguments(arguments);
                self.at(expr.span);
                self.value_builtin(builtin, arguments, &values, expr)
            }
        }
    }

    /// The builtins that compute something from their arguments' values.
    fn value_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[ExprId],
        values: &[Operand],
        expr: &Expr,
    ) -> Operand {
        let has_supported_types = values
            .iter()
            .zip(arguments)
            .all(|(_, &argument)| self.scalar(self.tree.expr(argument).ty).is_some());
        if !has_supported_types {
            return self.unsupported("a builtin on this type", self.scalar(expr.ty));
        }
        match builtin {
            Builtin::ByteSwap => {
                let ty = self.b.operand_ty(values[0]);
                self.emit(PureOp::Unary { op: UnaryOp::Bswap, arg: values[0] }, ty)
            }
            Builtin::Count(count) => self.count(count, values[0]),
            Builtin::Overflow(op) => self.overflow_builtin(op, arguments, values, expr),
            Builtin::OverflowPredicate(op) => {
                let ty = self.tree.expr(arguments[2]).ty;
                let (_, overflows) = self.exact(op, arguments, values, ty);
                self.truth_to_int(overflows, expr.ty)
            }
            Builtin::Alloca => {
                let source_type = self.program.out.intern_source_type(SourceType::Void);
                let size = self.resize(values[0], 64, Signedness::Unsigned);
                let kind = InstrKind::Memory(MemoryOp::StackAlloc { size, align: 16, source_type });
                self.emit(kind, Ty::Ptr)
            }
            Builtin::FloatTest(test) => self.float_test(test, values[0]),
            Builtin::FpClassify => self.fp_classify(values),
            Builtin::IsGreater => self.quiet(FloatCompareOp::Lt, values[1], values[0]),
            Builtin::IsGreaterEqual => self.quiet(FloatCompareOp::Le, values[1], values[0]),
            Builtin::IsLess => self.quiet(FloatCompareOp::Lt, values[0], values[1]),
            Builtin::IsLessEqual => self.quiet(FloatCompareOp::Le, values[0], values[1]),
            Builtin::IsLessGreater => {
                let less = self.float_compare(FloatCompareOp::Lt, values[0], values[1]);
                let greater = self.float_compare(FloatCompareOp::Lt, values[1], values[0]);
                let either = self.arithmetic(BinaryOp::Or, less, greater);
                self.truth_to_int(either, TypeTable::INT)
            }
            Builtin::IsUnordered => {
                let left = self.classify(FloatClassifyOp::IsNan, values[0]);
                let right = self.classify(FloatClassifyOp::IsNan, values[1]);
                let either = self.arithmetic(BinaryOp::Or, left, right);
                self.truth_to_int(either, TypeTable::INT)
            }
            Builtin::VaStart
            | Builtin::VaEnd
            | Builtin::VaCopy
            | Builtin::VaArg
            | Builtin::Unreachable
            | Builtin::Trap
            | Builtin::Atomic(_) => unreachable!("these should have been handled by the caller"),
        }
    }

    fn float_compare(&mut self, op: FloatCompareOp, lhs: Operand, rhs: Operand) -> Operand {
        self.emit(PureOp::FloatCompare { op, lhs, rhs }, Ty::BOOL)
    }

    fn quiet(&mut self, op: FloatCompareOp, lhs: Operand, rhs: Operand) -> Operand {
        let truth = self.float_compare(op, lhs, rhs);
        self.truth_to_int(truth, TypeTable::INT)
    }

    fn classify(&mut self, op: FloatClassifyOp, arg: Operand) -> Operand {
        self.emit(PureOp::FloatClassify { op, arg }, Ty::BOOL)
    }

    pub(super) fn select(
        &mut self,
        condition: Operand,
        if_true: Operand,
        if_false: Operand,
    ) -> Operand {
        let ty = self.b.operand_ty(if_true);
        self.emit(PureOp::Select { condition, if_true, if_false }, ty)
    }

    /// `isnan` and the like, as an `int`.
    pub(super) fn float_test(&mut self, test: FloatTest, arg: Operand) -> Operand {
        let op = match test {
            FloatTest::IsNan => FloatClassifyOp::IsNan,
            FloatTest::IsInf | FloatTest::IsInfSign => FloatClassifyOp::IsInfinite,
            FloatTest::IsFinite => FloatClassifyOp::IsFinite,
            FloatTest::IsNormal => FloatClassifyOp::IsNormal,
            FloatTest::SignBit => FloatClassifyOp::SignBit,
        };
        let truth = self.classify(op, arg);
        let as_int = self.truth_to_int(truth, TypeTable::INT);
        match test {
            FloatTest::IsInfSign => {
                let is_negative = self.classify(FloatClassifyOp::SignBit, arg);
                let minus_one = Operand::Int(Bits::ones(32));
                let signed = self.select(is_negative, minus_one, as_int);
                self.select(truth, signed, zero(Ty::I32))
            }
            // gcc at -O0 leaves the sign bit of a float in place, and gives 1 for a double.
            FloatTest::SignBit if self.b.operand_ty(arg) == Ty::F32 => {
                self.select(truth, Operand::Int(Bits::min_signed(32)), zero(Ty::I32))
            }
            FloatTest::IsNan
            | FloatTest::IsInf
            | FloatTest::IsFinite
            | FloatTest::IsNormal
            | FloatTest::SignBit => as_int,
        }
    }

    /// One of `nan, inf, normal, subnormal, zero` by the class of the sixth argument.
    fn fp_classify(&mut self, values: &[Operand]) -> Operand {
        let arg = values[5];
        let mut result = values[2];
        let classes = [
            (FloatClassifyOp::IsNan, values[0]),
            (FloatClassifyOp::IsInfinite, values[1]),
            (FloatClassifyOp::IsSubnormal, values[3]),
            (FloatClassifyOp::IsZero, values[4]),
        ];
        for (op, value) in classes {
            let is_class = self.classify(op, arg);
            result = self.select(is_class, value, result);
        }
        result
    }

    fn count(&mut self, count: CountBits, arg: Operand) -> Operand {
        let ty = self.b.operand_ty(arg);
        let Ty::Int(width) = ty else { return zero(Ty::I32) };
        let unary = |this: &mut Self, op, arg| this.emit(PureOp::Unary { op, arg }, ty);
        let counted = match count {
            CountBits::LeadingZeros | CountBits::TrailingZeros => {
                let is_nonzero = self.compare(CompareOp::Ne, arg, zero(ty));
                self.check(CheckKind::BadArgument, is_nonzero, vec![arg]);
                let is_leading = count == CountBits::LeadingZeros;
                unary(self, if is_leading { UnaryOp::Clz } else { UnaryOp::Ctz }, arg)
            }
            CountBits::PopCount => unary(self, UnaryOp::Popcount, arg),
            CountBits::Parity => {
                let ones = unary(self, UnaryOp::Popcount, arg);
                self.arithmetic(BinaryOp::And, ones, Operand::Int(Bits::one(width)))
            }
            CountBits::FindFirstSet => {
                let low = unary(self, UnaryOp::Ctz, arg);
                let one = Operand::Int(Bits::one(width));
                let position = self.arithmetic(BinaryOp::Add, low, one);
                let is_zero = self.compare(CompareOp::Eq, arg, zero(ty));
                self.select(is_zero, zero(ty), position)
            }
            CountBits::RedundantSignBits => {
                // Leading zeros of x ^ (x >> (width - 1)), the sign bit itself not counted.
                let last = Operand::Int(Bits::from_u64(u64::from(width) - 1, width));
                let sign = self.arithmetic(BinaryOp::Ashr, arg, last);
                let folded = self.arithmetic(BinaryOp::Xor, arg, sign);
                let zeros = unary(self, UnaryOp::Clz, folded);
                self.arithmetic(BinaryOp::Sub, zeros, Operand::Int(Bits::one(width)))
            }
        };
        self.resize(counted, 32, Signedness::Unsigned)
    }

    fn overflow_builtin(
        &mut self,
        op: OverflowOp,
        arguments: &[ExprId],
        values: &[Operand],
        expr: &Expr,
    ) -> Operand {
        let Some(ty) = self.tree.types.pointee(self.tree.expr(arguments[2]).ty) else {
            return self.unsupported("a builtin on this type", self.scalar(expr.ty));
        };
        let (result, overflows) = self.exact(op, arguments, values, ty);
        let place: Place = self.at_address(values[2], ty);
        self.store(&place, result);
        self.truth_to_int(overflows, expr.ty)
    }

    /// The exact result cut to `ty`, and whether something was cut off.
    fn exact(
        &mut self,
        op: OverflowOp,
        arguments: &[ExprId],
        values: &[Operand],
        ty: TypeId,
    ) -> (Operand, Operand) {
        let types = &self.tree.types;
        let op = match op {
            OverflowOp::Add => IrOverflow::Add,
            OverflowOp::Sub => IrOverflow::Sub,
            OverflowOp::Mul => IrOverflow::Mul,
        };
        let kind = |ty| types.int_kind(ty).map(|kind| (kind.width(), kind.signedness()));
        let lhs_kind = kind(self.tree.expr(arguments[0]).ty);
        let rhs_kind = kind(self.tree.expr(arguments[1]).ty);
        let (Some(lhs_kind), Some(rhs_kind), Some(result_kind)) = (lhs_kind, rhs_kind, kind(ty))
        else {
            let ty = self.scalar(ty).unwrap_or(Ty::I32);
            return (self.unsupported("a builtin on this type", Some(ty)), zero(Ty::BOOL));
        };
        let (width, signedness) = result_kind;
        let wrapped = |this: &mut Self, lhs, rhs| {
            let op = match op {
                IrOverflow::Add => BinaryOp::Add,
                IrOverflow::Sub => BinaryOp::Sub,
                IrOverflow::Mul => BinaryOp::Mul,
            };
            this.arithmetic(op, lhs, rhs)
        };
        if lhs_kind == result_kind && rhs_kind == result_kind {
            let fits = self.fits(op, values[0], values[1], signedness);
            return (wrapped(self, values[0], values[1]), self.not(fits));
        }
        if lhs_kind.0 == 128 || rhs_kind.0 == 128 || width == 128 {
            let what = "an overflow builtin that mixes 128-bit types";
            return (self.unsupported(what, Some(Ty::Int(width))), zero(Ty::BOOL));
        }
        // 128 signed bits hold every sum and difference of 64-bit numbers exactly; a product that
        // overflows them does not fit 64 bits either.
        let lhs = self.resize(values[0], 128, lhs_kind.1);
        let rhs = self.resize(values[1], 128, rhs_kind.1);
        let fits_wide = self.fits(op, lhs, rhs, Signedness::Signed);
        let wide = wrapped(self, lhs, rhs);
        let result = self.resize(wide, width, signedness);
        let back = self.resize(result, 128, signedness);
        let fits_narrow = self.compare(CompareOp::Eq, back, wide);
        let fits = self.arithmetic(BinaryOp::And, fits_wide, fits_narrow);
        (result, self.not(fits))
    }
}
