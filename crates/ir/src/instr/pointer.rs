//! Addresses: where an object or a part of it is.

use super::Operand;
use super::operands::operand_visitors;
use super::operator::CompareOp;
use crate::id::LocalId;
use crate::ty::Ty;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointerOp {
    /// The address of a live local (`Ptr`).
    LocalAddr(LocalId),
    /// `offset` is an `Int(64)` count of bytes.
    Add { base: Operand, offset: Operand },
    /// `lhs - rhs` in bytes (`Int(64)`).
    Diff { lhs: Operand, rhs: Operand },
    /// `Int(1)`. Equality is defined for all pointers; orders for one object's.
    Compare { op: CompareOp, lhs: Operand, rhs: Operand },
    /// Bytes of the object that `ptr` points into (`Int(64)`), 0 for null.
    ObjectSize { ptr: Operand },
    /// Bytes between the start of the object and `ptr` (`Int(64)`).
    ObjectOffset { ptr: Operand },
    /// Whether `ptr` points to the start of an object of just `size` bytes (`Int(1)`). Paths take it for a bound of theirs.
    IsWhole { ptr: Operand, size: Operand },
}

impl PointerOp {
    pub fn result_ty(&self) -> Ty {
        match self {
            PointerOp::LocalAddr(_) | PointerOp::Add { .. } => Ty::Ptr,
            PointerOp::Compare { .. } | PointerOp::IsWhole { .. } => Ty::BOOL,
            PointerOp::Diff { .. }
            | PointerOp::ObjectSize { .. }
            | PointerOp::ObjectOffset { .. } => Ty::I64,
        }
    }
}

operand_visitors!(PointerOp {
    PointerOp::LocalAddr(_) => [],
    PointerOp::Add { base, offset } => [base, offset],
    PointerOp::Diff { lhs, rhs } | PointerOp::Compare { lhs, rhs, .. } => [lhs, rhs],
    PointerOp::ObjectSize { ptr } | PointerOp::ObjectOffset { ptr } => [ptr],
    PointerOp::IsWhole { ptr, size } => [ptr, size],
});
