//! Where the members of structures and unions lie, as gcc places them for the machines that are known.
//!
//! Sizes and alignments are in bytes; alignments are powers of two. Bit-fields follow gcc's rules, also
//! where the ABI is silent (`packed`, `aligned`, `#pragma pack`, unnamed and zero-width bit-fields).
//! Bits count from the least significant bit of the lowest byte. Knows no type: only sizes.

use crate::{Machine, Signedness};

/// A structure is too large to be addressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the type is too large")
    }
}

impl std::error::Error for TooLarge {}

/// The largest size of an object, as gcc has it.
pub const MAX_SIZE: u64 = i64::MAX.cast_unsigned();

/// The least multiple of `align`, a power of two, that is not below `value`.
#[inline]
pub const fn align_up(value: u64, align: u64) -> Option<u64> {
    assert!(align.is_power_of_two(), "alignments should be powers of two");
    match value.checked_add(align - 1) {
        Some(sum) => Some(sum & !(align - 1)),
        None => None,
    }
}

/// The size of `count` elements of `size` bytes each.
#[inline]
pub fn array_size(size: u64, count: u64) -> Result<u64, TooLarge> {
    size.checked_mul(count).filter(|&total| total <= MAX_SIZE).ok_or(TooLarge)
}

/// What flags of a compiler choose about types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Target {
    /// Says all that no other flag does.
    pub machine: Machine,
    /// Whether plain `char` has negative values.
    pub char: Signedness,
    /// Whether an enumeration takes the smallest integer type that holds its values.
    pub enums_are_short: bool,
    /// The largest alignment of members, where no `#pragma pack` says another.
    pub max_member_align: Option<u64>,
    /// Every structure and union is as with `__attribute__((packed))`.
    pub packs_all: bool,
}

impl Default for Target {
    fn default() -> Target {
        Target::of(Machine::default())
    }
}

impl Target {
    /// What the machine says where no flag does.
    pub const fn of(machine: Machine) -> Target {
        Target {
            machine,
            char: machine.char(),
            enums_are_short: false,
            max_member_align: None,
            packs_all: false,
        }
    }
}

/// Size and alignment of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
}

/// Whether members follow each other or share their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aggregate {
    Struct,
    Union,
}

/// What the attributes and pragmas of a whole structure or union say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct AggregateAttributes {
    /// `__attribute__((packed))` on the type.
    pub packed: bool,
    /// `__attribute__((aligned(n)))` on the type.
    pub align: Option<u64>,
    /// `#pragma pack(n)` in force at the definition.
    pub max_member_align: Option<u64>,
    /// How far a bit-field without bits aligns what follows at most: flags limit that, `#pragma pack` does not.
    pub max_closing_align: Option<u64>,
    /// Bit-fields without a name align the whole, which is up to the machine.
    pub aligns_unnamed_bits: bool,
}

/// A member to be placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Member {
    /// Size and alignment of the declared type; for a bit-field, of its unit's type.
    pub layout: Layout,
    pub bit_field: Option<BitField>,
    /// `__attribute__((packed))` on the member.
    pub packed: bool,
    /// `__attribute__((aligned(n)))` or `_Alignas(n)` on the member.
    pub align: Option<u64>,
}

/// The bit-field part of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitField {
    /// At most the bits of the declared type; 0 only if unnamed.
    pub width: u8,
    pub named: bool,
}

impl Member {
    /// An ordinary member without attributes.
    pub const fn plain(size: u64, align: u64) -> Member {
        Member { layout: Layout { size, align }, bit_field: None, packed: false, align: None }
    }

    /// A named bit-field without attributes.
    pub const fn bits(size: u64, align: u64, width: u8) -> Member {
        let bit_field = Some(BitField { width, named: true });
        Member { layout: Layout { size, align }, bit_field, packed: false, align: None }
    }
}

/// Where a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The byte that holds the first bit.
    pub byte: u64,
    /// The first bit within that byte; 0 for anything but a bit-field.
    pub bit: u8,
}

/// Places members one by one.
#[derive(Debug, Clone)]
pub struct LayoutBuilder {
    aggregate: Aggregate,
    attributes: AggregateAttributes,
    /// The first free bit of a structure; the bits of the largest member of a union.
    n_bits: u64,
    align: u64,
}

impl LayoutBuilder {
    pub fn new(aggregate: Aggregate, attributes: AggregateAttributes) -> LayoutBuilder {
        LayoutBuilder { aggregate, attributes, n_bits: 0, align: 1 }
    }

