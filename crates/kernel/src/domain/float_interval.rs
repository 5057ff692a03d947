//! The domain of a float: a closed interval with signed zeros and infinities, and whether NaN is allowed.
//!
//! The order is total: -∞ < … < -0 < +0 < … < +∞, so the two zeros are neighbors and different
//! (an IEEE comparison does not see that difference; the propagators of comparisons widen zeros
//! themselves). Floats are held as *ranks*: consecutive integers in that order, 0 for +0 and -1 for
//! -0 (`Float::order_index`), so that neighbor, distance in units in the last place and bisection
//! are integer arithmetic. Like all domains it is never empty.
//!
//! Not here: any float operation. A domain does not know rounding.

use glassbox_values::{Float, Format, Sign};

/// The position of a non-NaN float in the total order of its format.
pub type Rank = i64;

/// The rank of +∞, the largest of the format.
pub fn rank_of_infinity(format: Format) -> Rank {
    ((1_i64 << format.exponent) - 1) << format.fraction_width()
}

/// The rank of `-x`, given the rank of `x`; exact for zeros and infinities too.
pub fn negated_rank(rank: Rank) -> Rank {
    -1 - rank
}

/// The float at `rank`, which must lie between the infinities of `format`.
pub fn float_at(rank: Rank, format: Format) -> Float {
    Float::from_order_index(rank, format).expect("rank should lie between the infinities")
}

/// Which floats of one format are allowed: the numbers from one rank to another, and perhaps NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FloatInterval {
    format: Format,
    // Invariant: both between the infinities and lo <= hi, or exactly (0, -1) when there is no
    // number; then `nan` is true.
    lo: Rank,
    hi: Rank,
    nan: bool,
}

impl std::fmt::Debug for FloatInterval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.numbers() {
            Some((lo, hi)) => {
                write!(f, "{}..={}:f{}", lo.to_f64(), hi.to_f64(), self.format.width())?;
                if self.nan { write!(f, "|NaN") } else { Ok(()) }
            }
            None => write!(f, "NaN:f{}", self.format.width()),
        }
    }
}

impl FloatInterval {
    /// Every float, NaN included.
    pub fn full(format: Format) -> FloatInterval {
        FloatInterval { nan: true, ..FloatInterval::all_numbers(format) }
    }

    /// Every float but NaN; the infinities are numbers here.
    pub fn all_numbers(format: Format) -> FloatInterval {
        let hi = rank_of_infinity(format);
        FloatInterval { format, lo: negated_rank(hi), hi, nan: false }
    }

    /// NaN and nothing else.
    pub fn only_nan(format: Format) -> FloatInterval {
        FloatInterval { format, lo: 0, hi: -1, nan: true }
    }

    /// The one float `value`.
    pub fn point(value: Float) -> FloatInterval {
        match value.order_index() {
            Some(rank) => FloatInterval { format: value.format(), lo: rank, hi: rank, nan: false },
            None => FloatInterval::only_nan(value.format()),
        }
    }

    /// The numbers from `lo` to `hi` in the total order; `None` when `lo` lies above `hi` or one of
    /// them is NaN.
    pub fn between(lo: Float, hi: Float) -> Option<FloatInterval> {
        assert!(lo.format() == hi.format(), "bounds should have one format");
        FloatInterval::from_ranks(lo.order_index()?, hi.order_index()?, lo.format())
    }

    /// The numbers with ranks `lo..=hi`, cut to the format.
    pub fn from_ranks(lo: Rank, hi: Rank, format: Format) -> Option<FloatInterval> {
        let infinity = rank_of_infinity(format);
        let lo = lo.max(negated_rank(infinity));
        let hi = hi.min(infinity);
        (lo <= hi).then_some(FloatInterval { format, lo, hi, nan: false })
    }

    /// This set with NaN.
    #[must_use]
    pub fn with_nan(self) -> FloatInterval {
        FloatInterval { nan: true, ..self }
    }

    /// This set without NaN.
    pub fn without_nan(self) -> Option<FloatInterval> {
        self.has_numbers().then_some(FloatInterval { nan: false, ..self })
    }

    pub fn format(self) -> Format {
        self.format
    }

