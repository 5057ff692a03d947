//! Operands: what every instruction, call, check and terminator reads.
//!
//! Each list is written once, as a macro, and used for shared and for exclusive access.

use super::{InstrKind, Operand};
use crate::block::Terminator;
use crate::check::Check;
use crate::mark::Mark;

/// Writes both visitors of a family from one list of its operands.
macro_rules! operand_visitors {
    ($family:ident { $($pattern:pat => [$($operand:ident),*],)* }) => {
        impl $family {
            /// Calls `visit` on every operand, in the order of the fields.
            pub fn for_each_operand(&self, mut visit: impl FnMut(&Operand)) {
                match self {
                    $($pattern => { $(visit($operand);)* })*
                }
            }

            /// Calls `visit` on every operand, in the order of the fields.
            pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
                match self {
                    $($pattern => { $(visit($operand);)* })*
                }
            }
        }
    };
}
pub(super) use operand_visitors;

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
            Check::Freeable { ptr } | Check::Callable { ptr, .. } => $visit(ptr),
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
        match self {
            InstrKind::Pure(op) => op.for_each_operand(visit),
            InstrKind::Pointer(op) => op.for_each_operand(visit),
            InstrKind::Memory(op) => op.for_each_operand(visit),
            InstrKind::VarArgs(op) => op.for_each_operand(visit),
            InstrKind::Call(call) => call.for_each_operand(visit),
            InstrKind::Check(check) => check.for_each_operand(visit),
            InstrKind::Assume { condition } => visit(condition),
            InstrKind::Mark(Mark::Pointee { ptr, .. } | Mark::Opened { ptr, .. }) => visit(ptr),
            InstrKind::Mark(
                Mark::Statement
                | Mark::Instruction
                | Mark::Unsigned
                | Mark::Def(_)
                | Mark::Use(..)
                | Mark::Presumes(_)
                | Mark::Promised,
            )
            | InstrKind::Unsupported { .. } => {}
        }
    }

    /// Calls `visit` on every operand, in the order of the fields.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        match self {
            InstrKind::Pure(op) => op.for_each_operand_mut(visit),
            InstrKind::Pointer(op) => op.for_each_operand_mut(visit),
            InstrKind::Memory(op) => op.for_each_operand_mut(visit),
            InstrKind::VarArgs(op) => op.for_each_operand_mut(visit),
            InstrKind::Call(call) => call.for_each_operand_mut(visit),
            InstrKind::Check(check) => check.for_each_operand_mut(visit),
            InstrKind::Assume { condition } => visit(condition),
            InstrKind::Mark(Mark::Pointee { ptr, .. } | Mark::Opened { ptr, .. }) => visit(ptr),
            InstrKind::Mark(
                Mark::Statement
                | Mark::Instruction
                | Mark::Unsigned
                | Mark::Def(_)
                | Mark::Use(..)
                | Mark::Presumes(_)
                | Mark::Promised,
            )
            | InstrKind::Unsupported { .. } => {}
        }
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
