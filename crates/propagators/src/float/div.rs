//! Division: `z = x ⊘ y` in one rounding mode.
//!
//! Relation: IEEE division; 0/0 and ∞/∞ are NaN, a non-zero number by zero is an infinity; the sign
//! of the result is the product of the signs, zeros included.
//! Strength: bounds on each of the four combinations of signs, then the hull; a divisor interval that
//! straddles zero is two divisors, so no "0 ∉ b" condition is needed (docs/papers/floats.md, rule B4).
//! Not pruned: gaps, and what the hull over the signs of the divisor blurs.
//! Source: Botella, Gotlieb, Michel, STVR 2006, figures 3 and 5; tables T7, T10 and "b in r = a ⊘ b" as
//! corrected in docs/papers/floats.md, rules B4 and B5.

use glassbox_kernel::domain::float_interval::{FloatInterval, Rank};
use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};
use glassbox_values::{Float, RoundingMode, Sign};

use super::apply::{self, inverse};
use super::cover::{Cover, FloatBox, Regions, SIGNS, mirrored, trend_with};
use super::monotone::{Span, Trend, no_guess};
use super::store::binary_or_same;
use crate::relation::Relation;

/// Arguments `[z, x, y]`; where x and y are one variable, its own rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Div(pub RoundingMode);

impl Relation for Div {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let both = |operands, result| narrow_div(self.0, operands, result);
        binary_or_same(args, store, both, narrow_div_self)
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Narrows `[x, y]` and `z` for `z = x ⊘ y`; `None` when there is no solution.
pub fn narrow_div(
    rounding: RoundingMode,
    args: [FloatInterval; 2],
    result: FloatInterval,
) -> Option<FloatBox<2>> {
    let format = result.format();
    let regions = Regions::of(format);
    let quotient = |[x, y]: [_; 2]| apply::div(x, y, format, rounding);
    let operand = |position: usize, z, [x, y]: [_; 2]| match position {
        0 => inverse::product(z, y, format),
        _ => inverse::quotient(x, z, format),
    };
    let mut cover = Cover::strict(args, result);
    for x_sign in SIGNS {
        for y_sign in SIGNS {
            let trends = [trend_with(y_sign), trend_with(x_sign).flipped()];
            // Two zeros or two infinities never meet inside either of these two pieces.
            cover.add_piece(
                [regions.signed_finite(x_sign), regions.signed_non_zero(y_sign)],
                trends,
                quotient,
                operand,
            );
            cover.add_piece(
                [regions.signed_non_zero(x_sign), regions.signed_finite(y_sign)],
                trends,
                quotient,
                operand,
            );
            cover.add_invalid([regions.zero(x_sign), regions.zero(y_sign)]);
            cover.add_invalid([regions.infinity(x_sign), regions.infinity(y_sign)]);
        }
    }
    cover.finish()
}

/// Narrows `[x]` and `z` for `z = x ⊘ x`: one, or NaN for zeros, infinities and NaN.
pub fn narrow_div_self(arg: FloatInterval, result: FloatInterval) -> Option<FloatBox<1>> {
    let format = result.format();
    let regions = Regions::of(format);
    let one = Float::one(Sign::Positive, format).order_index().expect("one should be a number");
    let mut cover = Cover::strict([arg], result);
    for sign in SIGNS {
        let positive: Span<Rank> = Span { lo: 1, hi: regions.finite().hi };
        cover.add_piece([mirrored(sign, positive)], [Trend::Rising], |_| one, no_guess);
        cover.add_invalid([regions.zero(sign)]);
        cover.add_invalid([regions.infinity(sign)]);
    }
    cover.finish()
}
