//! The domain of a bit-vector of 1 to 64 bits: clockwise interval × known bits × congruence × holes.
//!
//! Both signednesses live in the one interval. A value is allowed when every component allows it;
//! `reduce` lets the components tighten each other. A meet never lets a value back in (docs/papers/loops.md, rule 1B.5:
//! the hull of an intersection may leave its operands; here the second piece becomes a hole, or, when
//! there is no room, the old interval stays).

use glassbox_values::{Bits, Signedness};

use super::clockwise::{Clockwise, Meet, mask_of};
use super::congruence::{Common, Congruence};
use super::holes::Holes;
use super::known_bits::KnownBits;

/// Which values of a bit-vector are allowed. Never empty in the abstract: `lo` and `hi` are always
/// allowed by interval, known bits and holes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BitsDomain {
    // Invariant: reduced, see `reduce`.
    pub(super) interval: Clockwise,
    pub(super) known: KnownBits,
    pub(super) congruence: Congruence,
    pub(super) holes: Holes,
}

impl std::fmt::Debug for BitsDomain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.interval)?;
        for hole in self.holes.arcs(self.mask()) {
            write!(f, " \\ [{}, {}]", hole.lo(), hole.hi())?;
        }
        if self.known != KnownBits::NONE && !self.is_fixed() {
            write!(f, " bits ")?;
            for bit in (0..self.width()).rev() {
                let sign = match (self.known.ones >> bit & 1, self.known.zeros >> bit & 1) {
                    (1, _) => '1',
                    (_, 1) => '0',
                    _ => '_',
                };
                write!(f, "{sign}")?;
            }
        }
        if !self.congruence.is_any() {
            write!(f, " ≡{} mod {}", self.congruence.residue(), self.congruence.modulus())?;
        }
        Ok(())
    }
}

impl BitsDomain {
    pub fn full(width: u8) -> BitsDomain {
        BitsDomain::unreduced(Clockwise::full(width))
    }

    #[inline]
    pub(super) fn unreduced(interval: Clockwise) -> BitsDomain {
        BitsDomain {
            interval,
            known: KnownBits::NONE,
            congruence: Congruence::ANY,
            holes: Holes::NONE,
        }
    }

    #[inline]
    pub fn point(value: u64, width: u8) -> BitsDomain {
        BitsDomain {
            interval: Clockwise::point(value, width),
            known: KnownBits::exact(value, mask_of(width)),
            congruence: Congruence::ANY,
            holes: Holes::NONE,
        }
    }

    pub fn of(bits: Bits) -> BitsDomain {
        let value = u64::try_from(bits.unsigned()).expect("at most 64 bits");
        BitsDomain::point(value, bits.width())
    }

    /// An interval and what it implies.
    pub fn from_interval(interval: Clockwise) -> BitsDomain {
        BitsDomain::unreduced(interval).reduce().expect("an interval is not empty")
    }

    /// Known bits and what they imply; `None` when a bit should be both.
    pub fn from_known(known: KnownBits, width: u8) -> Option<BitsDomain> {
        let mut domain = BitsDomain::full(width);
        domain.known = known;
        if known.ones & known.zeros != 0 { None } else { domain.reduce() }
    }

    /// Unsigned values that leave `residue` when divided by `modulus` (not zero).
    pub fn from_congruence(residue: u64, modulus: u64, width: u8) -> Option<BitsDomain> {
        let mask = mask_of(width);
        let (congruence, low) = Congruence::new(residue, modulus);
        let mut domain = BitsDomain::full(width);
        domain.congruence = congruence;
        let low_mask = if low == 0 { 0 } else { (u64::MAX >> (64 - low)) & mask };
        domain.known = KnownBits::exact(residue, low_mask);
        domain.reduce()
    }

    /// The set of the given values; the smallest domain that can be written.
    pub fn hull(values: impl IntoIterator<Item = u64>, width: u8) -> Option<BitsDomain> {
        values
            .into_iter()
            .map(|value| BitsDomain::point(value, width))
            .reduce(|all, one| all.join(&one))
    }

    #[inline]
    pub fn width(&self) -> u8 {
        self.interval.width()
    }

    #[inline]
    pub fn mask(&self) -> u64 {
        self.interval.mask()
    }

