//! Instructions: what one step does. Each defines at most one value.
//!
//! They come in families, so that a reader decides by family first and lists the members of its own only.
//! Arithmetic is total and wraps; where the source language leaves a case undefined, a `Check` stands
//! before the instruction. What happens after a failed check is never observed.

mod call;
mod memory;
mod operands;
mod operator;
mod pointer;
mod pure;
mod var_args;

pub use call::{Call, Callee};
pub use memory::MemoryOp;
pub use operator::{
    BinaryOp, CastOp, CompareOp, FloatBinaryOp, FloatClassifyOp, FloatCompareOp, FloatUnaryOp,
    HeapFill, OverflowOp, UnaryOp,
};
pub use pointer::PointerOp;
pub use pure::PureOp;
pub use var_args::VarArgsOp;

use glassbox_values::{Bits, Float};

use crate::check::Check;
use crate::func::Body;
use crate::id::{FuncId, GlobalId, ValueId};
use crate::mark::Mark;
use crate::source::Span;
use crate::ty::Ty;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instr {
    /// Present exactly when `kind` has a result type.
    pub result: Option<ValueId>,
    pub kind: InstrKind,
    pub span: Span,
}

/// An input of an instruction: a value of this function, or a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    Value(ValueId),
    Int(Bits),
    Float(Float),
    /// The null pointer (`Ty::Ptr`).
    NullPtr,
    /// The address of a global's first byte.
    Global(GlobalId),
    /// The address of a function.
    Func(FuncId),
}

impl Operand {
    pub fn ty(self, body: &Body) -> Ty {
        match self {
            Operand::Value(value) => body.value_ty(value),
            Operand::Int(bits) => Ty::Int(bits.width()),
            Operand::Float(float) => Ty::Float(float.format()),
            Operand::NullPtr | Operand::Global(_) | Operand::Func(_) => Ty::Ptr,
        }
    }
}

impl From<ValueId> for Operand {
    fn from(value: ValueId) -> Operand {
        Operand::Value(value)
    }
}

impl From<Bits> for Operand {
    fn from(bits: Bits) -> Operand {
        Operand::Int(bits)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstrKind {
    /// Computes a number from numbers.
    Pure(PureOp),
    /// Computes with addresses; changes nothing.
    Pointer(PointerOp),
    /// Reads, changes, makes or ends objects.
    Memory(MemoryOp),
    VarArgs(VarArgsOp),
    /// Has a result exactly when the callee's result is passed directly.
    Call(Call),
    Check(Check),
    /// Runs that make `condition` false are left out.
    Assume {
        condition: Operand,
    },
    Mark(Mark),
    /// The front-end cannot translate this; with `ty` it stands for an expression's value.
    Unsupported {
        what: String,
        ty: Option<Ty>,
    },
}

impl InstrKind {
    /// The type of the result in this body, `None` for instructions without one.
    pub fn result_ty(&self, body: &Body) -> Option<Ty> {
        match self {
            InstrKind::Pure(op) => Some(op.result_ty(body)),
            InstrKind::Pointer(op) => Some(op.result_ty()),
            InstrKind::Memory(op) => op.result_ty(),
            InstrKind::VarArgs(op) => op.result_ty(),
            InstrKind::Call(call) => call.result,
            InstrKind::Unsupported { ty, .. } => *ty,
            InstrKind::Check(_) | InstrKind::Assume { .. } | InstrKind::Mark(_) => None,
        }
    }
}

impl From<PureOp> for InstrKind {
    fn from(op: PureOp) -> InstrKind {
        InstrKind::Pure(op)
    }
}

impl From<PointerOp> for InstrKind {
    fn from(op: PointerOp) -> InstrKind {
        InstrKind::Pointer(op)
    }
}

impl From<MemoryOp> for InstrKind {
    fn from(op: MemoryOp) -> InstrKind {
        InstrKind::Memory(op)
    }
}

impl From<VarArgsOp> for InstrKind {
    fn from(op: VarArgsOp) -> InstrKind {
        InstrKind::VarArgs(op)
    }
}
