//! Negation: `z = -x`, the sign bit flipped.
//!
//! Relation: IEEE negate; NaN is NaN.
//! Strength: exact on intervals (a bijection of ranks). Nothing is left unpruned.

use glassbox_kernel::domain::float_interval::FloatInterval;

use super::cover::FloatBox;

/// Narrows `[x]` and `z` for `z = -x`; `None` when there is no solution.
pub fn narrow_neg(arg: FloatInterval, result: FloatInterval) -> Option<FloatBox<1>> {
    let meet = arg.negated().meet(&result)?;
    Some(FloatBox { args: [meet.negated()], result: meet })
}