    #[inline]
    pub fn interval(&self) -> Clockwise {
        self.interval
    }

    #[inline]
    pub fn known(&self) -> KnownBits {
        self.known
    }

    #[inline]
    pub fn congruence(&self) -> Congruence {
        self.congruence
    }

    pub fn holes(&self) -> &Holes {
        &self.holes
    }

    #[inline]
    pub fn is_fixed(&self) -> bool {
        self.interval.is_point()
    }

    #[inline]
    pub fn value(&self) -> Option<u64> {
        self.interval.is_point().then_some(self.interval.lo())
    }

    pub fn is_full(&self) -> bool {
        self.interval.is_full()
            && self.known == KnownBits::NONE
            && self.congruence.is_any()
            && self.holes.is_empty()
    }

    #[inline]
    pub fn contains(&self, value: u64) -> bool {
        value <= self.mask()
            && self.interval.contains(value)
            && self.known.matches(value)
            && self.congruence.contains(value)
            && self.holes.holding(value, self.mask()).is_none()
    }

    #[inline]
    pub fn unsigned_min(&self) -> u64 {
        let min = self.interval.unsigned_min();
        if min == self.interval.lo() { min } else { self.next_member(0).unwrap_or(min) }
    }

    #[inline]
    pub fn unsigned_max(&self) -> u64 {
        let max = self.interval.unsigned_max();
        if max == self.interval.hi() { max } else { self.previous_member(max).unwrap_or(max) }
    }

    #[inline]
    pub fn signed_min(&self) -> i64 {
        let smallest = (self.mask() >> 1) + 1;
        if self.interval.contains(smallest) && self.interval.lo() != smallest {
            let member = self.next_member(smallest).or_else(|| self.next_member(0));
            return self.interval.as_signed(member.unwrap_or(smallest));
        }
        self.interval.signed_min()
    }

    /// The least and the greatest number in a reading.
    #[inline]
    pub fn range(&self, signedness: Signedness) -> (i128, i128) {
        match signedness {
            Signedness::Signed => (self.signed_min().into(), self.signed_max().into()),
            Signedness::Unsigned => (self.unsigned_min().into(), self.unsigned_max().into()),
        }
    }

    #[inline]
    pub fn signed_max(&self) -> i64 {
        let largest = self.mask() >> 1;
        if self.interval.contains(largest) && self.interval.hi() != largest {
            let member =
                self.previous_member(largest).or_else(|| self.previous_member(self.mask()));
            return self.interval.as_signed(member.unwrap_or(largest));
        }
        self.interval.signed_max()
    }

    /// An upper bound of the number of values, minus one.
    pub fn size_bound(&self) -> u64 {
        let mut span = self.interval.span();
        for hole in self.holes.arcs(self.mask()) {
            span = span.saturating_sub(hole.span() + 1);
        }
        if !self.congruence.is_any() {
            span = span.div_ceil(self.congruence.modulus());
        }
        let free = (self.mask() & !self.known.known()).count_ones();
        let patterns = if free >= 64 { u64::MAX } else { (1u64 << free) - 1 };
        span.min(patterns)
    }

    pub fn meet(&self, other: &BitsDomain) -> Option<BitsDomain> {
        let mut result = *self;
        result.cut(other.interval)?;
        result.known.ones |= other.known.ones;
        result.known.zeros |= other.known.zeros;
        if result.known.ones & result.known.zeros != 0 {
            return None;
        }
        for hole in other.holes.arcs(other.mask()) {
            result.holes.add(hole);
        }
        if !other.congruence.is_any() {
            match result.congruence.meet(other.congruence, self.mask()) {
                Common::Empty => return None,
                Common::Class(class) => result.congruence = class,
                Common::Point(value) => {
                    return result.contains(value).then(|| BitsDomain::point(value, self.width()));
                }
            }
        }
        if result == *self { Some(result) } else { result.reduce() }
    }

