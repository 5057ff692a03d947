//! Square root: `z = √x` in one rounding mode.
//!
//! Relation: IEEE square root; negative numbers give NaN, -0 gives -0.
//! Strength: bounds, direct and inverse; since z has half the exponent range of x, the inverse is often
//! an interval where the direct image is a point.
//! Not pruned: values of z between the bounds that are no square root (in the directed modes with
//! few significand bits every z ≥ 0 in range is one).
//! Source: docs/papers/floats.md, rule B9 names it as easy; found by the same bisection as the others.

use glassbox_kernel::domain::float_interval::{FloatInterval, Rank};
use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};
use glassbox_values::{RoundingMode, Sign};

use super::apply::{self, inverse};
use super::cover::{Cover, FloatBox, Regions};
use super::monotone::{Span, Trend};
use super::store::unary;
use crate::relation::Relation;

/// Arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sqrt(pub RoundingMode);

impl Relation for Sqrt {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        unary(args, store, |arg, result| narrow_sqrt(self.0, arg, result))
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Narrows `[x]` and `z` for `z = √x`; `None` when there is no solution.
pub fn narrow_sqrt(
    rounding: RoundingMode,
    arg: FloatInterval,
    result: FloatInterval,
) -> Option<FloatBox<1>> {
    let format = result.format();
    let regions = Regions::of(format);
    let mut cover = Cover::strict([arg], result);
    let from_negative_zero: Span<Rank> = Span { lo: -1, hi: regions.all().hi };
    cover.add_piece(
        [from_negative_zero],
        [Trend::Rising],
        |[x]| apply::sqrt(x, format, rounding),
        |_, z, _| inverse::product(z, z, format),
    );
    cover.add_invalid([regions.signed_non_zero(Sign::Negative)]);
    cover.finish()
}
