//! Arithmetic, conversions, three-way comparisons.

use std::rc::Rc;

use glassbox_ir::instr::{
    BinaryOp, CastOp, CompareOp, FloatBinaryOp, FloatCompareOp, FloatUnaryOp, OverflowOp, UnaryOp,
};
use glassbox_ir::{CheckKind, Operand, PureOp, Ty};
use glassbox_values::{Bits, Signedness};

use super::emit::{int, zero};
use super::method::{Entry, Fact, Malformed, MethodLowering, malformed};
use crate::classfile::insn::{ArithOp, Comparison, Conversion};
use crate::descriptor::Kind;
use crate::library::Thrower;

/// Longer texts of conditions are cut off.
const MAX_TEXT: usize = 60;

impl MethodLowering<'_> {
    pub(super) fn arith(&mut self, op: ArithOp, kind: Kind) -> Result<(), Malformed> {
        let is_shift = matches!(op, ArithOp::Shl | ArithOp::Shr | ArithOp::Ushr);
        let rhs = self.pop_entry(if is_shift { Kind::Int } else { kind })?;
        let lhs = self.pop_entry(kind)?;
        let text = self.binary_text(&lhs, symbol(op), &rhs);
        let value = match kind {
            Kind::Int | Kind::Long => self.integer_arith(op, lhs.value, rhs.value)?,
            Kind::Float | Kind::Double => self.float_arith(op, lhs.value, rhs.value)?,
            Kind::Ref => return malformed("arithmetic on references"),
        };
        self.push_text(kind, value, text);
        Ok(())
    }

    fn integer_arith(
        &mut self,
        op: ArithOp,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<Operand, Malformed> {
        let op = match op {
            ArithOp::Add => BinaryOp::Add,
            ArithOp::Sub => BinaryOp::Sub,
            ArithOp::Mul => BinaryOp::Mul,
            ArithOp::And => BinaryOp::And,
            ArithOp::Or => BinaryOp::Or,
            ArithOp::Xor => BinaryOp::Xor,
            ArithOp::Div | ArithOp::Rem => {
                if !matches!(rhs, Operand::Int(bits) if !bits.is_zero()) {
                    let ty = self.emit.ty(rhs);
                    let is_zero = self.emit.compare(CompareOp::Eq, rhs, zero(ty));
                    self.throw_if(is_zero, Thrower::Arithmetic, Vec::new())?;
                }
                if op == ArithOp::Div {
                    self.check_quotient(lhs, rhs);
                    BinaryOp::Sdiv
                } else {
                    BinaryOp::Srem
                }
            }
            ArithOp::Shl => return self.shift(BinaryOp::Shl, lhs, rhs),
            ArithOp::Shr => return self.shift(BinaryOp::Ashr, lhs, rhs),
            ArithOp::Ushr => return self.shift(BinaryOp::Lshr, lhs, rhs),
        };
        self.check_overflow(op, lhs, rhs);
        Ok(self.emit.binary(op, lhs, rhs))
    }

    /// Notes that a sum, difference or product fits: whether that is asked, is decided behind the front-end.
    pub(super) fn check_overflow(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) {
        let op = match op {
            BinaryOp::Add => OverflowOp::Add,
            BinaryOp::Sub => OverflowOp::Sub,
            BinaryOp::Mul => OverflowOp::Mul,
            BinaryOp::Udiv
            | BinaryOp::Sdiv
            | BinaryOp::Urem
            | BinaryOp::Srem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::Lshr
            | BinaryOp::Ashr => return,
        };
        if !self.has_properties() {
            return;
        }
        let signedness = Signedness::Signed;
        let overflows = self.emit.value(PureOp::Overflows { op, signedness, lhs, rhs }, Ty::BOOL);
        let fits = self.emit.not(overflows);
        self.check(CheckKind::SignedOverflow, fits, None);
    }

    /// Notes that a quotient fits: the smallest number has no opposite. Its remainder by -1 is 0, which does.
    fn check_quotient(&mut self, lhs: Operand, rhs: Operand) {
        let Ty::Int(width) = self.emit.ty(lhs) else { return };
        let opposite = Bits::ones(width);
        let may_overflow = match rhs {
            Operand::Int(divisor) => divisor == opposite,
            Operand::Value(_)
            | Operand::Float(_)
            | Operand::NullPtr
            | Operand::Global(_)
            | Operand::Func(_) => true,
        };
        if !self.has_properties() || !may_overflow {
            return;
        }
        let smallest = Operand::Int(Bits::new(1 << (width - 1), width));
        let is_smallest = self.emit.compare(CompareOp::Eq, lhs, smallest);
        let is_opposite = self.emit.compare(CompareOp::Eq, rhs, Operand::Int(opposite));
        let overflows = self.emit.binary(BinaryOp::And, is_smallest, is_opposite);
        let fits = self.emit.not(overflows);
        self.check(CheckKind::SignedOverflow, fits, None);
    }

    /// A shift by the low five or six bits of the amount.
    fn shift(&mut self, op: BinaryOp, lhs: Operand, amount: Operand) -> Result<Operand, Malformed> {
        let Ty::Int(width) = self.emit.ty(lhs) else { return malformed("a shift of no integer") };
        let mask = u128::from(width - 1);
        let amount = if let Operand::Int(bits) = amount {
            Operand::Int(Bits::new(bits.unsigned() & mask, width))
        } else {
            let mask = Operand::Int(Bits::new(mask, 32));
            let masked = self.emit.binary(BinaryOp::And, amount, mask);
            if width == 32 {
                masked
            } else {
                self.emit.cast(CastOp::ZeroExtend, masked, Ty::Int(width))
            }
        };
        Ok(self.emit.binary(op, lhs, amount))
    }

    fn float_arith(
        &mut self,
        op: ArithOp,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<Operand, Malformed> {
        let op = match op {
            ArithOp::Add => FloatBinaryOp::Add,
            ArithOp::Sub => FloatBinaryOp::Sub,
            ArithOp::Mul => FloatBinaryOp::Mul,
            ArithOp::Div => FloatBinaryOp::Div,
            ArithOp::Rem => FloatBinaryOp::Fmod,
            ArithOp::And
            | ArithOp::Or
            | ArithOp::Xor
            | ArithOp::Shl
            | ArithOp::Shr
            | ArithOp::Ushr => return malformed("bits of a float"),
        };
        let ty = self.emit.ty(lhs);
        Ok(self.emit.value(PureOp::FloatBinary { op, lhs, rhs }, ty))
    }

    pub(super) fn negate(&mut self, kind: Kind) -> Result<(), Malformed> {
        let entry = self.pop_entry(kind)?;
        let arg = entry.value;
        let value = match kind {
            Kind::Int | Kind::Long => {
                self.check_overflow(BinaryOp::Sub, zero(kind.ty()), arg);
                self.emit.value(PureOp::Unary { op: UnaryOp::Neg, arg }, kind.ty())
            }
            Kind::Float | Kind::Double => {
                self.emit.value(PureOp::FloatUnary { op: FloatUnaryOp::Neg, arg }, kind.ty())
            }
            Kind::Ref => return malformed("arithmetic on references"),
        };
        let text = entry.text.map(|text| format!("-{text}").into());
        self.push_text(kind, value, text);
        Ok(())
    }

    pub(super) fn convert(&mut self, conversion: Conversion) -> Result<(), Malformed> {
        let (from, to) = match conversion {
            Conversion::Kinds(from, to) => (from, to),
            Conversion::IntToByte | Conversion::IntToChar | Conversion::IntToShort => {
                return self.narrow(conversion);
            }
        };
        let entry = self.pop_entry(from)?;
        let op = match (from, to) {
            (Kind::Int, Kind::Long) => CastOp::SignExtend,
            (Kind::Long, Kind::Int) => CastOp::Truncate,
            (Kind::Int | Kind::Long, Kind::Float | Kind::Double) => {
                CastOp::IntToFloat(Signedness::Signed)
            }
            (Kind::Float | Kind::Double, Kind::Int | Kind::Long) => CastOp::FloatToIntSaturating,
            (Kind::Float, Kind::Double) | (Kind::Double, Kind::Float) => CastOp::FloatToFloat,
            _ => return malformed("a conversion of references"),
        };
        let value = self.emit.cast(op, entry.value, to.ty());
        self.push_text(to, value, entry.text);
        Ok(())
    }

    fn narrow(&mut self, conversion: Conversion) -> Result<(), Malformed> {
        let entry = self.pop_entry(Kind::Int)?;
        let (ty, op) = match conversion {
            Conversion::IntToByte => (Ty::I8, CastOp::SignExtend),
            Conversion::IntToChar => (Ty::I16, CastOp::ZeroExtend),
            Conversion::IntToShort | Conversion::Kinds(..) => (Ty::I16, CastOp::SignExtend),
        };
        let narrow = self.emit.cast(CastOp::Truncate, entry.value, ty);
        let value = self.emit.cast(op, narrow, Ty::I32);
        self.push_text(Kind::Int, value, entry.text);
        Ok(())
    }

    /// -1, 0 or 1; a branch on it looks at the operands instead.
    pub(super) fn compare(&mut self, comparison: Comparison) -> Result<(), Malformed> {
        let kind = match comparison {
            Comparison::Long => Kind::Long,
            Comparison::FloatLess(kind) | Comparison::FloatGreater(kind) => kind,
        };
        let rhs = self.pop_entry(kind)?;
        let lhs = self.pop_entry(kind)?;
        let (a, b) = (lhs.value, rhs.value);
        let value = match comparison {
            Comparison::Long => {
                let is_less = self.emit.compare(CompareOp::Slt, a, b);
                let is_equal = self.emit.compare(CompareOp::Eq, a, b);
                let other = self.emit.select(is_equal, int(0), int(1));
                self.emit.select(is_less, int(-1), other)
            }
            Comparison::FloatLess(_) => {
                let is_greater = self.emit.float_compare(FloatCompareOp::Lt, b, a);
                let is_equal = self.emit.float_compare(FloatCompareOp::Eq, a, b);
                let other = self.emit.select(is_equal, int(0), int(-1));
                self.emit.select(is_greater, int(1), other)
            }
            Comparison::FloatGreater(_) => {
                let is_less = self.emit.float_compare(FloatCompareOp::Lt, a, b);
                let is_equal = self.emit.float_compare(FloatCompareOp::Eq, a, b);
                let other = self.emit.select(is_equal, int(0), int(1));
                self.emit.select(is_less, int(-1), other)
            }
        };
        let text = self.binary_text(&lhs, "\0", &rhs);
        let fact = Fact::Compared(comparison, a, b);
        self.stack.push(Entry { value, kind: Kind::Int, text, fact });
        Ok(())
    }

    pub(super) fn binary_text(&self, lhs: &Entry, symbol: &str, rhs: &Entry) -> Option<Rc<str>> {
        let (lhs, rhs) = (lhs.text.as_ref()?, rhs.text.as_ref()?);
        let wrap = |text: &str| {
            if text.contains(' ') && !text.ends_with(')') {
                format!("({text})")
            } else {
                text.to_owned()
            }
        };
        let text = format!("{} {symbol} {}", wrap(lhs), wrap(rhs));
        (text.len() <= MAX_TEXT).then(|| text.into())
    }
}

fn symbol(op: ArithOp) -> &'static str {
    match op {
        ArithOp::Add => "+",
        ArithOp::Sub => "-",
        ArithOp::Mul => "*",
        ArithOp::Div => "/",
        ArithOp::Rem => "%",
        ArithOp::And => "&",
        ArithOp::Or => "|",
        ArithOp::Xor => "^",
        ArithOp::Shl => "<<",
        ArithOp::Shr => ">>",
        ArithOp::Ushr => ">>>",
    }
}
