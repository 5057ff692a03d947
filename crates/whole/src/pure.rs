//! Instructions without effects, as far as proofs may rest on the terms of their results.

use glassbox_ir::instr::{CastOp, FloatBinaryOp, FloatClassifyOp};
use glassbox_ir::{PureOp, Ty};
use glassbox_model::meaning;
use glassbox_terms::{Sort, TermId, Terms};

/// The sort of a scalar type; pointers are numbers.
pub fn sort_of(ty: Ty) -> Sort {
    match ty {
        Ty::Int(1) => Sort::Bool,
        Ty::Int(width) => Sort::Bv(width),
        Ty::Float(format) => Sort::Float(format),
        Ty::Ptr => Sort::Bv(64),
    }
}

/// The result over the terms of the operands; `None` where a pointer takes part, or where machines differ or
/// have more than terms show.
pub(super) fn number(terms: &mut Terms, op: &PureOp, args: &[TermId]) -> Option<TermId> {
    let is_known = match op {
        // Terms have one NaN, the machine many: neither its bits nor its sign are known.
        PureOp::Cast { op: CastOp::Reinterpret, to: Ty::Int(_), .. } => {
            !matches!(terms.sort(args[0]), Sort::Float(_))
        }
        PureOp::FloatClassify { op, .. } => *op != FloatClassifyOp::SignBit,
        // The treatment of zeros and NaN is not the same on all machines.
        PureOp::FloatBinary { op, .. } => match op {
            FloatBinaryOp::Add
            | FloatBinaryOp::Sub
            | FloatBinaryOp::Mul
            | FloatBinaryOp::Div
            | FloatBinaryOp::Fmod
            | FloatBinaryOp::Remainder => true,
            FloatBinaryOp::Fmin
            | FloatBinaryOp::Fmax
            | FloatBinaryOp::JavaMin
            | FloatBinaryOp::JavaMax
            | FloatBinaryOp::CopySign => false,
        },
        PureOp::Unary { .. }
        | PureOp::Binary { .. }
        | PureOp::Compare { .. }
        | PureOp::Overflows { .. }
        | PureOp::Select { .. }
        | PureOp::Cast { .. }
        | PureOp::FloatUnary { .. }
        | PureOp::FloatFma { .. }
        | PureOp::FloatCompare { .. } => true,
    };
    is_known.then(|| meaning::number(terms, op, args)).flatten()
}
