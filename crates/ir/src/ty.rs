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

    /// Bytes in memory, as C on x86-64 stores it.
    pub fn size(self) -> u64 {
        match self {
            Ty::Int(width) => u64::from(width).div_ceil(8).next_power_of_two(),
            Ty::Float(format) => u64::from(format.width()) / 8,
            Ty::Ptr => 8,
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
