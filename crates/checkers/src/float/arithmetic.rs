//! Arithmetic relations: the exact result, and whether the candidate is its rounded value.

use std::cmp::Ordering;

use glassbox_values::{Float, RoundingMode};

use super::exact::{Exact, Reading, read};
use super::rounding::is_rounded_magnitude;
use super::{is_nan, is_same, sign_bit};

fn is_infinity(z: Float, negative: bool) -> bool {
    matches!(read(z), Reading::Infinite { negative: sign } if sign == negative)
}

fn is_signed_zero(z: Float, negative: bool) -> bool {
    matches!(read(z), Reading::Finite(number) if number.is_zero() && number.negative == negative)
}

/// Whether `z` is the rounded value of an exact number that is not zero; a result of zero keeps the
/// number's sign.
pub(super) fn is_rounded(number: &Exact, z: Float, mode: RoundingMode) -> bool {
    let magnitude = number.absolute();
    is_rounded_number(number.negative, z, mode, |other| magnitude.compare(other))
}

fn is_rounded_number(
    negative: bool,
    z: Float,
    mode: RoundingMode,
    compare: impl Fn(&Exact) -> Ordering,
) -> bool {
    let magnitude = z.to_bits() & !sign_bit(z);
    (magnitude != z.to_bits()) == negative
        && is_rounded_magnitude(magnitude, negative, z.format(), mode, compare)
}

/// IEEE-754 6.3: a sum that is exactly zero is +0, or -0 toward negative, unless both are zeros of one
/// sign.
fn is_zero_sum(x: &Exact, y: &Exact, z: Float, mode: RoundingMode) -> bool {
    let negative =
        if x.negative == y.negative { x.negative } else { mode == RoundingMode::TowardNegative };
    is_signed_zero(z, negative)
}

pub(super) fn opposite(reading: Reading) -> Reading {
    match reading {
        Reading::Nan => Reading::Nan,
        Reading::Infinite { negative } => Reading::Infinite { negative: !negative },
        Reading::Finite(number) => Reading::Finite(number.negated()),
    }
}

pub(super) fn sum_holds(a: &Reading, b: &Reading, z: Float, mode: RoundingMode) -> bool {
    match (a, b) {
        (Reading::Nan, _) | (_, Reading::Nan) => is_nan(z),
        (Reading::Infinite { negative: one }, Reading::Infinite { negative: other }) => {
            if one == other { is_infinity(z, *one) } else { is_nan(z) }
        }
        (Reading::Infinite { negative }, Reading::Finite(_))
        | (Reading::Finite(_), Reading::Infinite { negative }) => is_infinity(z, *negative),
        (Reading::Finite(x), Reading::Finite(y)) => exact_sum_holds(x, y, z, mode),
    }
}

fn exact_sum_holds(x: &Exact, y: &Exact, z: Float, mode: RoundingMode) -> bool {
    let sum = x.plus(y);
    if sum.is_zero() { is_zero_sum(x, y, z, mode) } else { is_rounded(&sum, z, mode) }
}

/// The exact product.
fn product(a: &Reading, b: &Reading) -> Reading {
    match (a, b) {
        (Reading::Nan, _) | (_, Reading::Nan) => Reading::Nan,
        (Reading::Infinite { negative: one }, Reading::Infinite { negative: other }) => {
            Reading::Infinite { negative: one != other }
        }
        (Reading::Infinite { negative }, Reading::Finite(number))
        | (Reading::Finite(number), Reading::Infinite { negative }) => {
            if number.is_zero() {
                Reading::Nan
            } else {
                Reading::Infinite { negative: *negative != number.negative }
            }
        }
        (Reading::Finite(x), Reading::Finite(y)) => Reading::Finite(x.times(y)),
    }
}

pub(super) fn product_holds(a: &Reading, b: &Reading, z: Float, mode: RoundingMode) -> bool {
    match product(a, b) {
        Reading::Nan => is_nan(z),
        Reading::Infinite { negative } => is_infinity(z, negative),
        Reading::Finite(product) if product.is_zero() => is_signed_zero(z, product.negative),
        Reading::Finite(product) => is_rounded(&product, z, mode),
    }
}

