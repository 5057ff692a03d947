//! IEEE-754 binary floats of any small format, as bit patterns.

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

    /// Bits of the whole encoding: sign, exponent, stored significand.
    pub const fn width(self) -> u8 {
        self.exponent + self.significand
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

/// A float as its encoding. All NaNs of a format are the one canonical NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Float {
    // Invariant: bits at and above `format.width()` are zero; a NaN is `Float::nan(format)`.
    bits: u64,
    format: Format,
}

impl std::fmt::Debug for Float {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#x}:f{}", self.bits, self.format.width())
    }
}

impl Float {
    pub fn format(self) -> Format {
        self.format
    }

    /// The encoding; equal floats in the sense of `==` on this type have equal encodings.
    pub fn to_bits(self) -> u64 {
        self.bits
    }
}
