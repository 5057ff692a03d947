//! What kind of float it is.

use super::{Float, Sign};

/// The five kinds of floats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatClass {
    Nan,
    Infinite,
    Zero,
    Subnormal,
    Normal,
}

impl Float {
    #[inline]
    pub const fn class(self) -> FloatClass {
        let magnitude = self.magnitude_bits();
        let infinity = self.format.infinity_bits();
        if magnitude > infinity {
            FloatClass::Nan
        } else if magnitude == infinity {
            FloatClass::Infinite
        } else if magnitude == 0 {
            FloatClass::Zero
        } else if magnitude <= self.format.fraction_mask() {
            FloatClass::Subnormal
        } else {
            FloatClass::Normal
        }
    }

    #[inline]
    pub const fn is_nan(self) -> bool {
        self.magnitude_bits() > self.format.infinity_bits()
    }

    #[inline]
    pub const fn is_infinite(self) -> bool {
        self.magnitude_bits() == self.format.infinity_bits()
    }

    /// Neither NaN nor infinite.
    #[inline]
    pub const fn is_finite(self) -> bool {
        self.magnitude_bits() < self.format.infinity_bits()
    }

    #[inline]
    pub const fn is_zero(self) -> bool {
        self.magnitude_bits() == 0
    }

    #[inline]
    pub const fn is_subnormal(self) -> bool {
        matches!(self.class(), FloatClass::Subnormal)
    }

    #[inline]
    pub const fn is_normal(self) -> bool {
        matches!(self.class(), FloatClass::Normal)
    }

    /// Sign bit set; false on NaN, true on -0.
    #[inline]
    pub const fn is_negative(self) -> bool {
        self.bits & self.format.sign_mask() != 0
    }

    /// Sign bit clear; false on NaN, true on +0.
    #[inline]
    pub const fn is_positive(self) -> bool {
        !self.is_negative() && !self.is_nan()
    }

    /// The sign; a NaN counts as positive, as its canonical encoding does.
    #[inline]
    pub const fn sign(self) -> Sign {
        if self.is_negative() { Sign::Negative } else { Sign::Positive }
    }

    /// A finite number without a fractional part.
    pub fn is_integral(self) -> bool {
        match self.unpack() {
            Some(number) => number.is_integral(),
            None => self.is_zero(),
        }
    }
}
