//! Casts between numbers as terms.

use glassbox_ir::Ty;
use glassbox_ir::instr::CastOp;
use glassbox_terms::{Sort, TermId, Terms};
use glassbox_values::RoundingMode;

use super::float::float_to_int_saturating;
use super::integer::{bits, normal};

/// A cast between numbers; `None` where a pointer takes part. The bits of a NaN are those of the one NaN that
/// terms have.
pub fn cast(terms: &mut Terms, op: CastOp, arg: TermId, to: Ty) -> Option<TermId> {
    let arg = bits(terms, arg);
    let result = match (op, to) {
        (CastOp::Truncate, Ty::Int(width)) => terms.bv_extract(width - 1, 0, arg),
        (CastOp::ZeroExtend, Ty::Int(width)) => terms.bv_zero_extend(width, arg),
        (CastOp::SignExtend, Ty::Int(width)) => terms.bv_sign_extend(width, arg),
        (CastOp::IntToFloat(signedness), Ty::Float(format)) => {
            terms.fp_from_int(format, RoundingMode::NearestEven, signedness, arg)
        }
        (CastOp::FloatToInt(signedness), Ty::Int(width)) => {
            terms.fp_to_int(width, RoundingMode::TowardZero, signedness, arg)
        }
        (CastOp::FloatToIntSaturating, Ty::Int(width)) => {
            float_to_int_saturating(terms, arg, width)
        }
        (CastOp::FloatToFloat, Ty::Float(format)) => {
            terms.fp_to_fp(format, RoundingMode::NearestEven, arg)
        }
        (CastOp::Reinterpret, Ty::Float(format)) => match terms.sort(arg) {
            Sort::Bv(_) => terms.fp_from_bits(format, arg),
            Sort::Float(_) => arg,
            Sort::Bool | Sort::Array { .. } => return None,
        },
        (CastOp::Reinterpret, Ty::Int(_)) => match terms.sort(arg) {
            Sort::Bv(_) => arg,
            Sort::Float(_) => terms.fp_to_bits(arg),
            Sort::Bool | Sort::Array { .. } => return None,
        },
        (
            CastOp::Truncate
            | CastOp::ZeroExtend
            | CastOp::SignExtend
            | CastOp::IntToFloat(_)
            | CastOp::FloatToInt(_)
            | CastOp::FloatToIntSaturating
            | CastOp::FloatToFloat
            | CastOp::Reinterpret
            | CastOp::PtrToInt
            | CastOp::IntToPtr,
            _,
        ) => return None,
    };
    Some(normal(terms, result))
}