    /// No value in common, as far as arcs, bits and classes show.
    #[inline]
    pub fn misses(&self, other: &BitsDomain) -> bool {
        if self.known.ones & other.known.zeros != 0 || self.known.zeros & other.known.ones != 0 {
            return true;
        }
        match (self.value(), other.value()) {
            (Some(value), _) => !other.contains(value),
            (None, Some(value)) => !self.contains(value),
            (None, None) => match self.interval.meet(other.interval) {
                Meet::Empty => true,
                Meet::One(_) | Meet::Two(..) => {
                    let plain = self.holes.is_empty()
                        && other.holes.is_empty()
                        && (self.congruence.is_any() || other.congruence.is_any());
                    !plain && self.meet(other).is_none()
                }
            },
        }
    }

    #[inline]
    pub fn meet_interval(&self, with: Clockwise) -> Option<BitsDomain> {
        let mut result = *self;
        result.cut(with)?;
        if result == *self { Some(result) } else { result.reduce() }
    }

    #[inline]
    pub fn meet_known(&self, ones: u64, zeros: u64) -> Option<BitsDomain> {
        let mut result = *self;
        result.known.ones |= ones & self.mask();
        result.known.zeros |= zeros & self.mask();
        if result.known == self.known {
            return Some(result);
        }
        if result.known.ones & result.known.zeros != 0 { None } else { result.reduce() }
    }

    /// Without the values of an arc, as far as that can be written.
    pub fn without(&self, hole: Clockwise) -> Option<BitsDomain> {
        let rest = hole.complement()?;
        self.meet_interval(rest)
    }

    /// Intersects the interval alone; the result is not reduced. The interval never gains a value.
    #[inline]
    pub(super) fn cut(&mut self, with: Clockwise) -> Option<()> {
        match self.interval.meet(with) {
            Meet::Empty => None,
            Meet::One(arc) => {
                self.interval = arc;
                Some(())
            }
            Meet::Two(..) => {
                if let Some(hole) = with.complement() {
                    self.holes.add(hole);
                }
                Some(())
            }
        }
    }

    /// The smallest writable domain that holds both.
    #[must_use]
    pub fn join(&self, other: &BitsDomain) -> BitsDomain {
        let known = self.known.join(other.known);
        let congruence = self.congruence_of_join().join(other.congruence_of_join());
        let (interval, holes) = join_arcs(self, other);
        let result = BitsDomain { interval, known, congruence, holes };
        result.reduce().expect("a join is not empty")
    }

    /// The congruence, where a point is its own class with a modulus as large as it gets.
    fn congruence_of_join(&self) -> PointOrClass {
        match self.value() {
            Some(value) => PointOrClass::Point(value),
            None => PointOrClass::Class(self.congruence),
        }
    }

    /// The least allowed value at or above `from` in unsigned order. Bits and congruence together may
    /// need many steps; after a bounded number the candidate is returned although it may violate one
    /// of them, so the result is a lower bound, never too high.
    pub fn next_member(&self, from: u64) -> Option<u64> {
        let mut value = from;
        for _ in 0..16 {
            let start = value;
            if !self.interval.contains(value) {
                let lo = self.interval.lo();
                if lo < value {
                    return None;
                }
                value = lo;
            }
            if let Some(hole) = self.holes.holding(value, self.mask()) {
                if hole.hi() < value || hole.hi() == self.mask() {
                    return None;
                }
                value = hole.hi() + 1;
            }
            value = self.known.next_match(value, self.mask())?;
            if !self.congruence.is_any() {
                value = self.congruence.next(value, self.mask())?;
            }
            if value == start {
                break;
            }
        }
        Some(value)
    }

    /// The greatest allowed value at or below `from` in unsigned order; never too low, see
    /// `next_member`.
    pub fn previous_member(&self, from: u64) -> Option<u64> {
        let mut value = from;
        for _ in 0..16 {
            let start = value;
            if !self.interval.contains(value) {
                let hi = self.interval.hi();
                if hi > value {
                    return None;
                }
                value = hi;
            }
            if let Some(hole) = self.holes.holding(value, self.mask()) {
                if hole.lo() > value || hole.lo() == 0 {
                    return None;
                }
                value = hole.lo() - 1;
            }
            value = self.known.previous_match(value, self.mask())?;
            if !self.congruence.is_any() {
                value = self.congruence.previous(value)?;
            }
            if value == start {
                break;
            }
        }
        Some(value)
    }

