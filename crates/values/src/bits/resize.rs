//! Widening, narrowing, cutting and joining.

use super::{Bits, MAX_WIDTH, Signedness};

impl Bits {
    /// Widens to `width` with zeros above.
    #[inline]
    #[track_caller]
    pub const fn zero_extend(self, width: u8) -> Bits {
        assert!(self.width <= width && width <= MAX_WIDTH, "extension should widen to at most 128");
        Bits { value: self.value, width }
    }

    /// Widens to `width` with copies of the sign bit above.
    #[inline]
    #[track_caller]
    pub const fn sign_extend(self, width: u8) -> Bits {
        assert!(self.width <= width && width <= MAX_WIDTH, "extension should widen to at most 128");
        if width <= 64 {
            Bits::narrow(self.signed_word().cast_unsigned(), width)
        } else {
            Bits::from_signed(self.signed(), width)
        }
    }

    /// The low `width` bits.
    #[inline]
    #[track_caller]
    pub const fn truncate(self, width: u8) -> Bits {
        assert!(width <= self.width, "truncation should narrow");
        Bits::new(self.value, width)
    }

    /// An integer conversion: widens by this value's signedness or keeps the low bits.
    #[inline]
    pub const fn resize(self, width: u8, signedness: Signedness) -> Bits {
        if width <= self.width {
            self.truncate(width)
        } else {
            match signedness {
                Signedness::Signed => self.sign_extend(width),
                Signedness::Unsigned => self.zero_extend(width),
            }
        }
    }

    /// `self` as the high part, `low` as the low part; the widths add up to at most 128.
    #[inline]
    #[track_caller]
    pub const fn concat(self, low: Bits) -> Bits {
        assert!(self.width <= MAX_WIDTH - low.width, "concatenation should have at most 128 bits");
        Bits { value: self.value << low.width | low.value, width: self.width + low.width }
    }

    /// Bits `hi` down to `lo` inclusive.
    #[inline]
    #[track_caller]
    pub const fn extract(self, hi: u8, lo: u8) -> Bits {
        assert!(lo <= hi && hi < self.width, "extraction should be within the width");
        Bits::new(self.value >> lo, hi - lo + 1)
    }

    /// The bits from `lo` on replaced by `part`.
    #[inline]
    #[track_caller]
    pub const fn insert(self, lo: u8, part: Bits) -> Bits {
        assert!(
            lo <= self.width && part.width <= self.width - lo,
            "part should lie within the width"
        );
        let hole = super::mask(part.width) << lo;
        Bits { value: self.value & !hole | part.value << lo, width: self.width }
    }
}
