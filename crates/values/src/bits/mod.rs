//! Bit-vectors of 1 to 128 bits: machine integers without a sign of their own.
//!
//! Binary operations need operands of one width and give that width, unless they say otherwise.
//! Where a meaning depends on the sign, the name says which (`udiv`/`sdiv`) or a [`Signedness`] is
//! passed. Operations that languages leave undefined are total here with SMT-LIB's meaning; the
//! `checked_` twin marks what C leaves undefined, and the `jvm_` twin follows the JVM.
//!
//! Every operation takes a 64-bit path when the width allows it.

mod arith;
mod bitwise;
mod compare;
mod convert;
mod count;
mod divide;
mod overflow;
mod resize;
mod shift;
mod text;

pub use text::ParseBitsError;

/// How an operation reads the top bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Signedness {
    Signed,
    Unsigned,
}

/// The widest bit-vector that exists here.
pub const MAX_WIDTH: u8 = 128;

/// A machine integer: `width` bits, two's complement where an operation says "signed".
///
/// The derived order is unsigned value first, then width; it is for sorted containers. Programs'
/// comparisons are `ult`, `slt` and their kin.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits {
    // Invariant: bits at and above `width` are zero.
    value: u128,
    // Invariant: 1 <= width && width <= MAX_WIDTH.
    width: u8,
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:i{}", self.value, self.width)
    }
}

impl Bits {
    /// The low `width` bits of `value`.
    #[inline]
    pub const fn new(value: u128, width: u8) -> Bits {
        assert!(1 <= width && width <= MAX_WIDTH, "width should be in 1..=128");
        Bits { value: value & mask(width), width }
    }

    /// The low `width` bits of a signed number.
    #[inline]
    pub const fn from_signed(value: i128, width: u8) -> Bits {
        Bits::new(value.cast_unsigned(), width)
    }

    /// The low `width` bits of a 64-bit word; the fast way in for `width <= 64`.
    #[inline]
    pub const fn from_u64(value: u64, width: u8) -> Bits {
        assert!(1 <= width && width <= MAX_WIDTH, "width should be in 1..=128");
        if width <= 64 { Bits::narrow(value, width) } else { Bits { value: value as u128, width } }
    }

    /// The low `width` bits of a signed 64-bit word, sign-extended beyond 64 bits.
    #[inline]
    pub const fn from_i64(value: i64, width: u8) -> Bits {
        assert!(1 <= width && width <= MAX_WIDTH, "width should be in 1..=128");
        if width <= 64 {
            Bits::narrow(value.cast_unsigned(), width)
        } else {
            Bits::from_signed(value as i128, width)
        }
    }

    #[inline]
    pub const fn from_bool(value: bool) -> Bits {
        Bits { value: value as u128, width: 1 }
    }

    #[inline]
    pub const fn zero(width: u8) -> Bits {
        Bits::new(0, width)
    }

    #[inline]
    pub const fn one(width: u8) -> Bits {
        Bits::new(1, width)
    }

    /// All bits set: the largest unsigned number, -1 when read as signed.
    #[inline]
    pub const fn ones(width: u8) -> Bits {
        Bits::new(u128::MAX, width)
    }

    #[inline]
    pub const fn min_signed(width: u8) -> Bits {
        Bits::new(1 << (width - 1), width)
    }

    #[inline]
    pub const fn max_signed(width: u8) -> Bits {
        Bits::new(mask(width) >> 1, width)
    }

    /// The smallest number of `width` bits.
    #[inline]
    pub const fn min_value(signedness: Signedness, width: u8) -> Bits {
        match signedness {
            Signedness::Signed => Bits::min_signed(width),
            Signedness::Unsigned => Bits::zero(width),
        }
    }

    /// The largest number of `width` bits.
    #[inline]
    pub const fn max_value(signedness: Signedness, width: u8) -> Bits {
        match signedness {
            Signedness::Signed => Bits::max_signed(width),
            Signedness::Unsigned => Bits::ones(width),
        }
    }

    #[inline]
    pub const fn width(self) -> u8 {
        self.width
    }

    /// The value read as an unsigned number.
    #[inline]
    pub const fn unsigned(self) -> u128 {
        self.value
    }

    /// The value read in two's complement.
    #[inline]
    pub const fn signed(self) -> i128 {
        if self.width <= 64 {
            self.signed_word() as i128
        } else {
            let unused = (MAX_WIDTH - self.width) as u32;
            (self.value << unused).cast_signed() >> unused
        }
    }

    #[inline]
    pub const fn is_zero(self) -> bool {
        self.value == 0
    }

    /// True for a one-bit 1; meant for truth values.
    #[inline]
    pub const fn is_true(self) -> bool {
        self.value != 0
    }

    /// True for the value with all bits set.
    #[inline]
    pub const fn is_ones(self) -> bool {
        self.value == mask(self.width)
    }

    /// True for the smallest signed number.
    #[inline]
    pub const fn is_min_signed(self) -> bool {
        self.value == 1 << (self.width - 1)
    }

    #[inline]
    pub const fn sign_bit(self) -> bool {
        self.bit(self.width - 1)
    }

    /// Bit number `index`, the lowest being 0.
    #[inline]
    pub const fn bit(self, index: u8) -> bool {
        assert!(index < self.width, "bit index should be below the width");
        self.value >> index & 1 == 1
    }

    /// `value` cut to a width of at most 64.
    #[inline]
    const fn narrow(value: u64, width: u8) -> Bits {
        Bits { value: (value & (u64::MAX >> (64 - width))) as u128, width }
    }

    /// The low 64 bits.
    #[inline]
    const fn word(self) -> u64 {
        self.value as u64
    }

    /// The signed value of a width of at most 64.
    #[inline]
    const fn signed_word(self) -> i64 {
        let unused = (64 - self.width) as u32;
        (self.word() << unused).cast_signed() >> unused
    }

    /// The common width of two operands.
    #[inline]
    #[track_caller]
    const fn same_width(self, other: Bits) -> u8 {
        assert!(self.width == other.width, "operands should have one width");
        self.width
    }
}

/// The `width` low bits set.
#[inline]
pub const fn mask(width: u8) -> u128 {
    u128::MAX >> (MAX_WIDTH - width)
}
