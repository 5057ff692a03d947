//! Bit-vectors of 1 to 128 bits: machine integers without a sign of their own.

/// How an operation reads the top bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Signedness {
    Signed,
    Unsigned,
}

/// The widest bit-vector that exists here.
pub const MAX_WIDTH: u8 = 128;

/// A machine integer: `width` bits, two's complement where an operation says "signed".
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
    pub fn new(value: u128, width: u8) -> Bits {
        assert!(1 <= width && width <= MAX_WIDTH, "width should be in 1..=128, is {width}");
        Bits { value: value & mask(width), width }
    }

    /// The low `width` bits of a signed number.
    pub fn from_signed(value: i128, width: u8) -> Bits {
        Bits::new(value.cast_unsigned(), width)
    }

    pub fn from_bool(value: bool) -> Bits {
        Bits { value: u128::from(value), width: 1 }
    }

    pub fn zero(width: u8) -> Bits {
        Bits::new(0, width)
    }

    pub fn one(width: u8) -> Bits {
        Bits::new(1, width)
    }

    /// All bits set: the largest unsigned number, -1 when read as signed.
    pub fn ones(width: u8) -> Bits {
        Bits::new(u128::MAX, width)
    }

    pub fn min_signed(width: u8) -> Bits {
        Bits::new(1 << (width - 1), width)
    }

    pub fn max_signed(width: u8) -> Bits {
        Bits::new(mask(width) >> 1, width)
    }

    pub fn width(self) -> u8 {
        self.width
    }

    /// The value read as an unsigned number.
    pub fn unsigned(self) -> u128 {
        self.value
    }

    /// The value read in two's complement.
    pub fn signed(self) -> i128 {
        let unused = u32::from(MAX_WIDTH - self.width);
        (self.value << unused).cast_signed() >> unused
    }

    pub fn is_zero(self) -> bool {
        self.value == 0
    }

    /// True for a one-bit 1; meant for truth values.
    pub fn is_true(self) -> bool {
        self.value != 0
    }

    pub fn sign_bit(self) -> bool {
        self.value >> (self.width - 1) == 1
    }
}

/// The `width` low bits set.
pub fn mask(width: u8) -> u128 {
    u128::MAX >> (MAX_WIDTH - width)
}