pub(super) fn quotient_holds(a: &Reading, b: &Reading, z: Float, mode: RoundingMode) -> bool {
    match (a, b) {
        (Reading::Nan, _) | (_, Reading::Nan) => is_nan(z),
        (Reading::Infinite { .. }, Reading::Infinite { .. }) => is_nan(z),
        (Reading::Infinite { negative }, Reading::Finite(y)) => {
            is_infinity(z, *negative != y.negative)
        }
        (Reading::Finite(x), Reading::Infinite { negative }) => {
            is_signed_zero(z, x.negative != *negative)
        }
        (Reading::Finite(x), Reading::Finite(y)) => {
            let negative = x.negative != y.negative;
            match (x.is_zero(), y.is_zero()) {
                (true, true) => is_nan(z),
                (true, false) => is_signed_zero(z, negative),
                (false, true) => is_infinity(z, negative),
                // |x / y| against a bound is |x| against the bound times |y|.
                (false, false) => is_rounded_number(negative, z, mode, |bound| {
                    x.absolute().compare(&bound.times(&y.absolute()))
                }),
            }
        }
    }
}

pub(super) fn sqrt_holds(x: Float, z: Float, mode: RoundingMode) -> bool {
    match read(x) {
        Reading::Nan | Reading::Infinite { negative: true } => is_nan(z),
        Reading::Infinite { negative: false } => is_infinity(z, false),
        Reading::Finite(number) if number.is_zero() => is_same(x, z),
        Reading::Finite(number) if number.negative => is_nan(z),
        // The root against a bound is x against the bound's square.
        Reading::Finite(number) => {
            is_rounded_number(false, z, mode, |bound| number.compare(&bound.times(bound)))
        }
    }
}

pub(super) fn fma_holds([x, y, c]: [Float; 3], z: Float, mode: RoundingMode) -> bool {
    sum_holds(&product(&read(x), &read(y)), &read(c), z, mode)
}

/// `z = x - n·y` for the quotient x/y rounded to a whole n in this mode, exactly.
pub(super) fn remainder_holds(x: Float, y: Float, z: Float, mode: RoundingMode) -> bool {
    let (dividend, divisor) = match (read(x), read(y)) {
        (Reading::Nan | Reading::Infinite { .. }, _) | (_, Reading::Nan) => return is_nan(z),
        (Reading::Finite(_), Reading::Infinite { .. }) => return is_same(x, z),
        (Reading::Finite(dividend), Reading::Finite(divisor)) => (dividend, divisor),
    };
    if divisor.is_zero() {
        return is_nan(z);
    }
    let expected = exact_remainder(&dividend, &divisor, mode);
    match read(z) {
        Reading::Nan | Reading::Infinite { .. } => false,
        Reading::Finite(found) if expected.is_zero() => {
            found.is_zero() && found.negative == dividend.negative
        }
        Reading::Finite(found) => found.compare(&expected) == Ordering::Equal,
    }
}

fn exact_remainder(dividend: &Exact, divisor: &Exact, mode: RoundingMode) -> Exact {
    // Over one power of two both are whole, and so is the division with rest.
    let exponent = dividend.exponent.min(divisor.exponent);
    let over = |number: &Exact| {
        number.magnitude.shifted(usize::try_from(number.exponent - exponent).expect("not negative"))
    };
    let unit = over(divisor);
    let (quotient, rest) = over(dividend).divided(&unit);
    let to_next = match (mode, rest.shifted(1).compare(&unit)) {
        (RoundingMode::NearestEven, Ordering::Greater) => true,
        (RoundingMode::NearestEven, Ordering::Equal) => quotient.bit(0),
        _ => false,
    };
    if to_next {
        Exact { negative: !dividend.negative, magnitude: unit.minus(&rest), exponent }
    } else {
        Exact { negative: dividend.negative, magnitude: rest, exponent }
    }
}

/// Whether `z` is the one of `x` and `y` that is `wanted` than the other.
pub(super) fn extremum_holds(wanted: Ordering, x: Float, y: Float, z: Float) -> bool {
    match super::compare(x, y) {
        // One NaN gives the other argument.
        None if is_nan(x) => is_same(y, z),
        None => is_same(x, z),
        // Of equal numbers, and so of two zeros, the second.
        Some(order) => is_same(if order == wanted { x } else { y }, z),
    }
}