    /// Places the next member.
    pub fn push(&mut self, member: &Member) -> Result<Placement, TooLarge> {
        let packed = member.packed || self.attributes.packed;
        self.raise_align(member, packed);
        let start = match self.aggregate {
            Aggregate::Struct => self.start_of(member, packed)?,
            Aggregate::Union => 0,
        };
        let n_bits = match member.bit_field {
            Some(bit_field) => u64::from(bit_field.width),
            None => bits_of(member.layout.size)?,
        };
        let end = start.checked_add(n_bits).ok_or(TooLarge)?;
        self.n_bits = self.n_bits.max(end);
        Ok(Placement { byte: start / 8, bit: (start % 8) as u8 })
    }

    /// The size, padded to the alignment, and the alignment.
    pub fn finish(self) -> Result<Layout, TooLarge> {
        let align = self.align.max(self.attributes.align.unwrap_or(1));
        let size = align_up(self.n_bits.div_ceil(8), align).ok_or(TooLarge)?;
        if size > MAX_SIZE { Err(TooLarge) } else { Ok(Layout { size, align }) }
    }

    /// The alignment that the member's first bit gets, in bits.
    fn member_align_bits(&self, member: &Member, packed: bool) -> Result<u64, TooLarge> {
        let explicit = member.align.unwrap_or(1);
        let natural = match member.bit_field {
            // A zero-width bit-field closes the unit, packed or not; `#pragma pack` does not weaken it.
            Some(BitField { width: 0, .. }) => {
                let align = explicit.max(member.layout.align);
                return bits_of(align.min(self.attributes.max_closing_align.unwrap_or(align)));
            }
            // Bit-fields have no alignment but the explicit one; straddling is checked separately.
            Some(_) if member.align.is_none() => return Ok(1),
            Some(_) => explicit,
            None if packed => explicit,
            None => explicit.max(member.layout.align),
        };
        bits_of(self.limited(natural))
    }

    /// The first bit of a member of a structure.
    fn start_of(&self, member: &Member, packed: bool) -> Result<u64, TooLarge> {
        let align_bits = self.member_align_bits(member, packed)?;
        let start = align_up(self.n_bits, align_bits).ok_or(TooLarge)?;
        let Some(BitField { width, .. }) = member.bit_field else {
            return Ok(start);
        };
        if width == 0 || packed || self.attributes.max_member_align.is_some() {
            return Ok(start);
        }
        // gcc treats a bit-field that finds itself on a byte, short, int or long boundary and is as wide
        // as that as an ordinary member. It shows only with types aligned beyond their size.
        if matches!(width, 8 | 16 | 32 | 64) && self.n_bits.is_multiple_of(u64::from(width)) {
            return Ok(start);
        }
        // It may not span more aligned units of its type than the type itself does.
        let unit = bits_of(member.layout.align)?;
        let spanned = (start % unit + u64::from(width)).div_ceil(unit);
        if spanned <= bits_of(member.layout.size)? / unit {
            return Ok(start);
        }
        // gcc aligns within blocks of 16 bytes, or of the whole's explicit alignment if larger. It shows
        // only with units aligned beyond that.
        let block = bits_of(self.attributes.align.unwrap_or(1).max(16))?;
        let base = start - start % block;
        align_up(start - base, unit).and_then(|rest| base.checked_add(rest)).ok_or(TooLarge)
    }

    /// Raises the alignment of the whole to what the member asks for.
    fn raise_align(&mut self, member: &Member, packed: bool) {
        let explicit = member.align.unwrap_or(1);
        // Under `#pragma pack`, gcc overlooks `packed` when a bit-field aligns the whole.
        let overlooked = self.attributes.max_member_align.is_some();
        let natural = member.layout.align;
        let wanted = match member.bit_field {
            Some(BitField { named: false, .. }) if !self.attributes.aligns_unnamed_bits => 1,
            // Nothing weakens what closes a unit.
            Some(BitField { width: 0, .. }) => {
                self.align = self.align.max(natural);
                1
            }
            Some(_) if packed && !overlooked => explicit,
            Some(_) => explicit.max(natural),
            None if packed => explicit,
            None => explicit.max(natural),
        };
        let wanted = self.limited(wanted);
        self.align = self.align.max(wanted);
    }

    /// `align`, held at the limit of `#pragma pack`.
    fn limited(&self, align: u64) -> u64 {
        align.min(self.attributes.max_member_align.unwrap_or(align))
    }
}

fn bits_of(bytes: u64) -> Result<u64, TooLarge> {
    bytes.checked_mul(8).ok_or(TooLarge)
}
