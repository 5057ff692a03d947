//! IEEE-754 binary floats of any small format, as bit patterns.
//!
//! There is one definition of each operation: unpack exactly, compute exactly (or with enough bits
//! and a sticky bit), round once (`number::Number::round`). For binary32 and binary64 rounded to
//! nearest even the host's own instructions answer instead; tests hold them equal to the exact core.
//!
//! Exception flags are not modelled, and all NaNs are one: a signaling NaN reads as the canonical one.

mod arith;
mod classify;
mod compare;
mod convert;
mod decimal;
mod hex;
mod host;
mod integer;
mod natural;
mod neighbor;
mod number;
mod remainder;

pub use classify::FloatClass;
pub use decimal::ParseFloatError;

use crate::bits::Bits;

/// A binary interchange format, counted as SMT-LIB counts: `significand` includes the hidden bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Format {
    pub exponent: u8,
    pub significand: u8,
}

impl Format {
    pub const F16: Format = Format { exponent: 5, significand: 11 };
    pub const F32: Format = Format { exponent: 8, significand: 24 };
    pub const F64: Format = Format { exponent: 11, significand: 53 };

    /// The format, if it is one that [`Float`] holds: 2 to 11 exponent bits, a significand of 2 to 53.
    pub const fn new(exponent: u8, significand: u8) -> Option<Format> {
        let format = Format { exponent, significand };
        if format.is_supported() { Some(format) } else { None }
    }

    pub const fn is_supported(self) -> bool {
        2 <= self.exponent && self.exponent <= 11 && 2 <= self.significand && self.significand <= 53
    }

    /// Bits of the whole encoding: sign, exponent, stored significand.
    #[inline]
    pub const fn width(self) -> u8 {
        self.exponent + self.significand
    }

    /// Bits of the significand that the encoding stores.
    #[inline]
    pub const fn fraction_width(self) -> u8 {
        self.significand - 1
    }

    /// The exponent of the largest finite numbers: they are below `2^(max_exponent + 1)`.
    #[inline]
    pub const fn max_exponent(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the smallest normal number.
    #[inline]
    pub const fn min_exponent(self) -> i32 {
        1 - self.max_exponent()
    }

    /// The exponent of the smallest subnormal number; every finite number is a multiple of it.
    #[inline]
    pub const fn quantum_exponent(self) -> i32 {
        self.min_exponent() - self.fraction_width() as i32
    }

    /// Mask of the stored significand.
    #[inline]
    const fn fraction_mask(self) -> u64 {
        (1 << self.fraction_width()) - 1
    }

    /// The encoding of positive infinity: all exponent bits.
    #[inline]
    const fn infinity_bits(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction_width()
    }

    /// The sign bit of the encoding.
    #[inline]
    const fn sign_mask(self) -> u64 {
        1 << (self.width() - 1)
    }
}

/// The five IEEE-754 rounding directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RoundingMode {
    NearestEven,
    NearestAway,
    TowardPositive,
    TowardNegative,
    TowardZero,
}

impl RoundingMode {
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::TowardPositive,
        RoundingMode::TowardNegative,
        RoundingMode::TowardZero,
    ];
}

/// The sign of a float; zeros and infinities have one too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    Positive,
    Negative,
}

impl Sign {
    /// The sign of a product or quotient.
    #[inline]
    pub const fn times(self, other: Sign) -> Sign {
        match (self, other) {
            (Sign::Positive, Sign::Positive) | (Sign::Negative, Sign::Negative) => Sign::Positive,
            (Sign::Positive, Sign::Negative) | (Sign::Negative, Sign::Positive) => Sign::Negative,
        }
    }

    #[inline]
    pub const fn opposite(self) -> Sign {
        match self {
            Sign::Positive => Sign::Negative,
            Sign::Negative => Sign::Positive,
        }
    }
}

/// A float as its encoding. All NaNs of a format are the one canonical NaN.
///
/// `==` and the derived order compare encodings (so NaN equals itself and the zeros differ), as
/// SMT-LIB `=` does; the IEEE comparisons are `ieee_eq`, `ieee_lt` and `ieee_le`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Float {
    // Invariant: bits at and above `format.width()` are zero; a NaN is `Float::nan(format)`.
    bits: u64,
    // Invariant: `format.is_supported()`.
    format: Format,
}

impl std::fmt::Debug for Float {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#x}:f{}", self.bits, self.format.width())
    }
}

impl Float {
    #[inline]
    pub const fn format(self) -> Format {
        self.format
    }

    /// The encoding; equal floats in the sense of `==` on this type have equal encodings.
    #[inline]
    pub const fn to_bits(self) -> u64 {
        self.bits
    }

    /// The float that the low bits of an encoding stand for; every NaN becomes the canonical one.
    #[inline]
    #[track_caller]
    pub const fn from_bits(bits: u64, format: Format) -> Float {
        assert!(
            format.is_supported(),
            "format should have 2..=11 exponent and 2..=53 significand bits"
        );
        let bits = bits & (u64::MAX >> (64 - format.width()));
        if bits & !format.sign_mask() > format.infinity_bits() {
            Float::nan(format)
        } else {
            Float { bits, format }
        }
    }

    /// The encoding as an integer of the format's width.
    #[inline]
    pub const fn to_encoding(self) -> Bits {
        Bits::from_u64(self.bits, self.format.width())
    }

    /// The float that an integer of the format's width encodes.
    #[inline]
    #[track_caller]
    pub const fn from_encoding(bits: Bits, format: Format) -> Float {
        assert!(bits.width() == format.width(), "encoding should have the format's width");
        Float::from_bits(bits.low_u64(), format)
    }

    /// The canonical NaN: positive, quiet, no payload.
    #[inline]
    pub const fn nan(format: Format) -> Float {
        let quiet = 1 << (format.fraction_width() - 1);
        Float { bits: format.infinity_bits() | quiet, format }
    }

    #[inline]
    pub const fn infinity(sign: Sign, format: Format) -> Float {
        Float { bits: format.infinity_bits(), format }.with_sign(sign)
    }

    #[inline]
    pub const fn zero(sign: Sign, format: Format) -> Float {
        Float { bits: 0, format }.with_sign(sign)
    }

    /// One.
    #[inline]
    pub const fn one(sign: Sign, format: Format) -> Float {
        let bits = (format.max_exponent() as u64) << format.fraction_width();
        Float { bits, format }.with_sign(sign)
    }

    /// The finite number farthest from zero.
    #[inline]
    pub const fn max_finite(sign: Sign, format: Format) -> Float {
        Float { bits: format.infinity_bits() - 1, format }.with_sign(sign)
    }

    /// The non-zero number nearest to zero.
    #[inline]
    pub const fn min_subnormal(sign: Sign, format: Format) -> Float {
        Float { bits: 1, format }.with_sign(sign)
    }

    /// The same magnitude with the given sign; a NaN has no sign and stays.
    #[inline]
    pub const fn with_sign(self, sign: Sign) -> Float {
        if self.is_nan() {
            return self;
        }
        let magnitude = self.bits & !self.format.sign_mask();
        let bits = match sign {
            Sign::Positive => magnitude,
            Sign::Negative => magnitude | self.format.sign_mask(),
        };
        Float { bits, format: self.format }
    }

    /// The encoding without its sign bit.
    #[inline]
    const fn magnitude_bits(self) -> u64 {
        self.bits & !self.format.sign_mask()
    }

    /// The common format of two operands.
    #[inline]
    #[track_caller]
    fn same_format(self, other: Float) -> Format {
        assert!(self.format == other.format, "operands should have one format");
        self.format
    }
}
