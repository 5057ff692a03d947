//! The float operations on ranks: what the projections evaluate.
//!
//! Each function is the operation of `glassbox_values::Float` seen through ranks. Where a
//! result would be NaN they must not be called: the caller's pieces exclude it.

use glassbox_kernel::domain::float_interval::{Rank, float_at, rank_of_infinity};
use glassbox_values::{Float, Format, RoundingMode};

#[inline]
fn rank(float: Float) -> Rank {
    float.order_index().expect("the operation should be defined on this piece")
}

/// About the inverse of an operation, to the nearest float; `None` where it is not a number. Good
/// enough to start a search from, not a bound.
pub(crate) mod inverse {
    use glassbox_kernel::domain::float_interval::{Rank, float_at};
    use glassbox_values::{Format, RoundingMode};

    const NEAREST: RoundingMode = RoundingMode::NearestEven;

    pub(crate) fn difference(x: Rank, y: Rank, format: Format) -> Option<Rank> {
        float_at(x, format).sub(float_at(y, format), NEAREST).order_index()
    }

    pub(crate) fn product(x: Rank, y: Rank, format: Format) -> Option<Rank> {
        float_at(x, format).mul(float_at(y, format), NEAREST).order_index()
    }

    pub(crate) fn quotient(x: Rank, y: Rank, format: Format) -> Option<Rank> {
        float_at(x, format).div(float_at(y, format), NEAREST).order_index()
    }

    pub(crate) fn root(x: Rank, format: Format) -> Option<Rank> {
        float_at(x, format).sqrt(NEAREST).order_index()
    }

    pub(crate) fn conversion(x: Rank, from: Format, to: Format) -> Option<Rank> {
        float_at(x, from).convert(to, NEAREST).order_index()
    }
}

#[inline]
pub(crate) fn add(x: Rank, y: Rank, format: Format, rounding: RoundingMode) -> Rank {
    rank(float_at(x, format).add(float_at(y, format), rounding))
}

#[inline]
pub(crate) fn mul(x: Rank, y: Rank, format: Format, rounding: RoundingMode) -> Rank {
    rank(float_at(x, format).mul(float_at(y, format), rounding))
}

#[inline]
pub(crate) fn div(x: Rank, y: Rank, format: Format, rounding: RoundingMode) -> Rank {
    rank(float_at(x, format).div(float_at(y, format), rounding))
}

#[inline]
pub(crate) fn sqrt(x: Rank, format: Format, rounding: RoundingMode) -> Rank {
    rank(float_at(x, format).sqrt(rounding))
}

pub(crate) fn fma([x, y, z]: [Rank; 3], format: Format, rounding: RoundingMode) -> Rank {
    rank(float_at(x, format).fma(float_at(y, format), float_at(z, format), rounding))
}

pub(crate) fn fmod(x: Rank, y: Rank, format: Format) -> Rank {
    rank(float_at(x, format).fmod(float_at(y, format)))
}

pub(crate) fn rem(x: Rank, y: Rank, format: Format) -> Rank {
    rank(float_at(x, format).remainder(float_at(y, format)))
}

pub(crate) fn round_to_integral(x: Rank, format: Format, rounding: RoundingMode) -> Rank {
    rank(float_at(x, format).round_to_integral(rounding))
}

pub(crate) fn convert(x: Rank, from: Format, to: Format, rounding: RoundingMode) -> Rank {
    rank(float_at(x, from).convert(to, rounding))
}

/// `x · 2^power` for positive `x`, rounded up: infinite where it does not fit.
pub(crate) fn scale(x: Rank, power: i32, format: Format) -> Rank {
    rank(float_at(x, format).scale(power, RoundingMode::TowardPositive))
}

/// Half of `x`, rounded.
pub(crate) fn half(x: Rank, format: Format, rounding: RoundingMode) -> Rank {
    rank(float_at(x, format).scale(-1, rounding))
}

/// Twice `x`; beyond the largest finite number it is infinite.
pub(crate) fn double(x: Rank, format: Format) -> Rank {
    rank(float_at(x, format).scale(1, RoundingMode::NearestEven))
}

/// A rank up to which (exclusive) every integer is a float of the format and no quotient was cut off
/// at the largest finite number.
pub(crate) fn rank_of_integer_limit(format: Format) -> Rank {
    let largest_finite = rank_of_infinity(format) - 1;
    let exponent = i32::from(format.significand);
    if exponent > format.max_exponent() {
        return largest_finite;
    }
    rank(
        Float::one(glassbox_values::Sign::Positive, format)
            .scale(exponent, RoundingMode::TowardZero),
    )
}
