//! The integer side of conversions: the domain of a bit-vector as spans of keys, and back.
//!
//! An arc that passes the cut of the reading (signed or unsigned) is two spans, so that nothing is lost
//! by reading it; what comes back is joined on the circle.

use glassbox_kernel::domain::clockwise::Clockwise;
use glassbox_kernel::{BitsDomain, Conflict, Domain, Premises, Store, VarIdx, WideBits};
use glassbox_values::{Bits, Signedness};

use super::convert::{IntegerKey, integer_at, key_of};
use super::monotone::Span;

/// At most two spans, in the order of the reading.
pub(crate) type Spans = [Option<Span<IntegerKey>>; 2];

/// The values a bit-vector may have, in the order of the reading.
pub(crate) fn spans_of(domain: &Domain, signedness: Signedness) -> Spans {
    match domain {
        Domain::Bits(bits) => narrow_spans(bits, signedness),
        Domain::Wide(wide) => wide_spans(wide, signedness),
        Domain::Bool(_) | Domain::Float(_) | Domain::Opaque => {
            panic!("an integer should be a bit-vector, is {domain:?}")
        }
    }
}

fn narrow_spans(bits: &BitsDomain, signedness: Signedness) -> Spans {
    let width = bits.width();
    let key = |value: u64| key_of(Bits::new(u128::from(value), width), signedness);
    match signedness {
        Signedness::Unsigned => {
            let (low, high) = bits.interval().unsigned_pieces();
            [low, high].map(|piece| piece.map(|(lo, hi)| Span { lo: key(lo), hi: key(hi) }))
        }
        Signedness::Signed => {
            let (low, high) = bits.interval().signed_pieces();
            [low, high]
                .map(|piece| piece.map(|(lo, hi)| Span { lo: i128::from(lo), hi: i128::from(hi) }))
        }
    }
}

fn wide_spans(wide: &WideBits, signedness: Signedness) -> Spans {
    let width = wide.width();
    let key = |value: u128| key_of(Bits::new(value, width), signedness);
    let smallest_signed = Bits::min_signed(width).unsigned();
    let passes_the_cut = signedness == Signedness::Signed
        && wide.lo() < smallest_signed
        && smallest_signed <= wide.hi();
    if passes_the_cut {
        [
            Some(Span { lo: key(smallest_signed), hi: key(wide.hi()) }),
            Some(Span { lo: key(wide.lo()), hi: key(smallest_signed - 1) }),
        ]
    } else {
        [Some(Span { lo: key(wide.lo()), hi: key(wide.hi()) }), None]
    }
}

/// Narrows a bit-vector to the values of the spans.
pub(crate) fn narrow_to_spans(
    store: &mut Store,
    var: VarIdx,
    spans: impl Iterator<Item = Span<IntegerKey>>,
    signedness: Signedness,
    why: Premises,
) -> Result<(), Conflict> {
    match store.domain(var) {
        Domain::Bits(bits) => {
            let width = bits.width();
            let at = |key| {
                u64::try_from(integer_at(key, width, signedness).unsigned())
                    .expect("at most 64 bits")
            };
            let arc = spans
                .map(|span| Clockwise::new(at(span.lo), at(span.hi), width))
                .reduce(Clockwise::join);
            match arc {
                Some(arc) => store.narrow_interval(var, arc, why).map(|_| ()),
                None => Err(store.fail(why)),
            }
        }
        Domain::Wide(wide) => {
            let width = wide.width();
            let at = |key| integer_at(key, width, signedness).unsigned();
            let range = spans
                .map(|span| (at(span.lo), at(span.hi)))
                // A signed span around zero has no bounds in the unsigned order.
                .map(|(lo, hi)| if lo <= hi { (lo, hi) } else { (0, Bits::ones(width).unsigned()) })
                .reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
            match range.and_then(|(lo, hi)| WideBits::range(lo, hi, width)) {
                Some(range) => store.narrow_wide(var, &range, why).map(|_| ()),
                None => Err(store.fail(why)),
            }
        }
        other @ (Domain::Bool(_) | Domain::Float(_) | Domain::Opaque) => {
            panic!("an integer should be a bit-vector, is {other:?}")
        }
    }
}