    pub fn may_be_nan(self) -> bool {
        self.nan
    }

    pub fn has_numbers(self) -> bool {
        self.lo <= self.hi
    }

    /// Least and greatest number, if there is one.
    pub fn numbers(self) -> Option<(Float, Float)> {
        let (lo, hi) = self.ranks()?;
        Some((float_at(lo, self.format), float_at(hi, self.format)))
    }

    /// Ranks of the least and greatest number, if there is one.
    #[inline]
    pub fn ranks(self) -> Option<(Rank, Rank)> {
        self.has_numbers().then_some((self.lo, self.hi))
    }

    pub fn contains(self, value: Float) -> bool {
        debug_assert!(value.format() == self.format, "formats should agree");
        match value.order_index() {
            Some(rank) => self.contains_rank(rank),
            None => self.nan,
        }
    }

    pub fn contains_rank(self, rank: Rank) -> bool {
        self.lo <= rank && rank <= self.hi
    }

    /// The only float left, if only one is.
    pub fn value(self) -> Option<Float> {
        if !self.is_fixed() {
            None
        } else if self.nan {
            Some(Float::nan(self.format))
        } else {
            Some(float_at(self.lo, self.format))
        }
    }

    pub fn is_fixed(self) -> bool {
        self.size() == 1
    }

    pub fn is_full(self) -> bool {
        self.nan && self.hi == rank_of_infinity(self.format) && self.lo == negated_rank(self.hi)
    }

    /// How many floats this set has; all NaNs count as one.
    pub fn size(self) -> u64 {
        // The count fits 64 bits where the difference of two ranks may not fit an `i64`.
        self.hi.wrapping_sub(self.lo).cast_unsigned().wrapping_add(1) + u64::from(self.nan)
    }

    /// A measure of how many values are left, for the search: about log2, 0 when fixed.
    pub fn magnitude(self) -> u32 {
        u64::BITS - (self.size() - 1).leading_zeros()
    }

    /// The floats in both sets.
    #[inline]
    pub fn meet(&self, other: &FloatInterval) -> Option<FloatInterval> {
        debug_assert!(self.format == other.format, "formats should agree");
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        let nan = self.nan && other.nan;
        if lo <= hi {
            Some(FloatInterval { format: self.format, lo, hi, nan })
        } else {
            nan.then_some(FloatInterval::only_nan(self.format))
        }
    }

    /// The least interval with the floats of either set.
    #[must_use]
    pub fn join(&self, other: &FloatInterval) -> FloatInterval {
        debug_assert!(self.format == other.format, "formats should agree");
        let (lo, hi) = match (self.ranks(), other.ranks()) {
            (Some(mine), Some(theirs)) => (mine.0.min(theirs.0), mine.1.max(theirs.1)),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => (0, -1),
        };
        FloatInterval { format: self.format, lo, hi, nan: self.nan || other.nan }
    }

    pub fn is_subset_of(self, other: FloatInterval) -> bool {
        self.meet(&other) == Some(self)
    }

    /// This set with `-x` for every `x`.
    #[must_use]
    pub fn negated(self) -> FloatInterval {
        match self.ranks() {
            Some((lo, hi)) => FloatInterval { lo: negated_rank(hi), hi: negated_rank(lo), ..self },
            None => self,
        }
    }

    /// This set, and with either zero also the other one: what an IEEE comparison cannot tell apart.
    #[must_use]
    pub fn with_both_zeros(self) -> FloatInterval {
        match self.ranks() {
            // Ranks -1 and 0 are the zeros; only an interval ending in one of them grows.
            Some((lo, hi)) if lo == 0 || hi == -1 => {
                FloatInterval { lo: lo.min(-1), hi: hi.max(0), ..self }
            }
            Some(_) | None => self,
        }
    }

    /// The sign bit of every number here, if they share it; NaN has none and does not count.
    pub fn sign(self) -> Option<Sign> {
        match self.ranks() {
            Some((lo, _)) if lo >= 0 => Some(Sign::Positive),
            Some((_, hi)) if hi < 0 => Some(Sign::Negative),
            Some(_) | None => None,
        }
    }

