//! Integer instructions without effects as terms. `Int(1)` values are Boolean terms.

use glassbox_ir::instr::{BinaryOp, CompareOp, OverflowOp, UnaryOp};
use glassbox_terms::{Sort, TermId, Terms};
use glassbox_values::Signedness;

/// A bit-vector, also for Boolean terms.
pub fn bits(terms: &mut Terms, term: TermId) -> TermId {
    match terms.sort(term) {
        Sort::Bool => terms.bv_from_bool(term, 1),
        Sort::Bv(_) | Sort::Float(_) | Sort::Array { .. } => term,
    }
}

/// One bit back to a Boolean, wider results as they are.
pub fn normal(terms: &mut Terms, term: TermId) -> TermId {
    match terms.sort(term) {
        Sort::Bv(1) => terms.bv_is_nonzero(term),
        Sort::Bv(_) | Sort::Bool | Sort::Float(_) | Sort::Array { .. } => term,
    }
}

pub(super) fn unary(terms: &mut Terms, op: UnaryOp, arg: TermId) -> TermId {
    if op == UnaryOp::Not && terms.sort(arg) == Sort::Bool {
        return terms.not(arg);
    }
    let arg = bits(terms, arg);
    let width = terms.width(arg);
    let result = match op {
        UnaryOp::Neg => terms.bv_neg(arg),
        UnaryOp::Not => terms.bv_not(arg),
        UnaryOp::Clz => {
            let mut result = terms.bv_u(width.into(), width);
            for bit in 0..width {
                let count = terms.bv_u(u128::from(width - 1 - bit), width);
                result = choose_if_set(terms, arg, bit, count, result);
            }
            result
        }
        UnaryOp::Ctz => {
            let mut result = terms.bv_u(width.into(), width);
            for bit in (0..width).rev() {
                let count = terms.bv_u(bit.into(), width);
                result = choose_if_set(terms, arg, bit, count, result);
            }
            result
        }
        UnaryOp::Popcount => {
            let mut result = terms.bv_u(0, width);
            for bit in 0..width {
                let one = terms.bv_extract(bit, bit, arg);
                let one = terms.bv_zero_extend(width, one);
                result = terms.bv_add(result, one);
            }
            result
        }
        UnaryOp::Bswap => {
            let mut result = terms.bv_extract(7, 0, arg);
            for low in (8..width).step_by(8) {
                let byte = terms.bv_extract(low + 7, low, arg);
                result = terms.bv_concat(result, byte);
            }
            result
        }
    };
    normal(terms, result)
}

fn choose_if_set(terms: &mut Terms, arg: TermId, bit: u8, then: TermId, other: TermId) -> TermId {
    let one = terms.bv_extract(bit, bit, arg);
    let is_set = terms.bv_is_nonzero(one);
    terms.ite(is_set, then, other)
}

pub(super) fn binary(terms: &mut Terms, op: BinaryOp, left: TermId, right: TermId) -> TermId {
    if terms.sort(left) == Sort::Bool && terms.sort(right) == Sort::Bool {
        match op {
            BinaryOp::And => return terms.and2(left, right),
            BinaryOp::Or => return terms.or2(left, right),
            BinaryOp::Xor => return terms.xor(left, right),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Udiv
            | BinaryOp::Urem
            | BinaryOp::Sdiv
            | BinaryOp::Srem
            | BinaryOp::Shl
            | BinaryOp::Lshr
            | BinaryOp::Ashr => {}
        }
    }
    let (a, b) = (bits(terms, left), bits(terms, right));
    let result = match op {
        BinaryOp::Add => terms.bv_add(a, b),
        BinaryOp::Sub => terms.bv_sub(a, b),
        BinaryOp::Mul => terms.bv_mul(a, b),
        BinaryOp::Udiv => terms.bv_udiv(a, b),
        BinaryOp::Urem => terms.bv_urem(a, b),
        BinaryOp::Sdiv => terms.bv_sdiv(a, b),
        BinaryOp::Srem => terms.bv_srem(a, b),
        BinaryOp::And => terms.bv_and(a, b),
        BinaryOp::Or => terms.bv_or(a, b),
        BinaryOp::Xor => terms.bv_xor(a, b),
        BinaryOp::Shl => terms.bv_shl(a, b),
        BinaryOp::Lshr => terms.bv_lshr(a, b),
        BinaryOp::Ashr => terms.bv_ashr(a, b),
    };
    normal(terms, result)
}

pub fn compare(terms: &mut Terms, op: CompareOp, left: TermId, right: TermId) -> TermId {
    let (a, b) = (bits(terms, left), bits(terms, right));
    match op {
        CompareOp::Eq => terms.eq(a, b),
        CompareOp::Ne => terms.ne(a, b),
        CompareOp::Ult => terms.bv_ult(a, b),
        CompareOp::Ule => terms.bv_ule(a, b),
        CompareOp::Slt => terms.bv_slt(a, b),
        CompareOp::Sle => terms.bv_sle(a, b),
    }
}

pub(super) fn overflows(
    terms: &mut Terms,
    op: OverflowOp,
    signedness: Signedness,
    left: TermId,
    right: TermId,
) -> TermId {
    let (a, b) = (bits(terms, left), bits(terms, right));
    match op {
        OverflowOp::Add => terms.bv_add_overflow(signedness, a, b),
        OverflowOp::Sub => terms.bv_sub_overflow(signedness, a, b),
        OverflowOp::Mul => terms.bv_mul_overflow(signedness, a, b),
    }
}
