//! Types of SSA values.

use glassbox_values::Format;

/// What one SSA value holds. Aggregates live in memory only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ty {
    /// A machine integer of 1..=128 bits; truth values are `Int(1)`.
    Int(u8),
    Float(Format),
    /// A pointer: an object and a byte offset, or null. References are such.
    Ptr,
}

impl Ty {
    pub const BOOL: Ty = Ty::Int(1);
    pub const I8: Ty = Ty::Int(8);
    pub const I16: Ty = Ty::Int(16);
    pub const I32: Ty = Ty::Int(32);
    pub const I64: Ty = Ty::Int(64);
    pub const F32: Ty = Ty::Float(Format::F32);
    pub const F64: Ty = Ty::Float(Format::F64);

    /// Bytes in memory.
    pub fn size(self, pointers: PointerSize) -> u64 {
        match self {
            Ty::Int(width) => u64::from(width).div_ceil(8).next_power_of_two(),
            Ty::Float(format) => u64::from(format.width()) / 8,
            Ty::Ptr => pointers.bytes(),
        }
    }
}

/// What pointers take in the memory of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum PointerSize {
    Four,
    #[default]
    Eight,
}

impl PointerSize {
    pub const fn bytes(self) -> u64 {
        match self {
            PointerSize::Four => 4,
            PointerSize::Eight => 8,
        }
    }

    pub const fn bits(self) -> u8 {
        match self {
            PointerSize::Four => 32,
            PointerSize::Eight => 64,
        }
    }

    /// The largest size of an object, as allocators and gcc have it.
    pub const fn max_object_size(self) -> u64 {
        match self {
            PointerSize::Four => i32::MAX.cast_unsigned() as u64,
            PointerSize::Eight => i64::MAX.cast_unsigned(),
        }
    }

    /// The number as an address: what has more bits wraps around.
    pub const fn wrap(self, address: u64) -> u64 {
        match self {
            PointerSize::Four => address & 0xffff_ffff,
            PointerSize::Eight => address,
        }
    }
}

impl std::fmt::Display for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ty::Int(width) => write!(f, "i{width}"),
            Ty::Float(format) => write!(f, "f{}", format.width()),
            Ty::Ptr => write!(f, "ptr"),
        }
    }
}
