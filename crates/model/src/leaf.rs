//! Leaves of source types: which scalar lies at which offset.

use std::collections::BTreeMap;
use std::ops::Range;

use glassbox_ir::{Program, RecordKind, SourceType, SourceTypeId};
use glassbox_testcase::image::size_of;
use glassbox_values::Format;

/// A scalar inside an object of some type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Bytes from the start of the object.
    pub offset: u64,
    pub size: u64,
    pub kind: LeafKind,
    /// How the source would name it, appended to the object's name: `[2].x`.
    pub path: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafKind {
    Int,
    /// 0 or 1 in a byte.
    Bool,
    Float(Format),
    /// To this type.
    Pointer(SourceTypeId),
    /// A byte of a union, of bit-fields, of padding or of an unknown type.
    Raw,
}

/// Which member of a union holds a value, by offset and type of the union (one may begin where the one
/// around it begins); `None` for bytes that no pointer is among.
pub type ActiveMembers = BTreeMap<(u64, SourceTypeId), Option<usize>>;

/// The scalar that covers byte `offset` of an element of type `ty` that lies `base` bytes from the start
/// of its object; raw bytes where there is none.
pub fn leaf_at(
    program: &Program,
    ty: SourceTypeId,
    offset: u64,
    base: u64,
    active: &ActiveMembers,
) -> Leaf {
    let mut leaf = Leaf { offset: 0, size: 1, kind: LeafKind::Raw, path: String::new() };
    let walk = Walk { program, base, active };
    walk.descend(ty, offset, &mut leaf);
    leaf
}

struct Walk<'a> {
    program: &'a Program,
    base: u64,
    active: &'a ActiveMembers,
}

fn raw(offset: u64, leaf: &mut Leaf) {
    leaf.offset += offset;
    leaf.size = 1;
    leaf.kind = LeafKind::Raw;
    if offset > 0 || leaf.path.is_empty() {
        leaf.path.push_str(&format!(".byte{offset}"));
    }
}

impl Walk<'_> {
    fn descend(&self, ty: SourceTypeId, offset: u64, leaf: &mut Leaf) {
        let program = self.program;
        match program.source_type(ty) {
            SourceType::Named { target, .. } => self.descend(*target, offset, leaf),
            SourceType::Bool => (leaf.size, leaf.kind) = (1, LeafKind::Bool),
            SourceType::Int { .. } | SourceType::Enum { .. } => {
                (leaf.size, leaf.kind) = (size_of(program, ty), LeafKind::Int);
            }
            SourceType::Float { format, .. } => {
                (leaf.size, leaf.kind) = (size_of(program, ty), LeafKind::Float(*format));
            }
            SourceType::Pointer { target, .. } => {
                (leaf.size, leaf.kind) = (8, LeafKind::Pointer(*target));
            }
            // A reference: what it refers to is known by its own type.
            SourceType::Class(_) | SourceType::ClassArray { .. } => {
                (leaf.size, leaf.kind) = (8, LeafKind::Pointer(ty));
            }
            SourceType::Array { element, .. } => {
                let size = size_of(program, *element).max(1);
                let index = offset / size;
                leaf.offset += index * size;
                leaf.path.push_str(&format!("[{index}]"));
                self.descend(*element, offset % size, leaf);
            }
            SourceType::Record { kind: RecordKind::Struct, fields: Some(fields), .. } => {
                let found = fields.iter().find(|field| {
                    field.bits.is_none()
                        && field.offset <= offset
                        && offset < field.offset + size_of(program, field.ty)
                });
                match found {
                    Some(field) => {
                        leaf.offset += field.offset;
                        if let Some(name) = &field.name {
                            leaf.path.push_str(&format!(".{name}"));
                        }
                        self.descend(field.ty, offset - field.offset, leaf);
                    }
                    None => raw(offset, leaf),
                }
            }
            SourceType::Record { kind: RecordKind::Union, fields: Some(fields), .. } => {
                let key = (self.base + leaf.offset, program.resolve_source_type(ty));
                let member = self.active.get(&key).copied().flatten();
                match member.and_then(|member| fields.get(member)) {
                    Some(field) if offset < size_of(program, field.ty) => {
                        if let Some(name) = &field.name {
                            leaf.path.push_str(&format!(".{name}"));
                        }
                        self.descend(field.ty, offset, leaf);
                    }
                    _ => raw(offset, leaf),
                }
            }
            SourceType::Void
            | SourceType::Record { .. }
            | SourceType::Function { .. }
            | SourceType::Opaque { .. } => raw(offset, leaf),
        }
    }
}

