//! Domains: which values a variable may still have.
//!
//! All are small, `Copy` and never empty: an operation that would empty one returns `None`.

pub mod bits;
pub mod clockwise;
pub mod congruence;
pub mod float_interval;
pub mod holes;
pub mod known_bits;
mod reduce;
pub mod stride;
pub mod truth;
pub mod wide;

pub use bits::BitsDomain;
pub use clockwise::Clockwise;
pub use float_interval::FloatInterval;
pub use known_bits::KnownBits;
pub use truth::Truth;
pub use wide::WideBits;

use glassbox_terms::{Sort, Value};
use glassbox_values::{Bits, Float, Signedness};

/// The domain of one variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Domain {
    Bool(Truth),
    /// At most 64 bits.
    Bits(BitsDomain),
    /// 65 to 128 bits.
    Wide(WideBits),
    Float(FloatInterval),
    /// Arrays: nothing is known of them as a whole.
    Opaque,
}

impl Domain {
    /// Every value of the sort.
    pub fn full(sort: Sort) -> Domain {
        match sort {
            Sort::Bool => Domain::Bool(Truth::Unknown),
            Sort::Bv(width) if width <= 64 => Domain::Bits(BitsDomain::full(width)),
            Sort::Bv(width) => Domain::Wide(WideBits::full(width)),
            Sort::Float(format) => Domain::Float(FloatInterval::full(format)),
            Sort::Array { .. } => Domain::Opaque,
        }
    }

    /// Exactly one value; arrays stay opaque.
    pub fn point(value: &Value) -> Domain {
        match value {
            Value::Bool(truth) => Domain::Bool(Truth::from(*truth)),
            Value::Bv(bits) if bits.width() <= 64 => Domain::Bits(BitsDomain::of(*bits)),
            Value::Bv(bits) => Domain::Wide(WideBits::point(bits.unsigned(), bits.width())),
            Value::Float(float) => Domain::Float(FloatInterval::point(*float)),
            Value::Array(_) => Domain::Opaque,
        }
    }

    pub fn is_fixed(&self) -> bool {
        match self {
            Domain::Bool(truth) => *truth != Truth::Unknown,
            Domain::Bits(bits) => bits.is_fixed(),
            Domain::Wide(wide) => wide.value().is_some(),
            Domain::Float(float) => float.value().is_some(),
            Domain::Opaque => false,
        }
    }

    /// The only value left, if only one is.
    pub fn value(&self) -> Option<Value> {
        match self {
            Domain::Bool(truth) => truth.value().map(Value::Bool),
            Domain::Bits(bits) => {
                bits.value().map(|value| Value::Bv(Bits::new(u128::from(value), bits.width())))
            }
            Domain::Wide(wide) => {
                wide.value().map(|value| Value::Bv(Bits::new(value, wide.width())))
            }
            Domain::Float(float) => float.value().map(Value::Float),
            Domain::Opaque => None,
        }
    }

    /// The only value left as raw bits, for sorts of at most 64 bits.
    pub fn raw_value(&self) -> Option<u64> {
        match self {
            Domain::Bool(truth) => truth.value().map(u64::from),
            Domain::Bits(bits) => bits.value(),
            Domain::Float(float) => float.value().map(Float::to_bits),
            Domain::Wide(_) | Domain::Opaque => None,
        }
    }

    /// True when every value of the sort is allowed.
    pub fn is_full(&self) -> bool {
        match self {
            Domain::Bool(truth) => *truth == Truth::Unknown,
            Domain::Bits(bits) => bits.is_full(),
            Domain::Wide(wide) => wide.is_full(),
            Domain::Float(float) => float.is_full(),
            Domain::Opaque => true,
        }
    }

    /// The least and the greatest number of a bit-vector of at most 64 bits in a reading, or of a
    /// boolean as 0 or 1; `None` when nothing beyond the sort is known.
    pub fn range(&self, signedness: Signedness) -> Option<(i128, i128)> {
        match self {
            Domain::Bool(truth) => truth.value().map(|value| (value.into(), value.into())),
            Domain::Bits(bits) => (!bits.is_full()).then(|| bits.range(signedness)),
            Domain::Wide(_) | Domain::Float(_) | Domain::Opaque => None,
        }
    }

    pub fn contains(&self, value: &Value) -> bool {
        match (self, value) {
            (Domain::Bool(truth), Value::Bool(v)) => truth.allows(*v),
            (Domain::Bits(bits), Value::Bv(v)) => {
                u64::try_from(v.unsigned()).is_ok_and(|v| bits.contains(v))
            }
            (Domain::Wide(wide), Value::Bv(v)) => wide.contains(v.unsigned()),
            (Domain::Float(float), Value::Float(v)) => float.contains(*v),
            (Domain::Opaque, Value::Array(_)) => true,
            (
                Domain::Bool(_)
                | Domain::Bits(_)
                | Domain::Wide(_)
                | Domain::Float(_)
                | Domain::Opaque,
                _,
            ) => false,
        }
    }

    /// The smallest representable domain that holds both; both must be of one sort.
    #[must_use]
    pub fn join(&self, other: &Domain) -> Domain {
        match (self, other) {
            (Domain::Bool(a), Domain::Bool(b)) => Domain::Bool(a.join(*b)),
            (Domain::Bits(a), Domain::Bits(b)) => Domain::Bits(a.join(b)),
            (Domain::Wide(a), Domain::Wide(b)) => Domain::Wide(a.join(b)),
            (Domain::Float(a), Domain::Float(b)) => Domain::Float(a.join(b)),
            (Domain::Opaque, Domain::Opaque) => Domain::Opaque,
            (
                Domain::Bool(_)
                | Domain::Bits(_)
                | Domain::Wide(_)
                | Domain::Float(_)
                | Domain::Opaque,
                _,
            ) => panic!("domains of one sort should be joined: {self:?} and {other:?}"),
        }
    }
}
