//! The host's floats: conversion to and from them, and their arithmetic as a fast path.
//!
//! Rust's `f32` and `f64` arithmetic is IEEE-754 rounded to nearest even on every target the
//! workspace builds for; other formats and roundings are left to the exact core.

use super::{Float, Format, RoundingMode};

impl Float {
    #[inline]
    pub fn from_f32(value: f32) -> Float {
        Float::from_bits(u64::from(value.to_bits()), Format::F32)
    }

    #[inline]
    pub fn from_f64(value: f64) -> Float {
        Float::from_bits(value.to_bits(), Format::F64)
    }

    /// The same number as an `f32`; the format must be binary32.
    #[inline]
    #[track_caller]
    pub fn to_f32(self) -> f32 {
        assert!(self.format == Format::F32, "format should be binary32");
        f32::from_bits(self.bits as u32)
    }

    /// The same number as an `f64`: exact from every format, as binary64 is the widest.
    #[inline]
    pub fn to_f64(self) -> f64 {
        if self.format == Format::F64 {
            f64::from_bits(self.bits)
        } else {
            f64::from_bits(self.convert(Format::F64, RoundingMode::NearestEven).bits)
        }
    }
}

/// The result of a two-operand operation, if the host computes it.
#[inline]
pub(super) fn binary(
    x: Float,
    y: Float,
    rounding: RoundingMode,
    on_f32: impl Fn(f32, f32) -> f32,
    on_f64: impl Fn(f64, f64) -> f64,
) -> Option<Float> {
    if rounding != RoundingMode::NearestEven {
        None
    } else if x.format == Format::F64 {
        Some(Float::from_f64(on_f64(f64::from_bits(x.bits), f64::from_bits(y.bits))))
    } else if x.format == Format::F32 {
        Some(Float::from_f32(on_f32(x.to_f32(), y.to_f32())))
    } else {
        None
    }
}

/// The result of a one-operand operation, if the host computes it.
#[inline]
pub(super) fn unary(
    x: Float,
    rounding: RoundingMode,
    on_f32: impl Fn(f32) -> f32,
    on_f64: impl Fn(f64) -> f64,
) -> Option<Float> {
    binary(x, x, rounding, |a, _| on_f32(a), |a, _| on_f64(a))
}
