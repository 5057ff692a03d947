//! Where the bits of a float are looked at: terms have one NaN, the machine many.

use glassbox_ir::PureOp;
use glassbox_ir::instr::{FloatBinaryOp, FloatClassifyOp};
use glassbox_terms::{BoolOp, BvOp, FpOp, Op, TermId};
use glassbox_testcase::Assumption;

use super::Executor;
use crate::value::SymValue;

/// Parts of a number from memory that are looked at: it has at most 16 bytes, of few objects.
const MAX_PARTS: usize = 200;

impl Executor<'_> {
    /// The sign of a NaN is one of its bits.
    pub(crate) fn note_sign_read(&mut self, op: &PureOp, args: &[TermId]) {
        if let PureOp::FloatBinary { op: FloatBinaryOp::CopySign, .. } = op {
            self.note_nan_bits(args[1]);
        }
        if let PureOp::FloatClassify { op: FloatClassifyOp::SignBit, .. } = op {
            self.note_nan_bits(args[0]);
        }
    }

    /// A path goes on where this holds: what is compared and found to be so is a number.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other conditions say nothing of the kind")]
    pub(crate) fn learn_numbers(&mut self, condition: TermId) {
        let args = self.terms.args(condition).to_vec();
        match self.terms.op(condition) {
            Op::Fp(FpOp::Eq | FpOp::Lt | FpOp::Le) => self.numbers.extend(args),
            Op::Bool(BoolOp::Not) if self.terms.op(args[0]) == Op::Fp(FpOp::IsNan) => {
                let float = self.terms.arg(args[0], 0);
                self.numbers.insert(float);
            }
            _ => {}
        }
    }

    /// The bits of a float are looked at.
    pub(crate) fn note_nan_bits(&mut self, float: TermId) {
        if self.program.language.nans_differ() && self.may_be_nan(float) {
            self.inputs.note_bound(Assumption::OneNan);
        }
    }

    /// Not where it is a number, or something else takes the place of NaN.
    fn may_be_nan(&mut self, float: TermId) -> bool {
        if self.terms.as_float_const(float).is_some() || self.numbers.contains(&float) {
            return false;
        }
        if self.terms.op(float) != Op::Ite {
            return true;
        }
        let &[is_nan, instead, other] = self.terms.args(float) else { return true };
        let is_replaced = self.terms.as_float_const(instead).is_some_and(|it| !it.is_nan());
        !is_replaced || self.terms.fp_is_nan(other) != is_nan
    }

    /// The same, where a number that was read from memory may be made of them.
    pub(crate) fn note_bits_read(&mut self, value: SymValue) {
        let SymValue::Term(term) = value else { return };
        let mut open = vec![term];
        for _ in 0..MAX_PARTS {
            let Some(term) = open.pop() else { return };
            let op = self.terms.op(term);
            if op == Op::Fp(FpOp::ToBits) {
                let float = self.terms.arg(term, 0);
                return self.note_nan_bits(float);
            }
            // What bytes are taken out of, put together from and chosen between.
            if matches!(op, Op::Bv(BvOp::Extract { .. } | BvOp::Concat)) {
                open.extend(self.terms.args(term));
            }
            if op == Op::Ite {
                open.extend(&self.terms.args(term)[1..]);
            }
        }
    }
}
