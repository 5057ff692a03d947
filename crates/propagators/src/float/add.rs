//! Addition: `z = x ⊕ y` in one rounding mode.
//!
//! Relation: IEEE addition; NaN in gives NaN, ∞ + -∞ is NaN, an exact zero sum is +0 (-0 toward
//! negative), except that equal zeros keep their sign.
//! Strength: bounds, direct and inverse (see `monotone`).
//! Not pruned: gaps, e.g. x of 1..=2 with y = 2^60 and z = 2^60 keeps every x, rightly, but
//! x = 0.1, z = 0.3, y of 0..=1 leaves the two or three y around 0.2 even if none of them adds up.
//! Where the result is never zero, cancellation bounds the operands: see `largest_operand`.
//! Source: Botella, Gotlieb, Michel, STVR 2006, figures 3 and 5 and tables T1, T2 as corrected in docs/papers/floats.md,
//! rules B4 and B5; the split there into infinities, zeros and numbers is not needed, since addition is
//! monotone in the total order except where opposite infinities meet. The bound by cancellation is in the
//! spirit of Marre and Michel, CP 2010, who use the representation of floats to filter ⊕ and ⊖.

use glassbox_kernel::domain::float_interval::{FloatInterval, Rank, negated_rank};
use glassbox_kernel::{Conflict, Status, Store, VarIdx};
use glassbox_values::RoundingMode;

use super::apply::{self, inverse};
use super::cover::{Cover, FloatBox, Regions, SIGNS};
use super::monotone::{Span, Trend};
use super::store::binary_or_same;
use crate::relation::Relation;

/// Arguments `[z, x, y]`; where x and y are one variable, its own rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Add(pub RoundingMode);

impl Relation for Add {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let both = |operands, result| narrow_add(self.0, operands, result);
        let same = |x, result| narrow_double(self.0, x, result);
        binary_or_same(args, store, both, same)
    }
}

/// Narrows `[x, y]` and `z` for `z = x ⊕ y`; `None` when there is no solution.
pub fn narrow_add(
    rounding: RoundingMode,
    args: [FloatInterval; 2],
    result: FloatInterval,
) -> Option<FloatBox<2>> {
    let format = result.format();
    let regions = Regions::of(format);
    let mut cover = Cover::strict(args, result);
    let sum = |[x, y]: [_; 2]| apply::add(x, y, format, rounding);
    let summand =
        |position: usize, z, args: [_; 2]| inverse::difference(z, args[1 - position], format);
    let largest = largest_operand(result);
    for sign in SIGNS {
        // Without one infinity in both operands the opposite infinities cannot meet.
        if let Some(region) = regions.without_infinity(sign).meet(largest) {
            cover.add_piece([region; 2], [Trend::Rising; 2], sum, summand);
        }
        let opposite = sign.opposite();
        cover.add_invalid([regions.infinity(sign), regions.infinity(opposite)]);
    }
    cover.finish()
}

/// The ranks an operand may have because a sum that is not zero cannot be tiny.
///
/// Let |x| >= |y| and z = x ⊕ y be a number other than zero, at most m in magnitude. With equal signs
/// |x| <= m. With opposite signs and |y| < |x|/2 no more than half of x goes away, so |x| <= 2m plus
/// one subnormal unit. Otherwise the sum is exact (Sterbenz) and a multiple of half the unit in the
/// last place of x, hence |x| < 2^(p+1)·m for p bits of significand. The last bound holds for all.
fn largest_operand(result: FloatInterval) -> Span<Rank> {
    let format = result.format();
    let all = Regions::of(format).all();
    let (Some(_), Some((lo, hi)), false) = (result.sign(), result.ranks(), result.may_be_zero())
    else {
        return all;
    };
    let most = hi.max(negated_rank(lo));
    let bound = apply::scale(most, i32::from(format.significand) + 1, format);
    Span { lo: negated_rank(bound), hi: bound }
}

/// Narrows `[x]` and `z` for `z = x ⊕ x`, which is monotone and never invalid.
pub fn narrow_double(
    rounding: RoundingMode,
    arg: FloatInterval,
    result: FloatInterval,
) -> Option<FloatBox<1>> {
    let format = result.format();
    let mut cover = Cover::strict([arg], result);
    cover.add_piece(
        [Regions::of(format).all()],
        [Trend::Rising],
        |[x]| apply::add(x, x, format, rounding),
        |_, z, _| Some(apply::half(z, format, RoundingMode::NearestEven)),
    );
    cover.finish()
}
