//! C `fmod` and the JVM's `frem`/`drem`: `r = x - n·y` with n = x/y truncated, exactly.
//!
//! Relation: always exact; r has the sign of x (zeros included) and |r| < |y|; x infinite or y zero
//! gives NaN; y infinite gives x.
//! Strength: on each combination of signs, bounds when the truncated quotient is one number over
//! the whole box (so also for points), else |r| <= |x|, |r| < |y| and the sign rule.
//! Not pruned: anything that needs to know which quotients are possible, e.g. x of 10..=20 with y = 7 and
//! r = 5 keeps 10..=20 although only 12 and 19 (and what lies between the units) will do.

use glassbox_kernel::domain::float_interval::{FloatInterval, Rank};
use glassbox_kernel::{Conflict, Priority, Status, Store, VarIdx};
use glassbox_values::{Format, RoundingMode, Sign};

use super::apply;
use super::cover::{FloatBox, Regions};
use super::monotone::{Span, Trend, narrow, no_guess};
use super::rem::{Spans, narrow_by_signs};
use super::store::binary;
use crate::relation::Relation;

/// Arguments `[r, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fmod;

impl Relation for Fmod {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        binary(args, store, narrow_fmod)
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Narrows `[x, y]` and `r` for `r = fmod(x, y)`; `None` when there is no solution.
pub fn narrow_fmod(args: [FloatInterval; 2], result: FloatInterval) -> Option<FloatBox<2>> {
    let remainders = Regions::of(result.format()).signed_finite(Sign::Positive);
    narrow_by_signs(args, result, remainders, narrow_positive)
}

/// The rule for `0 <= x < ∞` and `0 < y`.
fn narrow_positive([x, y, r]: Spans, format: Format) -> Option<Spans> {
    // On the positive side ranks compare as the numbers do.
    let r = Span::new(r.lo, r.hi.min(x.hi).min(y.hi - 1))?;
    let x = Span::new(x.lo.max(r.lo), x.hi)?;
    let y = Span::new(y.lo.max(r.lo + 1), y.hi)?;
    if one_quotient(x, y, format) {
        let remainder = |[x, y]: [Rank; 2]| apply::fmod(x, y, format);
        let narrowed = narrow(remainder, no_guess, [Trend::Rising, Trend::Falling], [x, y], r)?;
        return Some([narrowed.args[0], narrowed.args[1], narrowed.result]);
    }
    Some([x, y, r])
}

/// The truncated quotient is the same integer all over the box, hence `r = x - n·y` is monotone.
fn one_quotient(x: Span<Rank>, y: Span<Rank>, format: Format) -> bool {
    if x.hi < y.lo || (x.lo == x.hi && y.lo == y.hi) {
        return true;
    }
    // Truncating the quotient first toward zero in the format and then to an integer is exact as
    // long as the integer fits the significand, because that integer is itself a float below it.
    let whole_quotient = |x: Rank, y: Rank| {
        let quotient = apply::div(x, y, format, RoundingMode::TowardZero);
        apply::round_to_integral(quotient, format, RoundingMode::TowardZero)
    };
    let most = whole_quotient(x.hi, y.lo);
    most < apply::rank_of_integer_limit(format) && whole_quotient(x.lo, y.hi) == most
}
