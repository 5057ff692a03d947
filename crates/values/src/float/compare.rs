//! IEEE comparisons, minimum and maximum.

use std::cmp::Ordering;

use super::{Float, Sign};

impl Float {
    /// The IEEE order: `None` if either is NaN, zeros equal.
    #[inline]
    #[track_caller]
    pub fn ieee_compare(self, other: Float) -> Option<Ordering> {
        self.same_format(other);
        if self.is_nan() || other.is_nan() {
            return None;
        }
        let (x, y) = (self.magnitude_bits(), other.magnitude_bits());
        if x == 0 && y == 0 {
            return Some(Ordering::Equal);
        }
        Some(match (self.sign(), other.sign()) {
            (Sign::Positive, Sign::Positive) => x.cmp(&y),
            (Sign::Negative, Sign::Negative) => y.cmp(&x),
            (Sign::Positive, Sign::Negative) => Ordering::Greater,
            (Sign::Negative, Sign::Positive) => Ordering::Less,
        })
    }

    /// False on NaN; -0 equals +0.
    #[inline]
    #[track_caller]
    pub fn ieee_eq(self, other: Float) -> bool {
        self.ieee_compare(other) == Some(Ordering::Equal)
    }

    /// False on NaN.
    #[inline]
    #[track_caller]
    pub fn ieee_lt(self, other: Float) -> bool {
        self.ieee_compare(other) == Some(Ordering::Less)
    }

    /// False on NaN.
    #[inline]
    #[track_caller]
    pub fn ieee_le(self, other: Float) -> bool {
        matches!(self.ieee_compare(other), Some(Ordering::Less | Ordering::Equal))
    }

    /// The smaller; two zeros give the second argument, one NaN gives the other argument.
    ///
    /// SMT-LIB's `fp.min` with its free choice fixed.
    #[inline]
    #[track_caller]
    pub fn min(self, other: Float) -> Float {
        match self.ieee_compare(other) {
            Some(Ordering::Less) => self,
            None if other.is_nan() => self,
            Some(Ordering::Equal | Ordering::Greater) | None => other,
        }
    }

    /// The larger; two zeros give the second argument, one NaN gives the other argument.
    #[inline]
    #[track_caller]
    pub fn max(self, other: Float) -> Float {
        match self.ieee_compare(other) {
            Some(Ordering::Greater) => self,
            None if other.is_nan() => self,
            Some(Ordering::Less | Ordering::Equal) | None => other,
        }
    }
}