    pub fn may_be_zero(self) -> bool {
        self.contains_rank(0) || self.contains_rank(-1)
    }

    /// Two disjoint halves that make up this set, `None` when it has one float. NaN is split off
    /// first, then the signs are parted, then the ranks are halved: the halves of a wide interval
    /// differ in magnitude, not by distance on the number line.
    pub fn split(self) -> Option<(FloatInterval, FloatInterval)> {
        if self.is_fixed() {
            return None;
        }
        if self.nan {
            let numbers = self.without_nan()?;
            return Some((numbers, FloatInterval::only_nan(self.format)));
        }
        let last_of_low =
            if self.lo < 0 && self.hi >= 0 { -1 } else { self.lo + (self.hi - self.lo) / 2 };
        Some((
            FloatInterval { hi: last_of_low, ..self },
            FloatInterval { lo: last_of_low + 1, ..self },
        ))
    }

    /// Every float of this set in order, NaN last. For small formats and narrow intervals.
    pub fn iter(self) -> impl Iterator<Item = Float> {
        (self.lo..=self.hi)
            .map(move |rank| float_at(rank, self.format))
            .chain(self.nan.then(|| Float::nan(self.format)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: Format = Format { exponent: 3, significand: 3 };

    fn all_intervals() -> Vec<FloatInterval> {
        let infinity = rank_of_infinity(TINY);
        let mut intervals = vec![FloatInterval::only_nan(TINY)];
        for lo in negated_rank(infinity)..=infinity {
            for hi in lo..=infinity {
                let numbers = FloatInterval::from_ranks(lo, hi, TINY).expect("lo <= hi");
                intervals.extend([numbers, numbers.with_nan()]);
            }
        }
        intervals
    }

    #[test]
    fn ranks_follow_the_order_of_the_floats() {
        let all = FloatInterval::all_numbers(TINY);
        let floats: Vec<Float> = all.iter().collect();
        assert_eq!(floats.len(), 2 * 29);
        for pair in floats.windows(2) {
            let zeros = pair[0].is_zero() && pair[1].is_zero();
            assert!(pair[0].ieee_lt(pair[1]) || (zeros && pair[0].is_negative()));
        }
        assert_eq!(float_at(rank_of_infinity(TINY), TINY), Float::infinity(Sign::Positive, TINY));
    }

    #[test]
    fn meet_and_join_are_set_operations() {
        let intervals = all_intervals();
        for (index, x) in intervals.iter().enumerate().step_by(7) {
            for y in intervals.iter().skip(index % 11).step_by(11) {
                let meet: Vec<Float> = x.iter().filter(|value| y.contains(*value)).collect();
                let found: Vec<Float> =
                    x.meet(y).into_iter().flat_map(FloatInterval::iter).collect();
                assert_eq!(meet, found, "{x:?} meet {y:?}");
                let join = x.join(y);
                assert!(x.is_subset_of(join) && y.is_subset_of(join));
                let numbers = join.numbers();
                assert!(numbers.is_none_or(|(lo, hi)| {
                    (x.contains(lo) || y.contains(lo)) && (x.contains(hi) || y.contains(hi))
                }));
            }
        }
    }

    #[test]
    fn size_value_and_split_agree_with_the_members() {
        for x in all_intervals() {
            let members: Vec<Float> = x.iter().collect();
            assert_eq!(x.size(), members.len() as u64);
            assert_eq!(x.value(), (members.len() == 1).then(|| members[0]));
            assert_eq!(x.magnitude() == 0, members.len() == 1);
            match x.split() {
                None => assert_eq!(members.len(), 1),
                Some((low, high)) => {
                    let parts: Vec<Float> = low.iter().chain(high.iter()).collect();
                    assert_eq!(parts, members);
                }
            }
            let negated: Vec<Float> = x.negated().iter().map(Float::neg).collect();
            assert!(negated.iter().all(|value| x.contains(*value)));
            assert_eq!(negated.len(), members.len());
        }
        assert_eq!(FloatInterval::full(Format::F64).size(), 2 * 0x7ff0_0000_0000_0001 + 1);
        assert!(FloatInterval::full(TINY).is_full());
    }
}
