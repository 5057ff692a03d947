//! Float instructions on operands of a path.

use glassbox_ir::Operand;
use glassbox_ir::instr::{FloatBinaryOp, FloatClassifyOp, FloatCompareOp, FloatUnaryOp};
use glassbox_terms::{BvOp, FpOp, Op, TermId};
use glassbox_testcase::Assumption;

use super::{Executor, Stop};
use crate::meaning::float;
use crate::value::SymValue;

/// Parts of a number from memory that are looked at: it has at most 16 bytes, of few objects.
const MAX_PARTS: usize = 200;

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
        if op == FloatBinaryOp::CopySign {
            self.note_nan_bits(b);
        }
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
        if op == FloatClassifyOp::SignBit {
            self.note_nan_bits(arg);
        }
        Ok(float::classify(self.terms, op, arg))
    }

    /// The bits of a float are looked at. Terms have one NaN, the machine many; tests of the JVM have one too.
    pub(crate) fn note_nan_bits(&mut self, float: TermId) {
        if self.terms.as_float_const(float).is_none() && self.program.object_layout.is_none() {
            self.inputs.note_bound(Assumption::OneNan);
        }
    }

    /// The same, where a number that was read from memory may be made of them.
    pub(crate) fn note_bits_read(&mut self, value: SymValue) {
        let SymValue::Term(term) = value else { return };
        let mut open = vec![term];
        for _ in 0..MAX_PARTS {
            let Some(term) = open.pop() else { return };
            match self.terms.op(term) {
                Op::Fp(FpOp::ToBits) => {
                    let float = self.terms.arg(term, 0);
                    return self.note_nan_bits(float);
                }
                // What bytes are taken out of, put together from and chosen between.
                Op::Bv(BvOp::Extract { .. } | BvOp::Concat) => open.extend(self.terms.args(term)),
                Op::Ite => open.extend(&self.terms.args(term)[1..]),
                _ => {}
            }
        }
    }
}
