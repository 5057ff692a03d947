//! Rounding to an integral float: `z = roundToIntegral(x)` in one rounding mode.
//!
//! Relation: IEEE roundToIntegral; zeros, infinities and NaN are themselves, and a result of zero has
//! the sign of x.
//! Strength: bounds, direct and inverse; after one call both bounds of z are integral.
//! Not pruned: non-integral values of z between the bounds.

use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};
use glassbox_values::RoundingMode;

use super::apply;
use super::cover::{Cover, FloatBox, Regions};
use super::monotone::Trend;
use super::store::unary;
use crate::relation::Relation;

/// Arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round(pub RoundingMode);

impl Relation for Round {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        unary(args, store, |arg, result| narrow_round(self.0, arg, result))
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Narrows `[x]` and `z` for `z = roundToIntegral(x)`; `None` when there is no solution.
pub fn narrow_round(
    rounding: RoundingMode,
    arg: FloatInterval,
    result: FloatInterval,
) -> Option<FloatBox<1>> {
    let format = result.format();
    let mut cover = Cover::strict([arg], result);
    cover.add_piece(
        [Regions::of(format).all()],
        [Trend::Rising],
        |[x]| apply::round_to_integral(x, format, rounding),
        |_, z, _| Some(z),
    );
    cover.finish()
}
