//! Exact numbers: a sign, a natural number and a power of two. What a finite float stands for.

use std::cmp::Ordering;

use glassbox_values::{Float, Format};

use super::natural::Natural;

/// The number `± magnitude · 2^exponent`.
#[derive(Debug, Clone)]
pub(super) struct Exact {
    pub(super) negative: bool,
    pub(super) magnitude: Natural,
    pub(super) exponent: i32,
}

/// What an encoding stands for.
#[derive(Debug, Clone)]
pub(super) enum Reading {
    Nan,
    Infinite {
        negative: bool,
    },
    /// Zeros keep their sign.
    Finite(Exact),
}

/// The fields of an encoding, read as IEEE-754 3.4 says.
pub(super) fn read(float: Float) -> Reading {
    let format = float.format();
    let stored = u32::from(format.significand) - 1;
    let bits = float.to_bits();
    let negative = bits >> (stored + u32::from(format.exponent)) & 1 == 1;
    let exponent_field = bits >> stored & ((1 << format.exponent) - 1);
    let fraction = bits & ((1 << stored) - 1);
    if exponent_field == (1 << format.exponent) - 1 {
        return if fraction == 0 { Reading::Infinite { negative } } else { Reading::Nan };
    }
    Reading::Finite(Exact { negative, ..magnitude_at(bits & !(1 << (format.width() - 1)), format) })
}

/// The value of a positive encoding; that of infinity is read as the number it would be if the
/// format went on, which is where rounding to nearest begins to overflow from.
pub(super) fn magnitude_at(encoding: u64, format: Format) -> Exact {
    let stored = u32::from(format.significand) - 1;
    let field = encoding >> stored;
    let fraction = encoding & ((1 << stored) - 1);
    let bias = (1_i32 << (format.exponent - 1)) - 1;
    let hidden = if field == 0 { 0 } else { 1 << stored };
    // Subnormal numbers have the exponent of the first normal ones.
    let exponent = i32::try_from(field.max(1)).expect("at most 11 bits") - bias;
    Exact {
        negative: false,
        magnitude: Natural::new(u128::from(fraction + hidden)),
        exponent: exponent - i32::try_from(stored).expect("at most 52"),
    }
}

impl Exact {
    pub(super) fn integer(negative: bool, magnitude: u128) -> Exact {
        Exact { negative, magnitude: Natural::new(magnitude), exponent: 0 }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.magnitude.is_zero()
    }

    pub(super) fn absolute(&self) -> Exact {
        Exact { negative: false, ..self.clone() }
    }

    pub(super) fn negated(&self) -> Exact {
        Exact { negative: !self.negative, ..self.clone() }
    }

    /// The magnitudes of two numbers over the smaller of their exponents, and that exponent.
    fn aligned(&self, other: &Exact) -> (Natural, Natural, i32) {
        let exponent = self.exponent.min(other.exponent);
        let over = |number: &Exact| {
            let shift = usize::try_from(number.exponent - exponent).expect("not negative");
            number.magnitude.shifted(shift)
        };
        (over(self), over(other), exponent)
    }

    pub(super) fn plus(&self, other: &Exact) -> Exact {
        let (a, b, exponent) = self.aligned(other);
        if self.negative == other.negative {
            return Exact { negative: self.negative, magnitude: a.plus(&b), exponent };
        }
        match a.compare(&b) {
            Ordering::Less => Exact { negative: other.negative, magnitude: b.minus(&a), exponent },
            Ordering::Equal | Ordering::Greater => {
                Exact { negative: self.negative, magnitude: a.minus(&b), exponent }
            }
        }
    }

    pub(super) fn times(&self, other: &Exact) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            magnitude: self.magnitude.times(&other.magnitude),
            exponent: self.exponent + other.exponent,
        }
    }

    pub(super) fn halved(&self) -> Exact {
        Exact { exponent: self.exponent - 1, ..self.clone() }
    }

    /// The order of the numbers; both zeros are equal.
    pub(super) fn compare(&self, other: &Exact) -> Ordering {
        let (a, b, _) = self.aligned(other);
        let sign = |number: &Exact| {
            if number.is_zero() {
                0
            } else if number.negative {
                -1
            } else {
                1
            }
        };
        match (sign(self), sign(other)) {
            (1, 1) => a.compare(&b),
            (-1, -1) => b.compare(&a),
            (mine, theirs) => mine.cmp(&theirs),
        }
    }

    /// The magnitude as a natural number and whether something was cut off below the point, with how
    /// that compares to one half.
    pub(super) fn whole_and_rest(&self) -> (Natural, Ordering, bool) {
        let Ok(shift) = usize::try_from(-self.exponent) else {
            let up = usize::try_from(self.exponent).expect("not negative");
            return (self.magnitude.shifted(up), Ordering::Less, false);
        };
        let one = Natural::new(1).shifted(shift);
        let (whole, rest) = self.magnitude.divided(&one);
        let half = rest.shifted(1).compare(&one);
        (whole, half, !rest.is_zero())
    }
}
