//! Closed intervals of reals with `f64` ends, rounded outward.
//!
//! Every operation contains all results over the operands' points. Sums and products of integers below
//! `2^53` are exact; everything else is widened by one unit in the last place on each inexact side, which
//! needs no rounding-mode switch. Ends may be infinite; there is no empty interval and no NaN.

use crate::rational::Rational;

/// The reals from `lo` to `hi`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    lo: f64,
    hi: f64,
}

/// Integers up to this size are exact, and so are their sums and products below it.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn is_exact(a: f64, b: f64, result: f64) -> bool {
    result.abs() < EXACT && a == a.trunc() && b == b.trunc()
}

fn down(a: f64, b: f64, result: f64) -> f64 {
    if result.is_nan() {
        f64::NEG_INFINITY
    } else if is_exact(a, b, result) {
        result
    } else {
        result.next_down()
    }
}

fn up(a: f64, b: f64, result: f64) -> f64 {
    if result.is_nan() {
        f64::INFINITY
    } else if is_exact(a, b, result) {
        result
    } else {
        result.next_up()
    }
}

/// Endpoint products take `0 * infinity` as 0: an infinite end stands for arbitrarily large reals.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

impl Interval {
    pub const ZERO: Interval = Interval { lo: 0.0, hi: 0.0 };
    pub const ALL: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// The interval, unless it is empty or has a NaN.
    pub fn new(lo: f64, hi: f64) -> Option<Interval> {
        (lo <= hi).then_some(Interval { lo, hi })
    }

    pub fn point(value: f64) -> Interval {
        assert!(!value.is_nan(), "a point should be a number");
        Interval { lo: value, hi: value }
    }

    /// The smallest interval found around an integer.
    pub fn integer(value: i128) -> Interval {
        let near = value as f64;
        if near.abs() < EXACT {
            return Interval::point(near);
        }
        Interval { lo: near.next_down(), hi: near.next_up() }
    }

    /// An interval around a rational.
    pub fn rational(value: &Rational) -> Interval {
        if let Some((numerator, denominator)) = value.small_parts() {
            let numerator = Interval::integer(numerator);
            return if denominator == 1 {
                numerator
            } else {
                numerator.divide(Interval::integer(denominator)).unwrap_or(Interval::ALL)
            };
        }
        let (floor, ceil) = (value.floor(), value.ceil());
        match (floor.to_i128(), ceil.to_i128()) {
            (Some(floor), Some(ceil)) => {
                Interval { lo: Interval::integer(floor).lo, hi: Interval::integer(ceil).hi }
            }
            _ if value.is_positive() => Interval { lo: 1e38, hi: f64::INFINITY },
            _ => Interval { lo: f64::NEG_INFINITY, hi: -1e38 },
        }
    }

    pub fn lo(self) -> f64 {
        self.lo
    }

    pub fn hi(self) -> f64 {
        self.hi
    }

    pub fn width(self) -> f64 {
        self.hi - self.lo
    }

    pub fn is_point(self) -> bool {
        self.lo == self.hi
    }

