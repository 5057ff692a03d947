//! Integer instructions as terms. `Int(1)` operands are Boolean terms.

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp, OverflowOp, UnaryOp};
use glassbox_ir::{Operand, Span, Ty};
use glassbox_terms::{Sort, TermId};
use glassbox_values::{RoundingMode, Signedness};

use super::step::way;
use super::{Executor, Stop};
use crate::guide::ChoiceKind;
use crate::value::{SymPtr, SymValue};

impl Executor<'_> {
    /// A bit-vector, also for `Int(1)` operands.
    pub(crate) fn bits(&mut self, operand: Operand) -> Result<TermId, Stop> {
        let term = self.term(operand)?;
        Ok(match self.terms.sort(term) {
            Sort::Bool => self.terms.bv_from_bool(term, 1),
            Sort::Bv(_) | Sort::Float(_) | Sort::Array { .. } => term,
        })
    }

    /// One bit back to a Boolean, wider results as they are.
    fn normal(&mut self, term: TermId) -> TermId {
        match self.terms.sort(term) {
            Sort::Bv(1) => self.terms.bv_is_nonzero(term),
            Sort::Bv(_) | Sort::Bool | Sort::Float(_) | Sort::Array { .. } => term,
        }
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, arg: Operand) -> Result<TermId, Stop> {
        let arg_term = self.term(arg)?;
        if op == UnaryOp::Not && self.terms.sort(arg_term) == Sort::Bool {
            return Ok(self.terms.not(arg_term));
        }
        let arg = self.bits(arg)?;
        let terms = &mut *self.terms;
        let width = terms.width(arg);
        let result = match op {
            UnaryOp::Neg => terms.bv_neg(arg),
            UnaryOp::Not => terms.bv_not(arg),
            UnaryOp::Clz => {
                // The first set bit from the top decides.
                let mut result = terms.bv_u(width.into(), width);
                for bit in 0..width {
                    let is_set = bit_is_set(terms, arg, bit);
                    let count = terms.bv_u(u128::from(width - 1 - bit), width);
                    result = terms.ite(is_set, count, result);
                }
                result
            }
            UnaryOp::Ctz => {
                let mut result = terms.bv_u(width.into(), width);
                for bit in (0..width).rev() {
                    let is_set = bit_is_set(terms, arg, bit);
                    let count = terms.bv_u(bit.into(), width);
                    result = terms.ite(is_set, count, result);
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
        Ok(self.normal(result))
    }

    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<TermId, Stop> {
        let (left, right) = (self.term(lhs)?, self.term(rhs)?);
        if self.terms.sort(left) == Sort::Bool && self.terms.sort(right) == Sort::Bool {
            match op {
                BinaryOp::And => return Ok(self.terms.and2(left, right)),
                BinaryOp::Or => return Ok(self.terms.or2(left, right)),
                BinaryOp::Xor => return Ok(self.terms.xor(left, right)),
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
        let (a, b) = (self.bits(lhs)?, self.bits(rhs)?);
        let terms = &mut *self.terms;
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
        Ok(self.normal(result))
    }

    pub(crate) fn compare(
        &mut self,
        op: CompareOp,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<TermId, Stop> {
        let (a, b) = (self.bits(lhs)?, self.bits(rhs)?);
        Ok(self.compare_terms(op, a, b))
    }

    pub(crate) fn compare_terms(&mut self, op: CompareOp, a: TermId, b: TermId) -> TermId {
        let terms = &mut *self.terms;
        match op {
            CompareOp::Eq => terms.eq(a, b),
            CompareOp::Ne => terms.ne(a, b),
            CompareOp::Ult => terms.bv_ult(a, b),
            CompareOp::Ule => terms.bv_ule(a, b),
            CompareOp::Slt => terms.bv_slt(a, b),
            CompareOp::Sle => terms.bv_sle(a, b),
        }
    }

    pub(crate) fn overflows(
        &mut self,
        op: OverflowOp,
        signedness: Signedness,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<TermId, Stop> {
        let (a, b) = (self.bits(lhs)?, self.bits(rhs)?);
        let terms = &mut *self.terms;
        Ok(match op {
            OverflowOp::Add => terms.bv_add_overflow(signedness, a, b),
            OverflowOp::Sub => terms.bv_sub_overflow(signedness, a, b),
            OverflowOp::Mul => terms.bv_mul_overflow(signedness, a, b),
        })
    }

    /// Scalars become an `ite`; pointers split the path, so that the object stays known.
    pub(crate) fn select(
        &mut self,
        condition: Operand,
        if_true: Operand,
        if_false: Operand,
        span: Span,
    ) -> Result<SymValue, Stop> {
        let condition = self.term(condition)?;
        let (yes, no) = (self.operand(if_true), self.operand(if_false));
        if let (SymValue::Term(yes), SymValue::Term(no)) = (yes, no) {
            return Ok(SymValue::Term(self.terms.ite(condition, yes, no)));
        }
        let negation = self.terms.not(condition);
        let taken = self.choose(ChoiceKind::Value, span, &[way(condition), way(negation)])?;
        Ok(if taken == 0 { yes } else { no })
    }

    pub(crate) fn cast(&mut self, op: CastOp, arg: Operand, to: Ty) -> Result<SymValue, Stop> {
        if op == CastOp::IntToPtr {
            let term = self.bits(arg)?;
            return Ok(SymValue::Ptr(self.pointer_from_number(term)));
        }
        if op == CastOp::Reinterpret && to == Ty::Ptr {
            return Ok(self.operand(arg));
        }
        let arg = self.bits(arg)?;
        let terms = &mut *self.terms;
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
                return Ok(SymValue::Term(self.float_to_int_saturating(arg, width)));
            }
            (CastOp::FloatToFloat, Ty::Float(format)) => {
                terms.fp_to_fp(format, RoundingMode::NearestEven, arg)
            }
            (CastOp::Reinterpret, Ty::Float(format)) => terms.fp_from_bits(format, arg),
            (CastOp::Reinterpret, _) => terms.fp_to_bits(arg),
            // `PtrToInt`: `bits` has made it a number; the verifier excludes other pairs.
            _ => match to {
                Ty::Int(width) if width < 64 => terms.bv_extract(width - 1, 0, arg),
                Ty::Int(_) | Ty::Float(_) | Ty::Ptr | Ty::Ref => arg,
            },
        };
        Ok(SymValue::Term(self.normal(result)))
    }

    /// The address as a number; an object's is a variable of its own plus the offset.
    pub(crate) fn pointer_number(&mut self, ptr: SymPtr) -> Result<TermId, Stop> {
        match self.resolve(ptr, Span::nowhere())? {
            SymPtr::Number(term) => Ok(term),
            SymPtr::Object { object, offset } => {
                let base = match self.memory.object(object).address {
                    Some(base) => base,
                    None => self.new_address(object)?,
                };
                Ok(self.terms.bv_add(base, offset))
            }
            SymPtr::Func(_) | SymPtr::Input(_) => {
                self.unsupported("the number of a function's address", Span::nowhere())
            }
        }
    }
}

fn bit_is_set(terms: &mut glassbox_terms::Terms, term: TermId, bit: u8) -> TermId {
    let one = terms.bv_extract(bit, bit, term);
    terms.bv_is_nonzero(one)
}
