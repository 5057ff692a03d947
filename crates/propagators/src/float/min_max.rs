//! Minimum and maximum: `z = min(x, y)` and `z = max(x, y)`.
//!
//! Relation: one NaN gives the other argument, two give NaN; of two zeros the second argument is the
//! result whatever the signs, as `terms::eval` fixes it.
//! Strength: bounds on each combination of (negative, zeros, positive), then the hull; the four pairs
//! of zeros are enumerated, because there the operation is not monotone.
//! Not pruned: holes, e.g. for z = 1, x of 0..=2, y of 1..=2 the values of x below 1 are pruned, but
//! for z = 1 or 3 nothing says that one of x and y equals z.

use glassbox_kernel::domain::float_interval::{FloatInterval, Rank};
use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};

use super::cover::{Cover, FloatBox, Regions, SIGNS, interval_of, span_of};
use super::monotone::{Span, Trend};
use super::store::binary;
use crate::relation::Relation;

/// Which end of the order wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extreme {
    Min,
    Max,
}

impl Relation for Extreme {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        binary(args, store, |operands, result| narrow_min_max(*self, operands, result))
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Narrows `[x, y]` and `z` for `z = min(x, y)` or `z = max(x, y)`; `None` when there is no solution.
pub fn narrow_min_max(
    extreme: Extreme,
    args: [FloatInterval; 2],
    result: FloatInterval,
) -> Option<FloatBox<2>> {
    let format = result.format();
    let mut cover = Cover::new(args, result);
    add_nan_cases(&mut cover, args, result);
    let zeros: Span<Rank> = Span { lo: -1, hi: 0 };
    let non_zeros = SIGNS.map(|sign| Regions::of(format).signed_non_zero(sign));
    let parts = [non_zeros[0], zeros, non_zeros[1]];
    for x_part in parts {
        for y_part in parts {
            if (x_part, y_part) == (zeros, zeros) {
                continue;
            }
            // Not both are zeros, so IEEE order and rank order choose alike.
            let choose = |[x, y]: [Rank; 2]| match extreme {
                Extreme::Min => x.min(y),
                Extreme::Max => x.max(y),
            };
            cover.add_piece([x_part, y_part], [Trend::Rising; 2], choose, |_, z, _| Some(z));
        }
    }
    for zero in zeros.lo..=zeros.hi {
        // The second argument is this zero, and so is the result; x is either zero.
        let second = interval_of(Span::point(zero), format);
        if args[1].contains_rank(zero)
            && result.contains_rank(zero)
            && let Some(first) = span_of(args[0]).and_then(|span| span.meet(zeros))
        {
            cover.add_box(FloatBox { args: [interval_of(first, format), second], result: second });
        }
    }
    cover.finish()
}

fn add_nan_cases(cover: &mut Cover<2>, args: [FloatInterval; 2], result: FloatInterval) {
    for position in 0..2 {
        if args[position].may_be_nan() {
            // The other argument is the result, NaN included.
            if let Some(common) = args[1 - position].meet(&result) {
                let mut narrowed = [common; 2];
                narrowed[position] = FloatInterval::only_nan(result.format());
                cover.add_box(FloatBox { args: narrowed, result: common });
            }
        }
    }
}
