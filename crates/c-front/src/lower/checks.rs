//! Checks: one small function per shape of undefined behavior.

use glassbox_ir::instr::{CompareOp, UnaryOp};
use glassbox_ir::{Check, CheckKind, Demand, InstrKind, Operand, PureOp, Ty};
use glassbox_values::Bits;

use super::body::{BodyLowering, size};

impl BodyLowering<'_, '_> {
    /// `condition` must be true.
    pub(super) fn check(&mut self, kind: CheckKind, condition: Operand, values: Vec<Operand>) {
        if condition == Operand::Int(Bits::from_bool(true)) {
            return;
        }
        let check = Check::Condition { kind, condition, values, demand: None };
        self.b.push(InstrKind::Check(check));
    }

    /// Control must not come here.
    pub(super) fn check_never(&mut self, kind: CheckKind, demand: Option<Demand>) {
        let condition = Operand::Int(Bits::from_bool(false));
        let check = Check::Condition { kind, condition, values: Vec::new(), demand };
        self.b.push(InstrKind::Check(check));
    }

    pub(super) fn check_readable(&mut self, ptr: Operand, bytes: u64) {
        self.b.push(InstrKind::Check(Check::Readable { ptr, size: size(bytes) }));
    }

    pub(super) fn check_writable(&mut self, ptr: Operand, bytes: u64) {
        self.b.push(InstrKind::Check(Check::Writable { ptr, size: size(bytes) }));
    }

    pub(super) fn check_accessible(&mut self, ptr: Operand, bytes: u64) {
        self.b.push(InstrKind::Check(Check::Accessible { ptr, size: size(bytes) }));
    }

    /// Two's complement compare of integers; constants are decided here.
    pub(super) fn compare(&mut self, op: CompareOp, lhs: Operand, rhs: Operand) -> Operand {
        if let (Operand::Int(l), Operand::Int(r)) = (lhs, rhs) {
            let holds = match op {
                CompareOp::Eq => l == r,
                CompareOp::Ne => l != r,
                CompareOp::Ult => l.ult(r),
                CompareOp::Ule => l.ule(r),
                CompareOp::Slt => l.slt(r),
                CompareOp::Sle => l.sle(r),
            };
            return Operand::Int(Bits::from_bool(holds));
        }
        self.emit(PureOp::Compare { op, lhs, rhs }, Ty::BOOL)
    }

    /// The other truth value.
    pub(super) fn not(&mut self, truth: Operand) -> Operand {
        if let Operand::Int(bits) = truth {
            return Operand::Int(bits.not());
        }
        self.emit(PureOp::Unary { op: UnaryOp::Not, arg: truth }, Ty::BOOL)
    }
}
