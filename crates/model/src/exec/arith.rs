//! Instructions without effects on operands of a path, and what pointers add to them.

use glassbox_ir::instr::CastOp;
use glassbox_ir::{Operand, PureOp, Ty};
use glassbox_terms::{Sort, TermId};

use super::step::way;
use super::{Executor, Stop};
use crate::guide::ChoiceKind;
use crate::meaning::cast::cast;
use crate::meaning::{integer, number};
use crate::value::{SymPtr, SymValue};

impl Executor<'_> {
    /// A bit-vector, also for `Int(1)` operands.
    pub(crate) fn bits(&mut self, operand: Operand) -> Result<TermId, Stop> {
        let term = self.term(operand)?;
        Ok(integer::bits(self.terms, term))
    }

    /// An instruction without effects.
    pub(crate) fn pure(&mut self, op: &PureOp) -> Result<SymValue, Stop> {
        if let PureOp::Select { condition, if_true, if_false } = *op {
            return self.select(condition, if_true, if_false);
        }
        if let PureOp::Cast { op, arg, to } = *op {
            return self.cast(op, arg, to);
        }
        let mut operands = Vec::with_capacity(3);
        op.for_each_operand(|operand| operands.push(*operand));
        let mut args = Vec::with_capacity(3);
        for operand in operands {
            args.push(self.term(operand)?);
        }
        self.note_sign_read(op, &args);
        match number(self.terms, op, &args) {
            Some(result) => Ok(SymValue::Term(result)),
            None => self.unsupported("an instruction on pointers"),
        }
    }

    /// Scalars become an `ite`; pointers split the path, so that the object stays known.
    fn select(
        &mut self,
        condition: Operand,
        if_true: Operand,
        if_false: Operand,
    ) -> Result<SymValue, Stop> {
        let condition = self.term(condition)?;
        let (yes, no) = (self.operand(if_true), self.operand(if_false));
        if let (SymValue::Term(yes), SymValue::Term(no)) = (yes, no) {
            return Ok(SymValue::Term(self.terms.ite(condition, yes, no)));
        }
        let negation = self.terms.not(condition);
        let taken = self.choose(ChoiceKind::Value, &[way(condition), way(negation)])?;
        Ok(if taken == 0 { yes } else { no })
    }

    fn cast(&mut self, op: CastOp, arg: Operand, to: Ty) -> Result<SymValue, Stop> {
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
        match self.resolve(ptr)? {
            SymPtr::Number(term) => Ok(term),
            SymPtr::Object { object, offset } => {
                let base = match self.memory.object(object).address {
                    Some(base) => base,
                    None => self.new_address(object)?,
                };
                Ok(self.terms.bv_add(base, offset))
            }
            SymPtr::Func(_) | SymPtr::Input(_) => {
                self.unsupported("the number of a function's address")
            }
        }
    }
}
