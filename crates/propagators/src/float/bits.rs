//! Encodings: `x = float with encoding n` and `n = encoding of x`.
//!
//! Relations: from bits, every NaN pattern gives the one NaN; to bits, NaN gives the canonical pattern.
//! Strength: bounds on the unsigned reading of n, for each sign; the encodings of a sign are in the order
//! of the ranks (negative ones reversed), NaN patterns above infinity.
//! Not pruned: NaN patterns between two number patterns, when both signs stay.

use glassbox_kernel::domain::float_interval::{FloatInterval, Rank, rank_of_infinity};
use glassbox_kernel::{Conflict, Premises, Priority, Status, Store, VarIdx};
use glassbox_values::{Float, Format, Sign, Signedness};

use super::convert::{IntegerKey, key_of};
use super::cover::{SIGNS, interval_of, mirrored, span_of};
use super::integer_side::{narrow_to_spans, spans_of};
use super::monotone::Span;
use super::store::{others, status_of, write_float};
use crate::relation::Relation;

/// Which way the encoding is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// The bits are free and name a float: any NaN pattern is NaN.
    FromBits,
    /// The float is free and has these bits: NaN has one pattern.
    ToBits,
}

impl Relation for Encoding {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let encoding = *self;
        let (float_at, bits_at) = match encoding {
            Encoding::FromBits => (0, 1),
            Encoding::ToBits => (1, 0),
        };
        let float = *store.float(args[float_at]);
        let patterns = spans_of(store.domain(args[bits_at]), Signedness::Unsigned);
        let Some((spans, float)) = narrow_encoding(encoding, &patterns, float) else {
            return Err(store.fail(Premises::ALL));
        };
        write_float(store, args, float_at, float, 2)?;
        narrow_to_spans(
            store,
            args[bits_at],
            spans.into_iter(),
            Signedness::Unsigned,
            others(bits_at, 2),
        )?;
        Ok(status_of(store, args))
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Narrows the encoding `n`, given as keys of its unsigned reading, and the float `x`. The parts of `n`
/// are tried one by one, so that an arc around the top of the unsigned range can be given as two.
pub fn narrow_encoding(
    encoding: Encoding,
    patterns: &[Option<Span<IntegerKey>>],
    float: FloatInterval,
) -> Option<(Vec<Span<IntegerKey>>, FloatInterval)> {
    let format = float.format();
    let mut kept: Option<FloatInterval> = None;
    let mut spans = Vec::new();
    for &span in patterns.iter().flatten() {
        for sign in SIGNS {
            if let Some((part, floats)) = numbers_of(sign, span, float) {
                spans.push(part);
                kept = Some(kept.map_or(floats, |kept| kept.join(&floats)));
            }
            if float.may_be_nan()
                && let Some(part) = nan_patterns(encoding, sign, format).and_then(|p| p.meet(span))
            {
                spans.push(part);
                kept = Some(kept.map_or(FloatInterval::only_nan(format), FloatInterval::with_nan));
            }
        }
    }
    spans.sort_by_key(|span| span.lo);
    Some((spans, kept?))
}

/// The encodings of `sign` in `span` whose floats are allowed, and those floats.
fn numbers_of(
    sign: Sign,
    span: Span<IntegerKey>,
    float: FloatInterval,
) -> Option<(Span<IntegerKey>, FloatInterval)> {
    let format = float.format();
    let base = least_pattern(sign, format);
    // Magnitudes allowed by the bits, and by the float; both ascend with the encoding.
    let infinity = rank_of_infinity(format);
    let by_bits = Span { lo: span.lo.max(base), hi: span.hi.min(base + i128::from(infinity)) };
    let by_bits = Span::new(by_bits.lo, by_bits.hi)?;
    let by_float = mirrored(sign, span_of(float)?).meet(Span { lo: 0, hi: infinity })?;
    let patterns = by_bits
        .meet(Span { lo: base + i128::from(by_float.lo), hi: base + i128::from(by_float.hi) })?;
    let rank = |key: IntegerKey| Rank::try_from(key - base).expect("cut to the infinities");
    let ranks = Span { lo: rank(patterns.lo), hi: rank(patterns.hi) };
    Some((patterns, interval_of(mirrored(sign, ranks), format)))
}

/// The encodings with this sign bit that are NaN.
fn nan_patterns(encoding: Encoding, sign: Sign, format: Format) -> Option<Span<IntegerKey>> {
    match (encoding, sign) {
        (Encoding::ToBits, Sign::Positive) => {
            let canonical = Float::nan(format).to_encoding();
            Some(Span::point(key_of(canonical, Signedness::Unsigned)))
        }
        (Encoding::ToBits, Sign::Negative) => None,
        (Encoding::FromBits, Sign::Positive | Sign::Negative) => {
            let base = least_pattern(sign, format);
            let n_patterns = 1_i128 << (format.width() - 1);
            Span::new(base + i128::from(rank_of_infinity(format)) + 1, base + n_patterns - 1)
        }
    }
}

/// The key of the zero with this sign.
fn least_pattern(sign: Sign, format: Format) -> IntegerKey {
    key_of(Float::zero(sign, format).to_encoding(), Signedness::Unsigned)
}
