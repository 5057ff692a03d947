//! Multiplication: `z = x ⊗ y` in one rounding mode.
//!
//! Relation: IEEE multiplication; 0 · ∞ is NaN; the sign of the result is the product of the signs,
//! zeros included.
//! Strength: bounds on each of the four combinations of signs, then the hull; so `x ⊗ y = -1` with
//! x positive fixes the sign of y.
//! Not pruned: gaps (factors that no partner completes), and signs that only a hull blurs: for
//! z = 1 both (negative, negative) and (positive, positive) stay.
//! Source: Botella, Gotlieb, Michel, STVR 2006, figures 3 and 5; tables T6 and T9 as corrected in docs/papers/floats.md,
//! rules B4 and B5 (the printed ones lose ∞ · Nv = ±∞ and underflow to zero; `tests/float_tiny` runs all).

use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};
use glassbox_values::RoundingMode;

use super::apply::{self, inverse};
use super::cover::{Cover, FloatBox, Regions, SIGNS, mirrored, trend_with};
use super::monotone::Span;
use super::store::binary_or_same;
use crate::relation::Relation;

/// Arguments `[z, x, y]`; where x and y are one variable, its own rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mul(pub RoundingMode);

impl Relation for Mul {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let both = |operands, result| narrow_mul(self.0, operands, result);
        let same = |x, result| narrow_square(self.0, x, result);
        binary_or_same(args, store, both, same)
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Narrows `[x, y]` and `z` for `z = x ⊗ y`; `None` when there is no solution.
pub fn narrow_mul(
    rounding: RoundingMode,
    args: [FloatInterval; 2],
    result: FloatInterval,
) -> Option<FloatBox<2>> {
    let format = result.format();
    let regions = Regions::of(format);
    let product = |[x, y]: [_; 2]| apply::mul(x, y, format, rounding);
    let factor =
        |position: usize, z, args: [_; 2]| inverse::quotient(z, args[1 - position], format);
    let mut cover = Cover::strict(args, result);
    for x_sign in SIGNS {
        for y_sign in SIGNS {
            let trends = [trend_with(y_sign), trend_with(x_sign)];
            // A zero and an infinity never meet inside either of these two pieces.
            cover.add_piece(
                [regions.signed_finite(x_sign), regions.signed_finite(y_sign)],
                trends,
                product,
                factor,
            );
            cover.add_piece(
                [regions.signed_non_zero(x_sign), regions.signed_non_zero(y_sign)],
                trends,
                product,
                factor,
            );
            cover.add_invalid([regions.zero(x_sign), regions.infinity(y_sign)]);
            cover.add_invalid([regions.infinity(x_sign), regions.zero(y_sign)]);
        }
    }
    cover.finish()
}

/// Narrows `[x]` and `z` for `z = x ⊗ x`: never negative, monotone on each side of zero.
pub fn narrow_square(
    rounding: RoundingMode,
    arg: FloatInterval,
    result: FloatInterval,
) -> Option<FloatBox<1>> {
    let format = result.format();
    let mut cover = Cover::strict([arg], result);
    for sign in SIGNS {
        cover.add_piece(
            [Regions::of(format).signed(sign)],
            [trend_with(sign)],
            |[x]| apply::mul(x, x, format, rounding),
            |_, z, _| {
                let root = inverse::root(z, format)?;
                Some(mirrored(sign, Span::point(root)).lo)
            },
        );
    }
    cover.finish()
}