/// A union of which some members have pointers, so that its bytes alone do not say what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndecidedUnion {
    /// From the start of the object.
    pub offset: u64,
    pub ty: SourceTypeId,
    pub size: u64,
    /// Positions of the members with pointers.
    pub members: Vec<usize>,
}

/// The first undecided union that touches `range` of an object whose elements have type `ty`.
pub fn undecided_union(
    program: &Program,
    ty: SourceTypeId,
    range: &Range<u64>,
    active: &ActiveMembers,
) -> Option<UndecidedUnion> {
    if !has_pointer_union(program, ty) {
        return None;
    }
    let size = size_of(program, ty).max(1);
    let elements = range.start / size..=range.end.saturating_sub(1) / size;
    let mut elements = elements.into_iter();
    elements.find_map(|index| find_union(program, ty, index * size, range, active))
}

fn find_union(
    program: &Program,
    ty: SourceTypeId,
    base: u64,
    range: &Range<u64>,
    active: &ActiveMembers,
) -> Option<UndecidedUnion> {
    let size = size_of(program, ty);
    if base >= range.end || base + size <= range.start || !has_pointer_union(program, ty) {
        return None;
    }
    let ty = program.resolve_source_type(ty);
    match program.source_type(ty) {
        SourceType::Array { element, .. } => {
            let unit = size_of(program, *element).max(1);
            let mut places = (0..size / unit).map(|index| base + index * unit);
            places.find_map(|place| find_union(program, *element, place, range, active))
        }
        SourceType::Record { kind: RecordKind::Struct, fields: Some(fields), .. } => fields
            .iter()
            .find_map(|field| find_union(program, field.ty, base + field.offset, range, active)),
        SourceType::Record { kind: RecordKind::Union, fields: Some(fields), .. } => {
            match active.get(&(base, ty)) {
                None => {
                    let has_pointer = |&member: &usize| has_pointer(program, fields[member].ty);
                    let members = (0..fields.len()).filter(has_pointer).collect();
                    Some(UndecidedUnion { offset: base, ty, size, members })
                }
                Some(None) => None,
                Some(Some(member)) => {
                    find_union(program, fields.get(*member)?.ty, base, range, active)
                }
            }
        }
        _ => None,
    }
}

fn has_pointer(program: &Program, ty: SourceTypeId) -> bool {
    any_part(program, ty, &|part| matches!(part, SourceType::Pointer { .. }))
}

fn has_pointer_union(program: &Program, ty: SourceTypeId) -> bool {
    any_part(program, ty, &|part| match part {
        SourceType::Record { kind: RecordKind::Union, fields: Some(fields), .. } => {
            fields.iter().any(|field| has_pointer(program, field.ty))
        }
        _ => false,
    })
}

/// Whether the type or a part of it, not behind pointers, is such.
fn any_part(program: &Program, ty: SourceTypeId, is_such: &dyn Fn(&SourceType) -> bool) -> bool {
    let part = program.source_type(program.resolve_source_type(ty));
    is_such(part)
        || match part {
            SourceType::Array { element, .. } => any_part(program, *element, is_such),
            SourceType::Record { fields: Some(fields), .. } => {
                fields.iter().any(|field| any_part(program, field.ty, is_such))
            }
            _ => false,
        }
}
