//! How addresses are made up: every object has a space of its own, so that an address identifies object and offset.
//!
//! Where pointers have eight bytes, a space has 4 GiB. Where they have four, it has 256 KiB in the upper half of what an
//! address can be, far from the small numbers that programs compute with.

use glassbox_ir::PointerSize;

/// The spaces of objects.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spaces {
    /// Bits of an address that are within an object's space.
    offset_bits: u32,
    /// Where the space of object 0 begins.
    first: u64,
    /// The address of offset 0 within an object's space. A gap below keeps small negative offsets inside the object's
    /// own space.
    bias: u64,
    /// A quarter of a space.
    unit: u64,
    pub(crate) pointers: PointerSize,
}

impl Spaces {
    /// All addresses are `shift` bytes behind where they usually are.
    pub(crate) fn new(pointers: PointerSize, shift: u16) -> Spaces {
        let (offset_bits, first) = match pointers {
            PointerSize::Four => (18, 0x8000_0000),
            PointerSize::Eight => (32, 0),
        };
        let unit = 1 << (offset_bits - 2);
        Spaces { offset_bits, first, bias: unit + u64::from(shift), unit, pointers }
    }

    /// The largest object that can be made.
    pub(crate) fn max_object_size(self) -> u64 {
        self.unit
    }

    /// How many objects there can be.
    pub(crate) fn max_objects(self) -> usize {
        match self.pointers {
            PointerSize::Four => 1 << 13,
            PointerSize::Eight => u32::MAX as usize,
        }
    }

    #[inline]
    pub(crate) fn address(self, index: u64, offset: u64) -> u64 {
        let start = self.first + (index << self.offset_bits);
        start.wrapping_add(self.bias).wrapping_add(offset)
    }

    /// The index of the object whose space an address is in, and the offset in that object as a number that wraps around
    /// below zero. Index 0 is no object's.
    #[inline]
    pub(crate) fn split(self, address: u64) -> (usize, u64) {
        let inner = address.wrapping_sub(self.first);
        let index = inner >> self.offset_bits;
        let offset = (inner & ((1 << self.offset_bits) - 1)).wrapping_sub(self.bias);
        (index as usize, offset)
    }

    #[inline]
    pub(crate) fn is_same_space(self, a: u64, b: u64) -> bool {
        (a.wrapping_sub(self.first) ^ b.wrapping_sub(self.first)) >> self.offset_bits == 0
    }

    /// Where pointers are put that leave their object's space: below or above everything in it, and far enough from
    /// both ends that members of such an element are outside, too.
    pub(crate) fn outside(self, address: u64, is_below: bool) -> u64 {
        let (index, _) = self.split(address);
        let start = self.first + ((index as u64) << self.offset_bits);
        start + if is_below { self.unit / 2 } else { 3 * self.unit }
    }
}
