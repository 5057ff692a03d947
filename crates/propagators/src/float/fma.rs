//! Fused multiply-add: `r = x · y + z`, rounded once.
//!
//! Relation: IEEE fusedMultiplyAdd; 0 · ∞ is NaN whatever z is, and so is ∞ plus the opposite ∞.
//! Strength: bounds on each of the four combinations of signs of x and y, then the hull.
//! Not pruned: gaps, as for addition and multiplication.
//! Source: the scheme of Botella, Gotlieb, Michel, STVR 2006; the paper has no fused operation.

use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};
use glassbox_values::RoundingMode;

use super::apply::{self, inverse};
use super::cover::{Cover, FloatBox, Regions, SIGNS, trend_with};
use super::monotone::Trend;
use super::store::write_box;
use crate::relation::Relation;

/// Arguments `[r, x, y, z]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fma(pub RoundingMode);

impl Relation for Fma {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let domains = [args[1], args[2], args[3]].map(|arg| *store.float(arg));
        write_box(store, args, narrow_fma(self.0, domains, *store.float(args[0])))
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Narrows `[x, y, z]` and `r` for `r = x · y + z`; `None` when there is no solution.
pub fn narrow_fma(
    rounding: RoundingMode,
    args: [FloatInterval; 3],
    result: FloatInterval,
) -> Option<FloatBox<3>> {
    let format = result.format();
    let regions = Regions::of(format);
    let fused = |[x, y, z]: [_; 3]| apply::fma([x, y, z], format, rounding);
    let operand = |position: usize, r, [x, y, z]: [_; 3]| match position {
        0 => inverse::quotient(inverse::difference(r, z, format)?, y, format),
        1 => inverse::quotient(inverse::difference(r, z, format)?, x, format),
        _ => inverse::difference(r, inverse::product(x, y, format)?, format),
    };
    let mut cover = Cover::strict(args, result);
    for x_sign in SIGNS {
        for y_sign in SIGNS {
            let trends = [trend_with(y_sign), trend_with(x_sign), Trend::Rising];
            // Finite factors: the product is a number, and z may be anything.
            cover.add_piece(
                [regions.signed_finite(x_sign), regions.signed_finite(y_sign), regions.all()],
                trends,
                fused,
                operand,
            );
            // Non-zero factors: the product may be infinite, so z must not be the opposite infinity.
            let opposite = x_sign.times(y_sign).opposite();
            let x_non_zero = regions.signed_non_zero(x_sign);
            let y_non_zero = regions.signed_non_zero(y_sign);
            cover.add_piece(
                [x_non_zero, y_non_zero, regions.without_infinity(opposite)],
                trends,
                fused,
                operand,
            );
            let (x_infinity, y_infinity) = (regions.infinity(x_sign), regions.infinity(y_sign));
            cover.add_invalid([x_infinity, y_non_zero, regions.infinity(opposite)]);
            cover.add_invalid([x_non_zero, y_infinity, regions.infinity(opposite)]);
            cover.add_invalid([regions.zero(x_sign), y_infinity, regions.all()]);
            cover.add_invalid([x_infinity, regions.zero(y_sign), regions.all()]);
        }
    }
    // 0 · ∞ with a NaN addend is NaN as well; the NaN argument above has that already.
    cover.finish()
}
