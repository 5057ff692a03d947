//! Float instructions on operands of a path.

use glassbox_ir::Operand;
use glassbox_ir::instr::{FloatBinaryOp, FloatClassifyOp, FloatCompareOp, FloatUnaryOp};
use glassbox_terms::TermId;

use super::{Executor, Stop};
use crate::meaning::float;

impl Executor<'_> {
    pub(crate) fn float_unary(&mut self, op: FloatUnaryOp, arg: Operand) -> Result<TermId, Stop> {
        let arg = self.term(arg)?;
        Ok(float::unary(self.terms, op, arg))
    }

    pub(crate) fn float_binary(
        &mut self,
        op: FloatBinaryOp,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<TermId, Stop> {
        let (a, b) = (self.term(lhs)?, self.term(rhs)?);
        Ok(float::binary(self.terms, op, a, b))
    }

    pub(crate) fn float_fma(&mut self, x: Operand, y: Operand, z: Operand) -> Result<TermId, Stop> {
        let (x, y, z) = (self.term(x)?, self.term(y)?, self.term(z)?);
        Ok(float::fma(self.terms, x, y, z))
    }

    pub(crate) fn float_compare(
        &mut self,
        op: FloatCompareOp,
        lhs: Operand,
        rhs: Operand,
    ) -> Result<TermId, Stop> {
        let (a, b) = (self.term(lhs)?, self.term(rhs)?);
        Ok(float::compare(self.terms, op, a, b))
    }

    pub(crate) fn float_classify(
        &mut self,
        op: FloatClassifyOp,
        arg: Operand,
    ) -> Result<TermId, Stop> {
        let arg = self.term(arg)?;
        Ok(float::classify(self.terms, op, arg))
    }
}
