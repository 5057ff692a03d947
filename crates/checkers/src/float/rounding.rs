//! Correct rounding by its definition: a float is the rounded value of a number exactly when the number
//! lies in that float's part of the line.

use std::cmp::Ordering;

use glassbox_values::{Format, RoundingMode};

use super::exact::{Exact, magnitude_at};

/// A rounding mode seen from the magnitude of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    ToEven,
    Away,
    Up,
    Down,
}

fn direction(rounding: RoundingMode, negative: bool) -> Direction {
    match rounding {
        RoundingMode::NearestEven => Direction::ToEven,
        RoundingMode::NearestAway => Direction::Away,
        RoundingMode::TowardZero => Direction::Down,
        RoundingMode::TowardPositive => {
            if negative {
                Direction::Down
            } else {
                Direction::Up
            }
        }
        RoundingMode::TowardNegative => {
            if negative {
                Direction::Up
            } else {
                Direction::Down
            }
        }
    }
}

/// Whether the positive encoding `candidate` is the rounded magnitude of a number with this sign.
/// `compare` says how the magnitude of the number compares with another.
pub(super) fn is_rounded_magnitude(
    candidate: u64,
    negative: bool,
    format: Format,
    rounding: RoundingMode,
    compare: impl Fn(&Exact) -> Ordering,
) -> bool {
    let infinity = ((1_u64 << format.exponent) - 1) << (format.significand - 1);
    if candidate > infinity {
        return false;
    }
    let middle =
        |below: u64| magnitude_at(below, format).plus(&magnitude_at(below + 1, format)).halved();
    let is_even = candidate.is_multiple_of(2);
    match direction(rounding, negative) {
        Direction::Down => {
            candidate < infinity
                && compare(&magnitude_at(candidate, format)) != Ordering::Less
                && (candidate + 1 == infinity
                    || compare(&magnitude_at(candidate + 1, format)) == Ordering::Less)
        }
        Direction::Up => {
            (candidate == infinity
                || compare(&magnitude_at(candidate, format)) != Ordering::Greater)
                && (candidate == 0
                    || compare(&magnitude_at(candidate - 1, format)) == Ordering::Greater)
        }
        nearest @ (Direction::ToEven | Direction::Away) => {
            let takes_lower_tie = nearest == Direction::Away || is_even;
            let takes_upper_tie = nearest == Direction::ToEven && is_even;
            let above = candidate == 0
                || match compare(&middle(candidate - 1)) {
                    Ordering::Less => false,
                    Ordering::Equal => takes_lower_tie,
                    Ordering::Greater => true,
                };
            let below = candidate == infinity
                || match compare(&middle(candidate)) {
                    Ordering::Less => true,
                    Ordering::Equal => takes_upper_tie,
                    Ordering::Greater => false,
                };
            above && below
        }
    }
}

/// The number rounded to a whole one, as a magnitude with the same sign.
pub(super) fn rounded_to_whole(number: &Exact, rounding: RoundingMode) -> Exact {
    let (whole, half, inexact) = number.whole_and_rest();
    let goes_up = inexact
        && match direction(rounding, number.negative) {
            Direction::Down => false,
            Direction::Up => true,
            Direction::Away => half != Ordering::Less,
            Direction::ToEven => match half {
                Ordering::Less => false,
                Ordering::Equal => whole.bit(0),
                Ordering::Greater => true,
            },
        };
    let one = super::natural::Natural::new(u128::from(goes_up));
    Exact { negative: number.negative, magnitude: whole.plus(&one), exponent: 0 }
}
