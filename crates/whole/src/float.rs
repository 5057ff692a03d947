//! Float instructions, as far as proofs may rest on the terms of their results.

use glassbox_ir::instr::{FloatBinaryOp, FloatClassifyOp};
use glassbox_model::meaning;
use glassbox_terms::{TermId, Terms};

pub(super) use glassbox_model::meaning::float::{compare, unary};

/// `None` for the operators whose treatment of zeros and NaN is not the same on all machines.
pub(super) fn binary(terms: &mut Terms, op: FloatBinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    match op {
        FloatBinaryOp::Add
        | FloatBinaryOp::Sub
        | FloatBinaryOp::Mul
        | FloatBinaryOp::Div
        | FloatBinaryOp::Fmod
        | FloatBinaryOp::Remainder => Some(meaning::float::binary(terms, op, a, b)),
        FloatBinaryOp::Fmin
        | FloatBinaryOp::Fmax
        | FloatBinaryOp::JavaMin
        | FloatBinaryOp::JavaMax
        | FloatBinaryOp::CopySign => None,
    }
}

/// `None` for the sign bit, which NaN has too and terms do not show.
pub(super) fn classify(terms: &mut Terms, op: FloatClassifyOp, arg: TermId) -> Option<TermId> {
    (op != FloatClassifyOp::SignBit).then(|| meaning::float::classify(terms, op, arg))
}
