//! Integer instructions, as far as proofs may rest on the terms of their results.

use glassbox_ir::Ty;
use glassbox_ir::instr::CastOp;
use glassbox_model::meaning;
use glassbox_terms::{Sort, TermId, Terms};

pub(super) use glassbox_model::meaning::integer::{
    binary, bits, compare, normal, overflows, unary,
};

/// The sort of a scalar type; pointers are numbers.
pub fn sort_of(ty: Ty) -> Sort {
    match ty {
        Ty::Int(1) => Sort::Bool,
        Ty::Int(width) => Sort::Bv(width),
        Ty::Float(format) => Sort::Float(format),
        Ty::Ptr => Sort::Bv(64),
    }
}

/// `None` where a pointer takes part, and for the bits of a float: terms have one NaN, the machine many.
pub(super) fn cast(terms: &mut Terms, op: CastOp, arg: TermId, to: Ty) -> Option<TermId> {
    let is_float = matches!(terms.sort(arg), Sort::Float(_));
    if op == CastOp::Reinterpret && is_float && matches!(to, Ty::Int(_)) {
        return None;
    }
    meaning::cast::cast(terms, op, arg, to)
}
