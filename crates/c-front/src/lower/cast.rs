//! Conversions, written or implicit.

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp, FloatClassifyOp, FloatCompareOp};
use glassbox_ir::{CheckKind, Operand, PureOp, Ty};
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

use super::body::{BodyLowering, zero};
use super::place::Purpose;
use crate::tree::{Conversion, Expr, ExprId, ExprKind, FieldRef};
use crate::ty::kind::TypeId;

impl BodyLowering<'_, '_> {
    pub(super) fn convert(
        &mut self,
        conversion: Conversion,
        operand: ExprId,
        expr: &Expr,
    ) -> Operand {
        let tree = self.tree;
        match conversion {
            Conversion::Load => {
                let place = self.place(operand, Purpose::Access);
                self.at(expr.span);
                self.load(&place)
            }
            Conversion::ArrayDecay => {
                let place = self.place(operand, Purpose::Address);
                self.at(expr.span);
                self.mark_use(place.var);
                place.ptr
            }
            Conversion::FunctionDecay => {
                // `*f` of a function pointer is the function again.
                let ExprKind::Deref(pointer) = tree.expr(operand).kind else {
                    return self.value(operand);
                };
                self.value(pointer)
            }
            Conversion::ToVoid => {
                self.effect(operand);
                Operand::NullPtr
            }
            Conversion::ToBool => {
                let truth = self.truth(operand);
                self.at(expr.span);
                self.truth_to_int(truth, expr.ty)
            }
            Conversion::NullToPointer => {
                self.effect(operand);
                Operand::NullPtr
            }
            Conversion::PointerToPointer => {
                let value = self.value(operand);
                self.mark_pointee(value, operand, expr.ty);
                value
            }
            Conversion::Same => self.value(operand),
            Conversion::ToUnion { field } => self.convert_to_union(field, operand, expr.ty),
            Conversion::IntToInt
            | Conversion::IntToFloat
            | Conversion::FloatToInt
            | Conversion::FloatToFloat
            | Conversion::IntToPointer
            | Conversion::PointerToInt => {
                let from = tree.expr(operand).ty;
                let value = self.value(operand);
                self.at(expr.span);
                self.convert_scalar(value, from, expr.ty)
            }
        }
    }

    /// A scalar value of type `from` as one of type `to`, which is not `_Bool` unless `from` is.
    pub(super) fn convert_scalar(&mut self, value: Operand, from: TypeId, to: TypeId) -> Operand {
        let types = &self.tree.types;
        let from_sign = types.signedness(from).unwrap_or(Signedness::Unsigned);
        let to_sign = types.signedness(to).unwrap_or(Signedness::Unsigned);
        let Some(to_ty) = self.scalar(to) else {
            return self.unsupported("a conversion to this type", None);
        };
        if types.is_bool(to) && !types.is_bool(from) {
            let truth = self.is_nonzero(value);
            return self.truth_to_int(truth, to);
        }
        match (self.b.operand_ty(value), to_ty) {
            (Ty::Int(_), Ty::Int(width)) => self.resize(value, width, from_sign),
            (Ty::Int(width), Ty::Float(format)) => {
                let is_exact = width <= format.significand;
                if let Some(what) = self.inexact(false).filter(|_| !is_exact) {
                    return self.unsupported(what, Some(to_ty));
                }
                if let Operand::Int(bits) = value {
                    let rounding = RoundingMode::NearestEven;
                    return Operand::Float(Float::from_int(bits, from_sign, format, rounding));
                }
                let op = CastOp::IntToFloat(from_sign);
                self.emit(PureOp::Cast { op, arg: value, to: to_ty }, to_ty)
            }
            (Ty::Float(format), Ty::Int(width)) => {
                self.check_float_fits(value, format, width, to_sign);
                let op = CastOp::FloatToInt(to_sign);
                self.emit(PureOp::Cast { op, arg: value, to: to_ty }, to_ty)
            }
            (Ty::Float(from), Ty::Float(to)) if from != to => {
                let op = CastOp::FloatToFloat;
                self.emit(PureOp::Cast { op, arg: value, to: to_ty }, to_ty)
            }
            (Ty::Int(_), Ty::Ptr) => {
                let address = self.resize(value, self.tree.types.pointers().bits(), from_sign);
                let wide = self.resize(address, 64, Signedness::Unsigned);
                if wide == zero(Ty::I64) {
                    return Operand::NullPtr;
                }
                self.pointer_from_number(wide, to)
            }
            (Ty::Ptr, Ty::Int(width)) => {
                if value == Operand::NullPtr {
                    return zero(to_ty);
                }
                let op = CastOp::PtrToInt;
                let wide = self.emit(PureOp::Cast { op, arg: value, to: Ty::I64 }, Ty::I64);
                self.resize(wide, width, Signedness::Unsigned)
            }
            (Ty::Float(_), Ty::Float(_)) | (Ty::Ptr, Ty::Ptr) => value,
            (Ty::Float(_), Ty::Ptr) | (Ty::Ptr, Ty::Float(_)) => {
                self.unsupported("a conversion to this type", Some(to_ty))
            }
        }
    }

