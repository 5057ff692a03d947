//! Integer instructions on operands of a path, and what pointers add to them.

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp, OverflowOp, UnaryOp};
use glassbox_ir::{Operand, Span, Ty};
use glassbox_terms::{Sort, TermId};
use glassbox_values::Signedness;

use super::step::way;
use super::{Executor, Stop};
use crate::guide::ChoiceKind;
use crate::meaning::cast::cast;
use crate::meaning::integer;
use crate::value::{SymPtr, SymValue};

impl Executor<'_> {
    /// A bit-vector, also for `Int(1)` operands.
    pub(crate) fn bits(&mut self, operand: Operand) -> Result<TermId, Stop> {
        let term = self.term(operand)?;
        Ok(integer::bits(self.terms, term))
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, arg: Operand) -> Result<TermId, Stop> {
        let arg = self.term(arg)?;
        Ok(integer::unary(self.terms, op, arg))
    }

    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<TermId, Stop> {
        let (lhs, rhs) = (self.term(lhs)?, self.term(rhs)?);
        Ok(integer::binary(self.terms, op, lhs, rhs))
    }

    pub(crate) fn compare(
        &mut self,
        op: CompareOp,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<TermId, Stop> {
        let (lhs, rhs) = (self.term(lhs)?, self.term(rhs)?);
        Ok(integer::compare(self.terms, op, lhs, rhs))
    }

    pub(crate) fn overflows(
        &mut self,
        op: OverflowOp,
        signedness: Signedness,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<TermId, Stop> {
        let (lhs, rhs) = (self.term(lhs)?, self.term(rhs)?);
        Ok(integer::overflows(self.terms, op, signedness, lhs, rhs))
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
        // Of a pointer, this is its number.
        let number = self.bits(arg)?;
        if op == CastOp::Reinterpret
            && matches!(to, Ty::Int(_))
            && matches!(self.terms.sort(number), Sort::Float(_))
        {
            self.note_nan_bits(number);
        }
        if let Some(result) = cast(self.terms, op, number, to) {
            return Ok(SymValue::Term(result));
        }
        Ok(SymValue::Term(match to {
            Ty::Int(width) if width < 64 => self.terms.bv_extract(width - 1, 0, number),
            Ty::Int(_) | Ty::Float(_) | Ty::Ptr => number,
        }))
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
