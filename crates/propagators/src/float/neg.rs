//! Negation: `z = -x`, the sign bit flipped.
//!
//! Relation: IEEE negate; NaN is NaN.
//! Strength: exact on intervals (a bijection of ranks). Nothing is left unpruned.

use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_kernel::{Conflict, Status, Store, VarIdx};

use super::cover::FloatBox;
use super::store::unary;
use crate::relation::Relation;

/// Arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neg;

impl Relation for Neg {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        unary(args, store, narrow_neg)
    }
}

/// Narrows `[x]` and `z` for `z = -x`; `None` when there is no solution.
pub fn narrow_neg(arg: FloatInterval, result: FloatInterval) -> Option<FloatBox<1>> {
    let meet = arg.negated().meet(&result)?;
    Some(FloatBox { args: [meet.negated()], result: meet })
}
