//! Variable arguments.

use super::Operand;
use super::operands::operand_visitors;
use crate::id::SourceTypeId;
use crate::ty::Ty;

/// `list` is the address of a `va_list` object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VarArgsOp {
    Start {
        list: Operand,
    },
    /// The next argument. Scalars give the value; `Ty::Ptr` with `is_indirect` gives the address of a
    /// record argument.
    Next {
        list: Operand,
        ty: Ty,
        /// As the program names it.
        source_type: SourceTypeId,
        is_indirect: bool,
    },
    Copy {
        dst: Operand,
        src: Operand,
    },
    End {
        list: Operand,
    },
}

impl VarArgsOp {
    pub fn result_ty(&self) -> Option<Ty> {
        match self {
            VarArgsOp::Next { ty, .. } => Some(*ty),
            VarArgsOp::Start { .. } | VarArgsOp::Copy { .. } | VarArgsOp::End { .. } => None,
        }
    }
}

operand_visitors!(VarArgsOp {
    VarArgsOp::Start { list } | VarArgsOp::Next { list, .. } | VarArgsOp::End { list } => [list],
    VarArgsOp::Copy { dst, src } => [dst, src],
});
