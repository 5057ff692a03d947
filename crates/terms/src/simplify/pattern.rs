//! Looking at the top of a term.

use glassbox_values::Bits;

use crate::intern::{TermId, Terms};
use crate::op::{BvOp, Op};

impl Terms {
    /// The argument of a term that is `op` of one argument.
    pub(super) fn unary(&self, op: Op, term: TermId) -> Option<TermId> {
        if self.op(term) != op {
            return None;
        }
        match self.args(term) {
            [a] => Some(*a),
            _ => None,
        }
    }

    /// The arguments of a term that is `op` of two arguments.
    pub(super) fn binary(&self, op: Op, term: TermId) -> Option<(TermId, TermId)> {
        if self.op(term) != op {
            return None;
        }
        match self.args(term) {
            [a, b] => Some((*a, *b)),
            _ => None,
        }
    }

    /// The arguments of a term that is `op` of two arguments, the second a constant.
    pub(super) fn with_const(&self, op: Op, term: TermId) -> Option<(TermId, Bits)> {
        let (a, b) = self.binary(op, term)?;
        Some((a, self.as_bv_const(b)?))
    }

    /// Condition and branches of an `ite`.
    pub(super) fn as_ite(&self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        if self.op(term) != Op::Ite {
            return None;
        }
        match self.args(term) {
            [condition, then, otherwise] => Some((*condition, *then, *otherwise)),
            _ => None,
        }
    }

    /// Two arguments of a commutative operator in their order: constants last, then by id.
    pub(super) fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        let swap = match (self.is_const(a), self.is_const(b)) {
            (true, false) => true,
            (false, true) => false,
            (true, true) | (false, false) => a > b,
        };
        if swap { (b, a) } else { (a, b) }
    }

    /// The width of a bit-vector term under one widening operator, and which one that is.
    pub(super) fn as_extended(&self, term: TermId) -> Option<(Extension, TermId)> {
        match self.op(term) {
            Op::Bv(BvOp::ZeroExtend { .. }) => Some((Extension::Zero, self.arg(term, 0))),
            Op::Bv(BvOp::SignExtend { .. }) => Some((Extension::Sign, self.arg(term, 0))),
            _ => None,
        }
    }
}

/// How a narrow bit-vector became a wide one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extension {
    Zero,
    Sign,
}

impl Terms {
    pub(super) fn extend(&mut self, extension: Extension, width: u8, a: TermId) -> TermId {
        match extension {
            Extension::Zero => self.bv_zero_extend(width, a),
            Extension::Sign => self.bv_sign_extend(width, a),
        }
    }
}

/// Whether `bits`, cut to `width` and extended again, is itself.
pub(super) fn survives_narrowing(bits: Bits, width: u8, extension: Extension) -> bool {
    let narrow = bits.extract(width - 1, 0);
    match extension {
        Extension::Zero => narrow.zero_extend(bits.width()) == bits,
        Extension::Sign => narrow.sign_extend(bits.width()) == bits,
    }
}
