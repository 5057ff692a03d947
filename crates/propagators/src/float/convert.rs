//! Conversions between float formats, and between floats and integers.
//!
//! Relations: `z = (format) x` rounded once; `z = (format) n` for an integer n read signed or unsigned;
//! `n = (integer) x` rounded to a whole number, and zero where that does not fit, for infinities and
//! for NaN, as `terms::eval` fixes it.
//! Strength: bounds, direct and inverse; for float to integer on the part that fits, joined with the
//! part that does not when zero is a possible result.
//! Not pruned: floats between the bounds that no integer hits.
//! Source: Botella, Gotlieb, Michel, STVR 2006, figure 8, for the two formats; the integers are new
//! here (docs/papers/floats.md, rule B9 lists them as missing).
//!
//! Integers travel as *keys*: `i128` values in the order of the reading, so that 128 unsigned bits fit.

use glassbox_kernel::domain::float_interval::{FloatInterval, Rank, float_at, rank_of_infinity};
use glassbox_kernel::{Conflict, Domain, Premises, Priority, Status, Store, VarIdx};
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

use super::apply;
use super::cover::{FloatBox, interval_of, span_of};
use super::integer_side::{narrow_to_spans, spans_of};
use super::monotone::{Narrowed, Span, Trend, greatest, least, narrow};
use super::store::{others, status_of, unary, write_float};
use crate::relation::Relation;

/// An integer in the order of its reading; see `key_of`.
pub type IntegerKey = i128;

/// Unsigned integers are moved down by 2^127, which keeps their order and makes 128 bits fit.
const UNSIGNED_OFFSET: u128 = 1 << 127;

/// The key of an integer.
pub fn key_of(value: Bits, signedness: Signedness) -> IntegerKey {
    match signedness {
        Signedness::Signed => value.signed(),
        Signedness::Unsigned => (value.unsigned() ^ UNSIGNED_OFFSET).cast_signed(),
    }
}

/// The integer with this key.
pub fn integer_at(key: IntegerKey, width: u8, signedness: Signedness) -> Bits {
    match signedness {
        Signedness::Signed => Bits::from_signed(key, width),
        Signedness::Unsigned => Bits::new(key.cast_unsigned() ^ UNSIGNED_OFFSET, width),
    }
}

/// From a float to one of another format; arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToFloat(pub RoundingMode);

impl Relation for ToFloat {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        unary(args, store, |arg, result| narrow_to_float(self.0, arg, result))
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// From an integer to a float; arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FromInteger {
    pub rounding: RoundingMode,
    pub signedness: Signedness,
}

impl Relation for FromInteger {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let FromInteger { rounding, signedness } = *self;
        let integer = IntegerType { width: width_of(store, args[1]), signedness };
        let result = *store.float(args[0]);
        let parts = spans_of(store.domain(args[1]), signedness)
            .map(|span| span.and_then(|span| narrow_from_integer(integer, rounding, span, result)));
        let floats = parts.iter().flatten().map(|(_, float)| *float);
        let Some(float) = floats.reduce(|one, other| one.join(&other)) else {
            return Err(store.fail(Premises::ALL));
        };
        write_float(store, args, 0, float, 2)?;
        let spans = parts.into_iter().flatten().map(|(span, _)| span);
        narrow_to_spans(store, args[1], spans, signedness, others(1, 2))?;
        Ok(status_of(store, args))
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// From a float to an integer; arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToInteger {
    pub rounding: RoundingMode,
    pub signedness: Signedness,
}

impl Relation for ToInteger {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let ToInteger { rounding, signedness } = *self;
        let integer = IntegerType { width: width_of(store, args[0]), signedness };
        let arg = *store.float(args[1]);
        let parts = spans_of(store.domain(args[0]), signedness)
            .map(|span| span.and_then(|span| narrow_to_integer(integer, rounding, arg, span)));
        let floats = parts.iter().flatten().map(|(float, _)| *float);
        let Some(float) = floats.reduce(|one, other| one.join(&other)) else {
            return Err(store.fail(Premises::ALL));
        };
        let spans = parts.into_iter().flatten().map(|(_, span)| span);
        narrow_to_spans(store, args[0], spans, signedness, others(0, 2))?;
        write_float(store, args, 1, float, 2)?;
        Ok(status_of(store, args))
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

fn width_of(store: &Store, var: VarIdx) -> u8 {
    match store.domain(var) {
        Domain::Bits(bits) => bits.width(),
        Domain::Wide(wide) => wide.width(),
        other @ (Domain::Bool(_) | Domain::Float(_) | Domain::Opaque) => {
            panic!("an integer should be a bit-vector, is {other:?}")
        }
    }
}

/// Narrows `[x]` and `z` for `z = (format) x`; the formats are those of the domains.
pub fn narrow_to_float(
    rounding: RoundingMode,
    arg: FloatInterval,
    result: FloatInterval,
) -> Option<FloatBox<1>> {
    let (from, to) = (arg.format(), result.format());
    let nan = (arg.may_be_nan() && result.may_be_nan()).then(|| FloatBox {
        args: [FloatInterval::only_nan(from)],
        result: FloatInterval::only_nan(to),
    });
    let numbers = span_of(arg).zip(span_of(result)).and_then(|(x, z)| {
        let convert = |[x]: [Rank; 1]| apply::convert(x, from, to, rounding);
        let back = |_, z, _: [Rank; 1]| apply::inverse::conversion(z, to, from);
        let Narrowed { args: [x], result: z } = narrow(convert, back, [Trend::Rising], [x], z)?;
        Some(FloatBox { args: [interval_of(x, from)], result: interval_of(z, to) })
    });
    match (numbers, nan) {
        (Some(numbers), Some(_)) => {
            Some(FloatBox { args: [numbers.args[0].with_nan()], result: numbers.result.with_nan() })
        }
        (Some(only), None) | (None, Some(only)) => Some(only),
        (None, None) => None,
    }
}

/// An integer type: how a bit-vector is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntegerType {
    pub width: u8,
    pub signedness: Signedness,
}

