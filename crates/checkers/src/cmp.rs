//! Comparisons of vectors: on the numbers they stand for.

use glassbox_terms::{BvOp, Op};
use glassbox_values::Bits;

/// Whether `b` is the truth of the comparison.
pub fn holds(op: Op, x: Bits, y: Bits, b: bool) -> Option<bool> {
    let truth = match op {
        Op::Eq => x.unsigned() == y.unsigned(),
        Op::Bv(BvOp::Ult) => x.unsigned() < y.unsigned(),
        Op::Bv(BvOp::Ule) => x.unsigned() <= y.unsigned(),
        Op::Bv(BvOp::Slt) => x.signed() < y.signed(),
        Op::Bv(BvOp::Sle) => x.signed() <= y.signed(),
        _ => return None,
    };
    Some(b == truth)
}
