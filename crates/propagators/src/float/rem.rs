//! IEEE remainder: `r = x - n·y` with n = x/y rounded to the nearest integer, ties to even, exactly.
//!
//! Relation: always exact; a zero r has the sign of x, and |r| <= |y|/2; x infinite or y zero gives
//! NaN; y infinite gives x.
//! Strength: exact for points and where |x| <= |y|/2 (then r = x); else |r| <= |x| and |r| <= |y|/2.
//! Not pruned: as `fmod`, and the sign of r, which follows from the quotient.

use glassbox_kernel::domain::float_interval::{FloatInterval, Rank, negated_rank};
use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};
use glassbox_values::{Format, RoundingMode, Sign};

use super::apply;
use super::cover::{Cover, FloatBox, Regions, SIGNS, interval_of, mirrored, span_of};
use super::monotone::Span;
use super::store::binary;
use crate::relation::Relation;

/// Arguments `[r, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rem;

impl Relation for Rem {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        binary(args, store, narrow_rem)
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Narrows `[x, y]` and `r` for `r = remainder(x, y)`; `None` when there is no solution.
pub fn narrow_rem(args: [FloatInterval; 2], result: FloatInterval) -> Option<FloatBox<2>> {
    narrow_by_signs(args, result, Regions::of(result.format()).finite(), narrow_positive)
}

/// What is left of x, y and r.
pub(super) type Spans = [Span<Rank>; 3];

/// The rule of a remainder from that for `0 <= x < ∞` and `0 < y`, where r lies in `remainders`: the
/// sign of y does not matter, and -x gives -r.
pub(super) fn narrow_by_signs(
    args: [FloatInterval; 2],
    result: FloatInterval,
    remainders: Span<Rank>,
    narrow_positive: fn(Spans, Format) -> Option<Spans>,
) -> Option<FloatBox<2>> {
    let format = result.format();
    let regions = Regions::of(format);
    let mut cover = Cover::strict(args, result);
    for x_sign in SIGNS {
        cover.add_invalid([regions.infinity(x_sign), regions.all()]);
        cover.add_invalid([regions.all(), regions.zero(x_sign)]);
        for y_sign in SIGNS {
            let within = |domain, sign, region| mirrored(sign, span_of(domain)?).meet(region);
            let x = within(args[0], x_sign, regions.signed_finite(Sign::Positive));
            let y = within(args[1], y_sign, regions.signed_non_zero(Sign::Positive));
            let r = within(result, x_sign, remainders);
            let (Some(x), Some(y), Some(r)) = (x, y, r) else { continue };
            if let Some([x, y, r]) = narrow_positive([x, y, r], format) {
                cover.add_box(FloatBox {
                    args: [
                        interval_of(mirrored(x_sign, x), format),
                        interval_of(mirrored(y_sign, y), format),
                    ],
                    result: interval_of(mirrored(x_sign, r), format),
                });
            }
        }
    }
    cover.finish()
}

/// The rule for `0 <= x < ∞` and `0 < y`; r has either sign.
fn narrow_positive([x, y, r]: Spans, format: Format) -> Option<Spans> {
    if x.lo == x.hi && y.lo == y.hi {
        let r = r.meet(Span::point(apply::rem(x.lo, y.lo, format)))?;
        return Some([x, y, r]);
    }
    // Half of y, rounded down, bounds every float that is at most the real half.
    let half = |y: Rank| apply::half(y, format, RoundingMode::TowardNegative);
    if x.hi <= half(y.lo) {
        // The quotient is at most one half, and the tie goes to the even 0.
        let common = x.meet(r)?;
        return Some([common, y, common]);
    }
    let bound = half(y.hi).min(x.hi);
    let r = r.meet(Span { lo: negated_rank(bound), hi: bound })?;
    // |r| is at least this over the whole span.
    let least = if r.lo < 0 && r.hi >= 0 { 0 } else { r.lo.max(negated_rank(r.hi)) };
    let x = Span::new(x.lo.max(least), x.hi)?;
    // |r| <= y/2 means y >= 2|r|; doubling is exact, or overflows to infinity and y must follow.
    let y = Span::new(y.lo.max(apply::double(least, format)), y.hi)?;
    Some([x, y, r])
}
