//! Fused multiply-add: `r = x · y + z`, rounded once.
//!
//! Relation: IEEE fusedMultiplyAdd; 0 · ∞ is NaN whatever z is, and so is ∞ plus the opposite ∞.
//! Strength: bounds on each of the four combinations of signs of x and y, then the hull.
//! Not pruned: gaps, as for addition and multiplication.
//! Source: the scheme of Botella, Gotlieb, Michel, STVR 2006; the paper has no fused operation.

use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_values::RoundingMode;

use super::apply::{self, inverse};
use super::cover::{Cover, FloatBox, Regions, SIGNS, trend_with};
use super::monotone::Trend;

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
    let mut cover = Cover::new(args, result);
    for position in 0..3 {
        cover.add_nan_argument(position);
    }
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