/// Narrows `n` and `z` for `z = (format) n`.
pub fn narrow_from_integer(
    integer: IntegerType,
    rounding: RoundingMode,
    arg: Span<IntegerKey>,
    result: FloatInterval,
) -> Option<(Span<IntegerKey>, FloatInterval)> {
    let format = result.format();
    let convert = |[key]: [IntegerKey; 1]| {
        let value = integer_at(key, integer.width, integer.signedness);
        Float::from_int(value, integer.signedness, format, rounding)
            .order_index()
            .expect("an integer should convert to a number")
    };
    let nearest = RoundingMode::NearestEven;
    let back = |_, z: Rank, _: [IntegerKey; 1]| {
        let whole = float_at(z, format).to_int(nearest, integer.width, integer.signedness)?;
        Some(key_of(whole, integer.signedness))
    };
    let narrowed = narrow(convert, back, [Trend::Rising], [arg], span_of(result)?)?;
    Some((narrowed.args[0], interval_of(narrowed.result, format)))
}

/// Narrows `x` and `n` for `n = (integer) x`.
pub fn narrow_to_integer(
    integer: IntegerType,
    rounding: RoundingMode,
    arg: FloatInterval,
    result: Span<IntegerKey>,
) -> Option<(FloatInterval, Span<IntegerKey>)> {
    let format = arg.format();
    let mut found: Option<(FloatInterval, Span<IntegerKey>)> = None;
    let mut join = |x: FloatInterval, n: Span<IntegerKey>| {
        found = Some(match found {
            Some((old_x, old_n)) => (old_x.join(&x), old_n.hull(n)),
            None => (x, n),
        });
    };
    let zero = Span::point(key_of(Bits::zero(integer.width), integer.signedness));
    let zero_allowed = result.meet(zero).is_some();
    if zero_allowed && arg.may_be_nan() {
        join(FloatInterval::only_nan(format), zero);
    }
    if let Some(span) = span_of(arg) {
        let fitting = fitting_ranks(integer, rounding, format, span);
        if let Some(fitting) = fitting.and_then(|fitting| fitting.meet(span)) {
            let convert = |[rank]: [Rank; 1]| {
                convert_rank(rank, integer, rounding, format).expect("the rank should fit")
            };
            let back = |_, key: IntegerKey, _: [Rank; 1]| {
                let whole = integer_at(key, integer.width, integer.signedness);
                let nearest = RoundingMode::NearestEven;
                Float::from_int(whole, integer.signedness, format, nearest).order_index()
            };
            if let Some(narrowed) = narrow(convert, back, [Trend::Rising], [fitting], result) {
                join(interval_of(narrowed.args[0], format), narrowed.result);
            }
        }
        if zero_allowed {
            let (below, above) = match fitting {
                Some(fitting) => {
                    (Span::new(span.lo, fitting.lo - 1), Span::new(fitting.hi + 1, span.hi))
                }
                None => (Some(span), None),
            };
            for outside in [below, above].into_iter().flatten() {
                join(interval_of(outside, format), zero);
            }
        }
    }
    found
}

fn convert_rank(
    rank: Rank,
    integer: IntegerType,
    rounding: RoundingMode,
    format: Format,
) -> Option<IntegerKey> {
    let whole = float_at(rank, format).to_int(rounding, integer.width, integer.signedness)?;
    Some(key_of(whole, integer.signedness))
}

/// The ranks of `span` that convert to an integer that fits; they are contiguous, around zero.
fn fitting_ranks(
    integer: IntegerType,
    rounding: RoundingMode,
    format: Format,
    span: Span<Rank>,
) -> Option<Span<Rank>> {
    let fits = |rank: Rank| convert_rank(rank, integer, rounding, format).is_some();
    let infinity = rank_of_infinity(format);
    debug_assert!(fits(0) && fits(-1) && !fits(infinity), "zero should fit, infinity should not");
    // On either side of zero, fitting stays true towards zero.
    let lo = match Span::new(span.lo, span.hi.min(-1)) {
        Some(negative) => least(negative, || None, fits),
        None => Some(span.lo),
    };
    let hi = match Span::new(span.lo.max(0), span.hi) {
        Some(positive) => greatest(positive, || None, fits),
        None => Some(span.hi),
    };
    Span::new(lo?, hi?)
}
