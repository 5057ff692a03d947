//! Operands: one list of what every instruction, call, check and terminator reads.
//!
//! Each list is written once, as a macro, and used for shared and for exclusive access.

use crate::block::Terminator;
use crate::check::Check;
use crate::instr::{Call, Callee, InstrKind, Operand};

macro_rules! instr_operands {
    ($kind:expr, $visit:expr, $each:ident) => {
        match $kind {
            InstrKind::Unary { arg, .. }
            | InstrKind::Cast { arg, .. }
            | InstrKind::FloatUnary { arg, .. }
            | InstrKind::FloatClassify { arg, .. } => $visit(arg),
            InstrKind::Binary { lhs, rhs, .. }
            | InstrKind::Compare { lhs, rhs, .. }
            | InstrKind::Overflows { lhs, rhs, .. }
            | InstrKind::FloatBinary { lhs, rhs, .. }
            | InstrKind::FloatCompare { lhs, rhs, .. }
            | InstrKind::PtrDiff { lhs, rhs }
            | InstrKind::PtrCompare { lhs, rhs, .. } => {
                $visit(lhs);
                $visit(rhs);
            }
            InstrKind::Select { condition, if_true, if_false } => {
                $visit(condition);
                $visit(if_true);
                $visit(if_false);
            }
            InstrKind::FloatFma { x, y, z } => {
                $visit(x);
                $visit(y);
                $visit(z);
            }
            InstrKind::StackAlloc { size, .. } | InstrKind::HeapAlloc { size, .. } => $visit(size),
            InstrKind::StackFree { ptr }
            | InstrKind::HeapFree { ptr }
            | InstrKind::ObjectSize { ptr }
            | InstrKind::ObjectOffset { ptr }
            | InstrKind::Load { ptr, .. }
            | InstrKind::LoadBits { ptr, .. } => $visit(ptr),
            InstrKind::Store { ptr, value, .. } | InstrKind::StoreBits { ptr, value, .. } => {
                $visit(ptr);
                $visit(value);
            }
            InstrKind::MemCopy { dst, src, len } => {
                $visit(dst);
                $visit(src);
                $visit(len);
            }
            InstrKind::MemSet { dst, byte, len } => {
                $visit(dst);
                $visit(byte);
                $visit(len);
            }
            InstrKind::PtrAdd { base, offset } => {
                $visit(base);
                $visit(offset);
            }
            InstrKind::VaStart { list }
            | InstrKind::VaArg { list, .. }
            | InstrKind::VaEnd { list } => $visit(list),
            InstrKind::VaCopy { dst, src } => {
                $visit(dst);
                $visit(src);
            }
            InstrKind::Call(call) => call.$each(&mut $visit),
            InstrKind::Check(check) => check.$each(&mut $visit),
            InstrKind::Assume { condition } => $visit(condition),
            InstrKind::LocalAddr(_)
            | InstrKind::LocalStart(_)
            | InstrKind::LocalEnd(_)
            | InstrKind::Mark(_)
            | InstrKind::Unsupported { .. } => {}
        }
    };
}

macro_rules! check_operands {
    ($check:expr, $visit:expr, $iter:ident) => {
        match $check {
            Check::Condition { condition, values, .. } => {
                $visit(condition);
                values.$iter().for_each(&mut $visit);
            }
            Check::Readable { ptr, size }
            | Check::Accessible { ptr, size }
            | Check::Writable { ptr, size } => {
                $visit(ptr);
                $visit(size);
            }
            Check::Freeable { ptr } | Check::Callable { ptr } => $visit(ptr),
            Check::InBoundsOffset { ptr, offset } => {
                $visit(ptr);
                $visit(offset);
            }
            Check::SameObject { lhs, rhs } => {
                $visit(lhs);
                $visit(rhs);
            }
        }
    };
}

impl InstrKind {
    /// Calls `visit` on every operand, in the order of the fields.
    pub fn for_each_operand(&self, mut visit: impl FnMut(&Operand)) {
        instr_operands!(self, visit, for_each_operand)
    }

    /// Calls `visit` on every operand, in the order of the fields.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        instr_operands!(self, visit, for_each_operand_mut)
    }
}

impl Call {
    /// Calls `visit` on the function pointer, if there is one, and the arguments.
    pub fn for_each_operand(&self, mut visit: impl FnMut(&Operand)) {
        if let Callee::Indirect(pointer) = &self.callee {
            visit(pointer);
        }
        self.args.iter().for_each(visit);
    }

    /// Calls `visit` on the function pointer, if there is one, and the arguments.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        if let Callee::Indirect(pointer) = &mut self.callee {
            visit(pointer);
        }
        self.args.iter_mut().for_each(visit);
    }
}

impl Check {
    pub fn for_each_operand(&self, mut visit: impl FnMut(&Operand)) {
        check_operands!(self, visit, iter)
    }

    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        check_operands!(self, visit, iter_mut)
    }
}

impl Terminator {
    /// Calls `visit` on every operand: the terminator's own first, then the targets' arguments.
    pub fn for_each_operand(&self, mut visit: impl FnMut(&Operand)) {
        match self {
            Terminator::Branch { condition: operand, .. }
            | Terminator::Switch { value: operand, .. }
            | Terminator::Return(Some(operand)) => visit(operand),
            Terminator::Jump(_) | Terminator::Return(None) | Terminator::Unreachable => {}
        }
        self.targets().into_iter().flat_map(|target| &target.args).for_each(visit);
    }

    /// Calls `visit` on every operand: the terminator's own first, then the targets' arguments.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        match self {
            Terminator::Branch { condition: operand, .. }
            | Terminator::Switch { value: operand, .. }
            | Terminator::Return(Some(operand)) => visit(operand),
            Terminator::Jump(_) | Terminator::Return(None) | Terminator::Unreachable => {}
        }
        self.targets_mut().into_iter().flat_map(|target| &mut target.args).for_each(visit);
    }
}