    /// A number of 64 bits as a pointer of type `to`.
    pub(super) fn pointer_from_number(&mut self, number: Operand, to: TypeId) -> Operand {
        let constant = if let Operand::Int(bits) = number { bits.to_u64() } else { None };
        if let Some(place) = constant.and_then(|address| self.program.register_at(address, to)) {
            return self.offset_by(Operand::Global(place.global), place.offset);
        }
        self.emit(PureOp::Cast { op: CastOp::IntToPtr, arg: number, to: Ty::Ptr }, Ty::Ptr)
    }

    /// An integer cut or extended to `width` bits.
    pub(super) fn resize(&mut self, value: Operand, width: u8, signedness: Signedness) -> Operand {
        let Ty::Int(from) = self.b.operand_ty(value) else { return value };
        if from == width {
            return value;
        }
        if let Operand::Int(bits) = value {
            return Operand::Int(bits.resize(width, signedness));
        }
        let op = if width < from {
            CastOp::Truncate
        } else {
            match signedness {
                Signedness::Signed => CastOp::SignExtend,
                Signedness::Unsigned => CastOp::ZeroExtend,
            }
        };
        let to = Ty::Int(width);
        self.emit(PureOp::Cast { op, arg: value, to }, to)
    }

    /// The floating number is what it was converted to: it had no part behind the point.
    fn check_same_float(&mut self, value: Operand, converted: Operand, back: CastOp) {
        let ty = self.b.operand_ty(value);
        let back = self.emit(PureOp::Cast { op: back, arg: converted, to: ty }, ty);
        let op = FloatCompareOp::Eq;
        let is_same = self.emit(PureOp::FloatCompare { op, lhs: value, rhs: back }, Ty::BOOL);
        self.check(CheckKind::LossyConversion, is_same, vec![value]);
    }

    /// The number did not become infinite.
    fn check_still_finite(&mut self, value: Operand, converted: Operand) {
        let infinite = |lowering: &mut Self, arg| {
            let op = FloatClassifyOp::IsInfinite;
            lowering.emit(PureOp::FloatClassify { op, arg }, Ty::BOOL)
        };
        let (before, after) = (infinite(self, value), infinite(self, converted));
        let is_kept = self.compare(CompareOp::Eq, before, after);
        self.check(CheckKind::LossyConversion, is_kept, vec![value]);
    }

    /// An implicit conversion that has to keep the value. Where the type shows that it does, nothing is checked; floating
    /// numbers may be rounded, but not to infinity.
    pub(super) fn convert_keeping_value(&mut self, operand: ExprId, expr: &Expr) -> Operand {
        let from = self.tree.expr(operand).ty;
        let value = self.value(operand);
        self.at(expr.span);
        self.convert_implicitly(value, from, expr.ty)
    }