    pub fn contains(self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// A number inside, finite, near the middle.
    pub fn middle(self) -> f64 {
        let (lo, hi) = (self.lo.max(f64::MIN), self.hi.min(f64::MAX));
        let middle = lo / 2.0 + hi / 2.0;
        middle.clamp(lo, hi)
    }

    pub fn intersect(self, other: Interval) -> Option<Interval> {
        Interval::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    #[must_use]
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    #[must_use]
    pub fn plus(self, other: Interval) -> Interval {
        Interval {
            lo: down(self.lo, other.lo, self.lo + other.lo),
            hi: up(self.hi, other.hi, self.hi + other.hi),
        }
    }

    #[must_use]
    pub fn negated(self) -> Interval {
        Interval { lo: -self.hi, hi: -self.lo }
    }

    #[must_use]
    pub fn minus(self, other: Interval) -> Interval {
        self.plus(other.negated())
    }

    #[must_use]
    pub fn times(self, other: Interval) -> Interval {
        let pairs =
            [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for (a, b) in pairs {
            let product = times(a, b);
            // A zero factor makes the product exact; an underflow does not.
            let exact = a == 0.0 || b == 0.0;
            lo = lo.min(if exact { 0.0 } else { down(a, b, product) });
            hi = hi.max(if exact { 0.0 } else { up(a, b, product) });
        }
        Interval { lo, hi }
    }

    /// The quotients by the numbers of `other` that are not zero; `None` when that may be everything.
    pub fn divide(self, other: Interval) -> Option<Interval> {
        if other.lo <= 0.0 && other.hi >= 0.0 {
            return None;
        }
        // The reciprocal of an interval without zero, then a product.
        let inverse = Interval { lo: (1.0 / other.hi).next_down(), hi: (1.0 / other.lo).next_up() };
        let by_product = self.times(inverse);
        // Corner quotients are sharper for finite numbers.
        let corners =
            [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        if corners.iter().any(|(a, b)| !a.is_finite() || !b.is_finite()) {
            return Some(by_product);
        }
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for (a, b) in corners {
            let quotient = a / b;
            let exact = quotient.abs() < EXACT && quotient * b == a && is_exact(quotient, b, a);
            lo = lo.min(if exact { quotient } else { quotient.next_down() });
            hi = hi.max(if exact { quotient } else { quotient.next_up() });
        }
        Some(Interval { lo, hi })
    }

    /// The power, sharper than repeated products for even exponents.
    #[must_use]
    pub fn power(self, exponent: u8) -> Interval {
        let mut result = Interval::point(1.0);
        for _ in 0..exponent {
            result = result.times(self);
        }
        if exponent > 0 && exponent.is_multiple_of(2) {
            let size = self.magnitude_interval();
            let mut sharp = Interval::point(1.0);
            for _ in 0..exponent {
                sharp = sharp.times(size);
            }
            result = result.intersect(sharp).unwrap_or(sharp);
        }
        result
    }

    /// The absolute values.
    fn magnitude_interval(self) -> Interval {
        if self.lo >= 0.0 {
            self
        } else if self.hi <= 0.0 {
            self.negated()
        } else {
            Interval { lo: 0.0, hi: self.hi.max(-self.lo) }
        }
    }

    /// The smallest interval around the integers inside; `None` when there is none.
    pub fn integers(self) -> Option<Interval> {
        Interval::new(self.lo.ceil(), self.hi.floor())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<f64> {
        vec![
            0.0,
            1.0,
            -1.0,
            0.5,
            3.0,
            -7.25,
            0.1,
            -0.3,
            1e10,
            -1e10,
            9.1e15,
            1e200,
            -1e200,
            1e-200,
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            f64::MIN,
        ]
    }

    /// An exact comparison through big rationals: value of a finite float.
    fn exact(value: f64) -> Rational {
        let bits = value.to_bits();
        let exponent = i32::try_from(bits >> 52 & 0x7ff).expect("11 bits");
        let fraction = i128::from(bits & ((1 << 52) - 1));
        let (significand, power) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        let signed = if value < 0.0 { -significand } else { significand };
        let two = |n: i32| Rational::power_of_two(u32::try_from(n).expect("not negative"));
        let number = Rational::int(signed);
        if power >= 0 { &number * &two(power) } else { &number / &two(-power) }
    }

    fn encloses(interval: Interval, value: &Rational) -> bool {
        (interval.lo == f64::NEG_INFINITY || exact(interval.lo) <= *value)
            && (interval.hi == f64::INFINITY || exact(interval.hi) >= *value)
    }

    #[test]
    fn operations_enclose_the_exact_results() {
        for a in samples() {
            for b in samples() {
                let (x, y) = (Interval::point(a), Interval::point(b));
                let (ea, eb) = (exact(a), exact(b));
                assert!(encloses(x.plus(y), &(&ea + &eb)), "{a} + {b}");
                assert!(encloses(x.minus(y), &(&ea - &eb)), "{a} - {b}");
                assert!(encloses(x.times(y), &(&ea * &eb)), "{a} * {b}");
                if b != 0.0 {
                    let quotient = x.divide(y).expect("not zero");
                    assert!(encloses(quotient, &(&ea / &eb)), "{a} / {b}: {quotient:?}");
                }
                let wide = x.hull(y);
                for inner in [a, b, wide.middle()] {
                    let square = &exact(inner) * &exact(inner);
                    assert!(encloses(wide.power(2), &square), "{wide:?}^2");
                    assert!(encloses(wide.power(3), &(&square * &exact(inner))), "{wide:?}^3");
                }
            }
        }
    }

    #[test]
    fn small_integers_stay_exact() {
        for a in -12..=12_i128 {
            for b in -12..=12_i128 {
                let (x, y) = (Interval::integer(a), Interval::integer(b));
                assert_eq!(x.plus(y), Interval::integer(a + b));
                assert_eq!(x.times(y), Interval::integer(a * b));
            }
        }
        assert!(encloses(Interval::integer(i128::MAX), &Rational::int(i128::MAX)));
        assert!(encloses(Interval::rational(&Rational::ratio(1, 3)), &Rational::ratio(1, 3)));
    }

    #[test]
    fn rationals_of_any_size_are_enclosed() {
        for numerator in [1, -1, 7, i128::MAX, i128::MIN] {
            for denominator in [1, 3, i128::MAX] {
                let value = Rational::ratio(numerator, denominator);
                for power in [1, 5, 200] {
                    let big = &value * &Rational::power_of_two(power);
                    assert!(encloses(Interval::rational(&big), &big), "{big}");
                }
            }
        }
    }
}
