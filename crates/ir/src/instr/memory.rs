//! Memory: objects begin and end, their bytes are read and changed.

use glassbox_values::Signedness;

use super::Operand;
use super::operands::operand_visitors;
use super::operator::HeapFill;
use crate::id::{LocalId, SourceTypeId};
use crate::ty::Ty;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryOp {
    LocalStart(LocalId),
    LocalEnd(LocalId),
    /// A new object of this activation (variable-length arrays, `alloca`); lives until the matching
    /// `StackFree` or the function's return.
    StackAlloc {
        size: Operand,
        align: u64,
        source_type: SourceTypeId,
    },
    StackFree {
        ptr: Operand,
    },
    /// A new heap object, or null where the engine lets the allocation fail.
    HeapAlloc {
        size: Operand,
        fill: HeapFill,
    },
    HeapFree {
        ptr: Operand,
    },
    Load {
        ty: Ty,
        ptr: Operand,
        is_volatile: bool,
    },
    Store {
        ptr: Operand,
        value: Operand,
        is_volatile: bool,
    },
    /// Reads a bit-field of `width` bits whose lowest bit is bit `start` (0..=7) of the byte at `ptr`,
    /// extends it to `ty` by `signedness`.
    LoadBits {
        ty: Ty,
        ptr: Operand,
        start: u8,
        width: u8,
        signedness: Signedness,
        is_volatile: bool,
    },
    /// Writes the low `width` bits of `value`.
    StoreBits {
        ptr: Operand,
        start: u8,
        width: u8,
        value: Operand,
    },
    /// Copies bytes with their initialization and pointer provenance. Overlap is allowed.
    Copy {
        dst: Operand,
        src: Operand,
        len: Operand,
        /// The source may change by itself.
        is_volatile: bool,
    },
    /// `byte` is an `Int(8)`.
    Fill {
        dst: Operand,
        byte: Operand,
        len: Operand,
    },
}

impl MemoryOp {
    pub fn result_ty(&self) -> Option<Ty> {
        match self {
            MemoryOp::StackAlloc { .. } | MemoryOp::HeapAlloc { .. } => Some(Ty::Ptr),
            MemoryOp::Load { ty, .. } | MemoryOp::LoadBits { ty, .. } => Some(*ty),
            MemoryOp::LocalStart(_)
            | MemoryOp::LocalEnd(_)
            | MemoryOp::StackFree { .. }
            | MemoryOp::HeapFree { .. }
            | MemoryOp::Store { .. }
            | MemoryOp::StoreBits { .. }
            | MemoryOp::Copy { .. }
            | MemoryOp::Fill { .. } => None,
        }
    }
}

operand_visitors!(MemoryOp {
    MemoryOp::LocalStart(_) | MemoryOp::LocalEnd(_) => [],
    MemoryOp::StackAlloc { size, .. } | MemoryOp::HeapAlloc { size, .. } => [size],
    MemoryOp::StackFree { ptr }
    | MemoryOp::HeapFree { ptr }
    | MemoryOp::Load { ptr, .. }
    | MemoryOp::LoadBits { ptr, .. } => [ptr],
    MemoryOp::Store { ptr, value, .. } | MemoryOp::StoreBits { ptr, value, .. } => [ptr, value],
    MemoryOp::Copy { dst, src, len, .. } => [dst, src, len],
    MemoryOp::Fill { dst, byte, len } => [dst, byte, len],
});