    /// A conversion that no cast asks for: it has to keep the value if that is asked about.
    pub(super) fn convert_implicitly(
        &mut self,
        value: Operand,
        from: TypeId,
        to: TypeId,
    ) -> Operand {
        let types = &self.tree.types;
        let from_sign = types.signedness(from).unwrap_or(Signedness::Unsigned);
        let to_sign = types.signedness(to).unwrap_or(Signedness::Unsigned);
        let is_asked = self.tree.checks_conversions && !types.is_bool(to);
        let converted = self.convert_scalar(value, from, to);
        if !is_asked {
            return converted;
        }
        let (narrow, wide) = match (self.b.operand_ty(value), self.b.operand_ty(converted)) {
            (Ty::Int(narrow), Ty::Int(wide)) => (narrow, wide),
            (Ty::Float(_), Ty::Int(_)) => {
                let op = CastOp::IntToFloat(to_sign);
                self.check_same_float(value, converted, op);
                return converted;
            }
            // A literal such as `0.1` is meant to be rounded.
            (Ty::Float(from), Ty::Float(to))
                if from != to && !matches!(value, Operand::Float(_)) =>
            {
                self.check_still_finite(value, converted);
                return converted;
            }
            (Ty::Int(_) | Ty::Float(_) | Ty::Ptr, Ty::Int(_) | Ty::Float(_) | Ty::Ptr) => {
                return converted;
            }
        };
        let is_kept = match (from_sign, to_sign) {
            (Signedness::Signed, Signedness::Signed)
            | (Signedness::Unsigned, Signedness::Unsigned) => narrow <= wide,
            (Signedness::Unsigned, Signedness::Signed) => narrow < wide,
            (Signedness::Signed, Signedness::Unsigned) => false,
        };
        if !is_kept {
            let mut is_same = Operand::Int(Bits::from_bool(true));
            if wide < narrow {
                let back = self.resize(converted, narrow, to_sign);
                is_same = self.compare(CompareOp::Eq, value, back);
            }
            // Where one of the two has a sign, there is none to be lost or gained.
            let signed = match (from_sign, to_sign) {
                (Signedness::Signed, Signedness::Unsigned) => Some((value, narrow)),
                (Signedness::Unsigned, Signedness::Signed) => Some((converted, wide)),
                (Signedness::Signed, Signedness::Signed)
                | (Signedness::Unsigned, Signedness::Unsigned) => None,
            };
            if let Some((signed, width)) = signed {
                let is_natural = self.compare(CompareOp::Sle, zero(Ty::Int(width)), signed);
                is_same = self.arithmetic(BinaryOp::And, is_same, is_natural);
            }
            self.check(CheckKind::LossyConversion, is_same, vec![value]);
        }
        converted
    }

    /// The part before the point must fit the integer type.
    fn check_float_fits(
        &mut self,
        value: Operand,
        format: Format,
        width: u8,
        signedness: Signedness,
    ) {
        let (low, low_op) = low_bound(format, width, signedness);
        let upper = high_bound(format, width, signedness);
        let is_above = self.emit(
            PureOp::FloatCompare { op: low_op, lhs: Operand::Float(low), rhs: value },
            Ty::BOOL,
        );
        let is_below = self.emit(
            PureOp::FloatCompare { op: FloatCompareOp::Lt, lhs: value, rhs: Operand::Float(upper) },
            Ty::BOOL,
        );
        let fits = self.arithmetic(glassbox_ir::instr::BinaryOp::And, is_above, is_below);
        self.check(CheckKind::FloatToInt, fits, vec![value]);
    }

    /// GNU: a value as a union, in the member that has its type.
    fn convert_to_union(&mut self, field: FieldRef, operand: ExprId, ty: TypeId) -> Operand {
        let value = self.value(operand);
        let union = self.temporary(ty);
        let bytes = self.size_of(ty);
        self.zero_fill(union, bytes);
        let ptr = self.offset_by(union, field.offset);
        let place = self.at_address(ptr, self.tree.expr(operand).ty);
        let place = super::place::Place { is_sure: true, ..place };
        self.store(&place, value);
        union
    }
}

/// Values above this (or from it on, depending on the comparison) truncate into the type.
fn low_bound(format: Format, width: u8, signedness: Signedness) -> (Float, FloatCompareOp) {
    let nearest = RoundingMode::NearestEven;
    match signedness {
        Signedness::Unsigned => {
            let minus_one = Bits::ones(width.max(8));
            (Float::from_int(minus_one, Signedness::Signed, format, nearest), FloatCompareOp::Lt)
        }
        Signedness::Signed => {
            let min = Float::from_int(Bits::min_signed(width), Signedness::Signed, format, nearest);
            // MIN - 1 itself is out and MIN - 0.5 is in, if the format can tell them apart.
            if width < format.significand {
                let below =
                    Bits::min_signed(width).sign_extend(width + 1).sub(Bits::one(width + 1));
                let below = Float::from_int(below, Signedness::Signed, format, nearest);
                (below, FloatCompareOp::Lt)
            } else {
                (min, FloatCompareOp::Le)
            }
        }
    }
}

/// Values below this truncate into the type: the power of two after MAX, infinity if beyond the format.
fn high_bound(format: Format, width: u8, signedness: Signedness) -> Float {
    let power = match signedness {
        Signedness::Signed => width - 1,
        Signedness::Unsigned => width,
    };
    let one =
        Float::from_int(Bits::one(8), Signedness::Unsigned, format, RoundingMode::NearestEven);
    one.scale(i32::from(power), RoundingMode::NearestEven)
}
