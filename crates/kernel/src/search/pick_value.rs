//! Which values to try for a variable: what worked last time, then small human numbers, then bounds,
//! then halves of the domain.
//!
//! The alternatives together cover the domain, so that refuting all of them refutes it: a small
//! domain is listed value by value, a larger one ends in its two halves.

use glassbox_values::{Float, Sign};

use crate::domain::{BitsDomain, Domain, FloatInterval, Truth, WideBits};

/// The most alternatives of one choice.
pub const MAX_ALTERNATIVES: usize = 8;

/// The alternatives of one choice, in order.
#[derive(Debug, Clone, Copy)]
pub struct Alternatives {
    list: [Domain; MAX_ALTERNATIVES],
    count: usize,
    next: usize,
}

impl Alternatives {
    pub fn none() -> Alternatives {
        Alternatives { list: [Domain::Opaque; MAX_ALTERNATIVES], count: 0, next: 0 }
    }

    fn push(&mut self, domain: Domain) {
        if self.count < MAX_ALTERNATIVES && !self.list[..self.count].contains(&domain) {
            self.list[self.count] = domain;
            self.count += 1;
        }
    }

    pub fn take_next(&mut self) -> Option<Domain> {
        if self.next == self.count {
            return None;
        }
        self.next += 1;
        Some(self.list[self.next - 1])
    }
}

/// The value a variable had in the last solution, as raw bits; meaningless for other sorts than its
/// own.
pub type Phase = Option<u64>;

/// The alternatives for a domain that is not fixed. Empty only for opaque ones.
pub fn alternatives(domain: &Domain, phase: Phase) -> Alternatives {
    let mut all = Alternatives::none();
    match domain {
        Domain::Bool(_) => {
            let first = phase == Some(1);
            all.push(Domain::Bool(Truth::from(first)));
            all.push(Domain::Bool(Truth::from(!first)));
        }
        Domain::Bits(bits) => bits_alternatives(&mut all, bits, phase),
        Domain::Wide(wide) => wide_alternatives(&mut all, wide),
        Domain::Float(float) => float_alternatives(&mut all, *float, phase),
        Domain::Opaque => {}
    }
    all
}

fn bits_alternatives(all: &mut Alternatives, domain: &BitsDomain, phase: Phase) {
    let width = domain.width();
    let point = |value: u64| Domain::Bits(BitsDomain::point(value, width));
    let small = domain.size_bound() < 6;
    let (lo, hi) = (domain.interval().lo(), domain.interval().hi());
    let distance = |value: u64| domain.interval().as_signed(value).unsigned_abs();
    // Numbers near zero are what people write, and the least likely to wrap.
    let (nearer, farther) = if distance(lo) <= distance(hi) { (lo, hi) } else { (hi, lo) };
    let preferred = [phase.unwrap_or(0), 0, 1, nearer, farther, domain.mask()];
    let most = if small { MAX_ALTERNATIVES } else { 3 };
    for value in preferred {
        if all.count < most && domain.contains(value) {
            all.push(point(value));
        }
    }
    if small {
        for value in domain.values() {
            all.push(point(value));
        }
    } else {
        // The half around zero first. A half without values needs no trial.
        let [low, high] = domain.halves();
        let halves =
            if high.is_some_and(|high| high.contains(0)) { [high, low] } else { [low, high] };
        for half in halves.into_iter().flatten() {
            all.push(Domain::Bits(half));
        }
    }
}

fn wide_alternatives(all: &mut Alternatives, domain: &WideBits) {
    let width = domain.width();
    for value in [0, 1, domain.lo(), domain.hi()] {
        if domain.contains(value) && all.count < 3 {
            all.push(Domain::Wide(WideBits::point(value, width)));
        }
    }
    let middle = domain.lo() + (domain.hi() - domain.lo()) / 2;
    for half in [(domain.lo(), middle), (middle.saturating_add(1), domain.hi())] {
        let half = WideBits::range(half.0, half.1, width).and_then(|half| domain.meet(&half));
        if let Some(half) = half {
            all.push(Domain::Wide(half));
        }
    }
}

fn float_alternatives(all: &mut Alternatives, domain: FloatInterval, phase: Phase) {
    let format = domain.format();
    let mut try_value = |value: Float| {
        if domain.contains(value) {
            all.push(Domain::Float(FloatInterval::point(value)));
        }
    };
    if let Some(bits) = phase {
        try_value(Float::from_bits(bits, format));
    }
    try_value(Float::zero(Sign::Positive, format));
    try_value(Float::one(Sign::Positive, format));
    if let Some((lo, hi)) = domain.numbers() {
        try_value(lo);
        try_value(hi);
    }
    if let Some((first, second)) = domain.split() {
        all.push(Domain::Float(first));
        all.push(Domain::Float(second));
    }
}
