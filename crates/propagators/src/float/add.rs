//! Addition: `z = x ⊕ y` in one rounding mode.
//!
//! Relation: IEEE addition; NaN in gives NaN, ∞ + -∞ is NaN, an exact zero sum is +0 (-0 toward
//! negative), except that equal zeros keep their sign.
//! Strength: bounds, direct and inverse (see `monotone`).
//! Not pruned: gaps, e.g. x of 1..=2 with y = 2^60 and z = 2^60 keeps every x, rightly, but
//! x = 0.1, z = 0.3, y of 0..=1 leaves the two or three y around 0.2 even if none of them adds up.
//! Source: Botella, Gotlieb, Michel, STVR 2006, figures 3 and 5 and tables T1, T2 as corrected in spec E
//! part B; the split there into infinities, zeros and numbers is not needed, since addition is
//! monotone in the total order except where opposite infinities meet.

use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_values::RoundingMode;

use super::apply::{self, inverse};
use super::cover::{Cover, FloatBox, Regions, SIGNS};
use super::monotone::Trend;

/// Narrows `[x, y]` and `z` for `z = x ⊕ y`; `None` when there is no solution.
pub fn narrow_add(
    rounding: RoundingMode,
    args: [FloatInterval; 2],
    result: FloatInterval,
) -> Option<FloatBox<2>> {
    let format = result.format();
    let regions = Regions::of(format);
    let mut cover = Cover::new(args, result);
    cover.add_nan_argument(0);
    cover.add_nan_argument(1);
    let sum = |[x, y]: [_; 2]| apply::add(x, y, format, rounding);
    let summand =
        |position: usize, z, args: [_; 2]| inverse::difference(z, args[1 - position], format);
    for sign in SIGNS {
        // Without one infinity in both operands the opposite infinities cannot meet.
        cover.add_piece([regions.without_infinity(sign); 2], [Trend::Rising; 2], sum, summand);
        let opposite = sign.opposite();
        cover.add_invalid([regions.infinity(sign), regions.infinity(opposite)]);
    }
    cover.finish()
}

/// Narrows `[x]` and `z` for `z = x ⊕ x`, which is monotone and never invalid.
pub fn narrow_double(
    rounding: RoundingMode,
    arg: FloatInterval,
    result: FloatInterval,
) -> Option<FloatBox<1>> {
    let format = result.format();
    let mut cover = Cover::new([arg], result);
    cover.add_nan_argument(0);
    cover.add_piece(
        [Regions::of(format).all()],
        [Trend::Rising],
        |[x]| apply::add(x, x, format, rounding),
        |_, z, _| Some(apply::half(z, format, RoundingMode::NearestEven)),
    );
    cover.finish()
}
