//! Comparisons of vectors: on the numbers they stand for.

use glassbox_terms::Op;
use glassbox_values::Bits;

/// Whether `b` is the truth of the comparison.
pub fn holds(op: Op, x: Bits, y: Bits, b: bool) -> Option<bool> {
    let truth = match op {
        Op::Eq => x.unsigned() == y.unsigned(),
        Op::BvUlt => x.unsigned() < y.unsigned(),
        Op::BvUle => x.unsigned() <= y.unsigned(),
        Op::BvSlt => x.signed() < y.signed(),
        Op::BvSle => x.signed() <= y.signed(),
        _ => return None,
    };
    Some(b == truth)
}
