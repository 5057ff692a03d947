//! Subtraction: `z = x ⊖ y` in one rounding mode.
//!
//! Relation: IEEE subtraction, which is `x ⊕ (-y)` exactly, zeros and infinities included.
//! Strength and what is not pruned: as addition.
//! Source: as addition; tables T5, T8 and the "b in r = a ⊖ b" table of docs/papers/floats.md, rules B4 and B5 follow.

use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_kernel::{Conflict, Status, Store, VarIdx};
use glassbox_values::{RoundingMode, Sign};

use super::add::narrow_add;
use super::cover::{Cover, FloatBox, Regions, SIGNS};
use super::monotone::{Trend, no_guess};
use super::store::binary_or_same;
use crate::relation::Relation;

/// Arguments `[z, x, y]`; where x and y are one variable, its own rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sub(pub RoundingMode);

impl Relation for Sub {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let both = |operands, result| narrow_sub(self.0, operands, result);
        let same = |x, result| narrow_sub_self(self.0, x, result);
        binary_or_same(args, store, both, same)
    }
}

/// Narrows `[x, y]` and `z` for `z = x ⊖ y`; `None` when there is no solution.
pub fn narrow_sub(
    rounding: RoundingMode,
    [x, y]: [FloatInterval; 2],
    result: FloatInterval,
) -> Option<FloatBox<2>> {
    let mut narrowed = narrow_add(rounding, [x, y.negated()], result)?;
    narrowed.args[1] = narrowed.args[1].negated();
    Some(narrowed)
}

/// Narrows `[x]` and `z` for `z = x ⊖ x`: a zero for numbers, NaN for infinities and NaN.
pub fn narrow_sub_self(
    rounding: RoundingMode,
    arg: FloatInterval,
    result: FloatInterval,
) -> Option<FloatBox<1>> {
    let format = result.format();
    let regions = Regions::of(format);
    let zero = match rounding {
        RoundingMode::TowardNegative => Sign::Negative,
        RoundingMode::NearestEven
        | RoundingMode::NearestAway
        | RoundingMode::TowardPositive
        | RoundingMode::TowardZero => Sign::Positive,
    };
    let mut cover = Cover::strict([arg], result);
    cover.add_piece([regions.finite()], [Trend::Rising], |_| regions.zero(zero).lo, no_guess);
    for sign in SIGNS {
        cover.add_invalid([regions.infinity(sign)]);
    }
    cover.finish()
}
