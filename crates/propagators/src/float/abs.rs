//! Absolute value: `z = |x|`, the sign bit cleared.
//!
//! Relation: IEEE abs; NaN is NaN, |-0| is +0.
//! Strength: bounds on each sign, then the hull.
//! Not pruned: the hole in x around zero when z is bounded away from zero and both signs stay.

use glassbox_kernel::domain::float_interval::{FloatInterval, negated_rank};
use glassbox_kernel::{Conflict, Status, Store, VarIdx};

use super::cover::{Cover, FloatBox, Regions, SIGNS, mirrored, trend_with};
use super::monotone::Span;
use super::store::unary;
use crate::relation::Relation;

/// Arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abs;

impl Relation for Abs {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        unary(args, store, narrow_abs)
    }
}

/// Narrows `[x]` and `z` for `z = |x|`; `None` when there is no solution.
pub fn narrow_abs(arg: FloatInterval, result: FloatInterval) -> Option<FloatBox<1>> {
    let regions = Regions::of(result.format());
    let mut cover = Cover::strict([arg], result);
    for sign in SIGNS {
        cover.add_piece(
            [regions.signed(sign)],
            [trend_with(sign)],
            |[x]| if x < 0 { negated_rank(x) } else { x },
            |_, z, _| Some(mirrored(sign, Span::point(z)).lo),
        );
    }
    cover.finish()
}
