//! Structs, unions and enums: their members and layout.

use super::kind::{IntKind, TypeId};
use crate::names::Name;
use crate::span::Span;
use glassbox_values::Bits;

/// A struct or union, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// An enum, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

/// A struct or union with its layout as gcc on x86-64 computes it.
#[derive(Debug, Clone)]
pub struct Record {
    pub kind: RecordKind,
    pub tag: Option<Name>,
    /// The first typedef of a record without a tag: the only way to spell it.
    pub typedef_name: Option<Name>,
    /// Where it was defined, or first mentioned while incomplete.
    pub span: Span,
    /// `None` while the type is incomplete.
    pub body: Option<RecordBody>,
}

/// What a complete record looks like.
#[derive(Debug, Clone)]
pub struct RecordBody {
    /// All members in order, unnamed bit-fields included (they have no name and are padding).
    pub fields: Vec<Field>,
    /// Bytes, padding included; a flexible array member adds nothing.
    pub size: u64,
    /// Bytes.
    pub align: u64,
    /// The last member is an array of unknown length.
    pub has_flexible_member: bool,
    /// A const member somewhere inside: the record is not assignable.
    pub has_const_member: bool,
}

/// A member of a record.
#[derive(Debug, Clone)]
pub struct Field {
    /// `None` for an anonymous struct/union member and for unnamed bit-fields.
    pub name: Option<Name>,
    pub ty: TypeId,
    /// Byte offset from the start of the record. For a bit-field: the byte with its lowest bit.
    pub offset: u64,
    pub bits: Option<BitField>,
    pub span: Span,
}

impl Field {
    /// An anonymous struct or union whose members are found through it.
    pub fn is_anonymous_record(&self) -> bool {
        self.name.is_none() && self.bits.is_none()
    }
}

/// Where a bit-field's bits are. Bits are numbered little-endian: bit `n` of the record is bit
/// `n % 8` of byte `n / 8`. A field may straddle bytes freely; only the bytes it touches are accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BitField {
    /// Lowest bit, counted from the start of the record.
    pub bit_offset: u64,
    /// Number of bits; 0 only for an unnamed alignment bit-field.
    pub width: u8,
}

/// An enumeration.
#[derive(Debug, Clone)]
pub struct Enum {
    pub tag: Option<Name>,
    /// As for records.
    pub typedef_name: Option<Name>,
    pub span: Span,
    /// The integer type gcc gives it (`unsigned int` unless a member is negative or large); `None`
    /// while incomplete.
    pub underlying: Option<IntKind>,
    pub constants: Vec<EnumConstant>,
}

#[derive(Debug, Clone)]
pub struct EnumConstant {
    pub name: Name,
    pub value: Bits,
    pub span: Span,
}