    /// The allowed values in unsigned order. Exact; for small domains.
    pub fn values(&self) -> impl Iterator<Item = u64> + '_ {
        let mut next = self.next_member(0);
        std::iter::from_fn(move || {
            loop {
                let value = next?;
                next = value
                    .checked_add(1)
                    .filter(|&v| v <= self.mask())
                    .and_then(|v| self.next_member(v));
                if self.contains(value) {
                    return Some(value);
                }
            }
        })
    }

    /// Two parts that together hold every value, each missing when it holds none. The cut is at the
    /// middle of the interval, or at its largest hole. A fixed domain is its own first part.
    pub fn halves(&self) -> [Option<BitsDomain>; 2] {
        if self.is_fixed() {
            return [Some(*self), None];
        }
        let lo = self.interval.lo();
        let mask = self.mask();
        let last_low = match self.holes.arcs(mask).max_by_key(|hole| hole.span()) {
            Some(hole) => hole.lo().wrapping_sub(1) & mask,
            None => lo.wrapping_add(self.interval.span() / 2) & mask,
        };
        let width = self.width();
        let low = Clockwise::new(lo, last_low, width);
        let high = Clockwise::new(last_low.wrapping_add(1), self.interval.hi(), width);
        [self.meet_interval(low), self.meet_interval(high)]
    }
}

#[derive(Clone, Copy)]
enum PointOrClass {
    Point(u64),
    Class(Congruence),
}

impl PointOrClass {
    fn join(self, other: PointOrClass) -> Congruence {
        match (self, other) {
            (PointOrClass::Class(a), PointOrClass::Class(b)) => a.join(b),
            (PointOrClass::Point(value), PointOrClass::Class(class))
            | (PointOrClass::Class(class), PointOrClass::Point(value)) => {
                if class.is_any() {
                    return class;
                }
                class.join(Congruence::new(value, class.modulus()).0)
            }
            (PointOrClass::Point(a), PointOrClass::Point(b)) => {
                let difference = a.abs_diff(b);
                if difference == 0 { Congruence::ANY } else { Congruence::new(a, difference).0 }
            }
        }
    }
}

/// The exact hull of the arcs of both: what both exclude is cut, the largest excluded arc outside,
/// the next largest as holes.
fn join_arcs(a: &BitsDomain, b: &BitsDomain) -> (Clockwise, Holes) {
    if a.holes.is_empty() && b.holes.is_empty() {
        if a.interval.contains_all(b.interval) {
            return (a.interval, Holes::NONE);
        }
        if b.interval.contains_all(a.interval) {
            return (b.interval, Holes::NONE);
        }
    }
    let mut gaps: [Option<Clockwise>; 18] = [None; 18];
    let mut n_gaps = 0;
    let excluded = |d: &BitsDomain| {
        let mut arcs = [None; 3];
        arcs[0] = d.interval.complement();
        for (slot, hole) in arcs[1..].iter_mut().zip(d.holes.arcs(d.mask())) {
            *slot = Some(hole);
        }
        arcs
    };
    let of_b = excluded(b);
    for gap_a in excluded(a).into_iter().flatten() {
        for gap_b in of_b.into_iter().flatten() {
            let pieces = match gap_a.meet(gap_b) {
                Meet::Empty => [None, None],
                Meet::One(arc) => [Some(arc), None],
                Meet::Two(first, second) => [Some(first), Some(second)],
            };
            for piece in pieces.into_iter().flatten() {
                gaps[n_gaps] = Some(piece);
                n_gaps += 1;
            }
        }
    }
    // Largest first; on a tie the one whose complement does not wrap, then the lowest.
    gaps[..n_gaps].sort_unstable_by_key(|gap| {
        gap.map(|gap| {
            let wraps = gap.complement().is_some_and(Clockwise::wraps);
            (u64::MAX - gap.span(), wraps, gap.lo())
        })
    });
    let mut holes = Holes::NONE;
    for gap in gaps[..n_gaps].iter().skip(1).flatten() {
        if !holes.add(*gap) {
            break;
        }
    }
    let interval = gaps[0].and_then(Clockwise::complement).unwrap_or(Clockwise::full(a.width()));
    (interval, holes)
}
