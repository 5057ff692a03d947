//! Leaves of source types: which scalar lies at which offset.

use std::collections::BTreeMap;
use std::ops::Range;

use glassbox_ir::{Number, Program, RecordField, RecordKind, Shape, SourceType, SourceTypeId};
use glassbox_memory::layout::{Kind, Steps, any_part, spot_along};
use glassbox_terms::Notation;
use glassbox_testcase::image::size_of;
use glassbox_values::Format;

use crate::memory::table::end_of;
use crate::notation::notation;

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
    Int(Notation),
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
pub type ActiveMembers = BTreeMap<(i64, SourceTypeId), Option<usize>>;

/// The scalar that covers byte `offset` of an element of type `ty` that lies at offset `base` of its
/// object; raw bytes where there is none.
pub fn leaf_at(
    program: &Program,
    ty: SourceTypeId,
    offset: u64,
    base: i64,
    active: &ActiveMembers,
) -> Leaf {
    let mut naming = Naming { path: String::new(), base, active };
    let spot = spot_along(program, ty, offset, &mut naming);
    let mut path = naming.path;
    let scalar = match spot.kind {
        Kind::Scalar(scalar) => scalar_kind(program, scalar),
        Kind::Union | Kind::BitField | Kind::Padding | Kind::Unknown => None,
    };
    match scalar {
        Some(kind) => {
            let size = match kind {
                LeafKind::Bool => 1,
                LeafKind::Pointer(_) => program.pointers.bytes(),
                LeafKind::Int(_) | LeafKind::Float(_) | LeafKind::Raw => spot.size,
            };
            Leaf { offset: spot.start, size, kind, path }
        }
        None => {
            if spot.inner > 0 || path.is_empty() {
                path.push_str(&format!(".byte{}", spot.inner));
            }
            Leaf { offset, size: 1, kind: LeafKind::Raw, path }
        }
    }
}

/// What a scalar holds.
fn scalar_kind(program: &Program, ty: SourceTypeId) -> Option<LeafKind> {
    match program.shape(ty) {
        Shape::Number(Number::Bool) => Some(LeafKind::Bool),
        Shape::Number(Number::Int { .. }) => Some(LeafKind::Int(notation(program, ty))),
        Shape::Number(Number::Float(format)) => Some(LeafKind::Float(format)),
        Shape::Pointer { target, .. } => Some(LeafKind::Pointer(target)),
        // What it refers to is known by its own type.
        Shape::Reference => Some(LeafKind::Pointer(ty)),
        Shape::Void
        | Shape::Array { .. }
        | Shape::Record { .. }
        | Shape::Function
        | Shape::Opaque { .. } => None,
    }
}

/// Builds the name of a leaf on the way to it.
struct Naming<'a> {
    path: String,
    base: i64,
    active: &'a ActiveMembers,
}

impl Steps for Naming<'_> {
    fn element(&mut self, index: u64) {
        self.path.push_str(&format!("[{index}]"));
    }

    fn field(&mut self, field: &RecordField) {
        if let Some(name) = &field.name {
            self.path.push_str(&format!(".{name}"));
        }
    }

    fn member_in_use(&mut self, union: SourceTypeId, offset: u64) -> Option<usize> {
        self.active.get(&(end_of(self.base, offset), union)).copied().flatten()
    }
}

/// A union of which some members have pointers, so that its bytes alone do not say what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndecidedUnion {
    /// In the object.
    pub offset: i64,
    pub ty: SourceTypeId,
    pub size: u64,
    /// Positions of the members with pointers.
    pub members: Vec<usize>,
}

/// The first undecided union that touches `range` of an object with elements of type `ty`, one of which begins at
/// `origin`.
pub fn undecided_union(
    program: &Program,
    ty: SourceTypeId,
    origin: i64,
    range: &Range<i64>,
    active: &ActiveMembers,
) -> Option<UndecidedUnion> {
    if !has_pointer_union(program, ty) {
        return None;
    }
    let size = size_of(program, ty).max(1).cast_signed();
    let index = |at: i64| at.saturating_sub(origin).div_euclid(size);
    let elements = index(range.start)..=index(range.end.saturating_sub(1));
    let mut elements = elements.into_iter();
    elements.find_map(|index| find_union(program, ty, origin + index * size, range, active))
}

fn find_union(
    program: &Program,
    ty: SourceTypeId,
    base: i64,
    range: &Range<i64>,
    active: &ActiveMembers,
) -> Option<UndecidedUnion> {
    let size = size_of(program, ty);
    if base >= range.end || end_of(base, size) <= range.start || !has_pointer_union(program, ty) {
        return None;
    }
    let ty = program.resolve_source_type(ty);
    let find =
        |part: SourceTypeId, at: u64| find_union(program, part, end_of(base, at), range, active);
    if let SourceType::Array { element, .. } = program.source_type(ty) {
        let unit = size_of(program, *element).max(1);
        return (0..size / unit).find_map(|index| find(*element, index * unit));
    }
    let SourceType::Record { kind, fields: Some(fields), .. } = program.source_type(ty) else {
        return None;
    };
    if *kind == RecordKind::Struct {
        return fields.iter().find_map(|field| find(field.ty, field.offset));
    }
    match active.get(&(base, ty)) {
        None => {
            let has_pointer = |&member: &usize| has_pointer(program, fields[member].ty);
            let members = (0..fields.len()).filter(has_pointer).collect();
            Some(UndecidedUnion { offset: base, ty, size, members })
        }
        Some(None) => None,
        Some(Some(member)) => find(fields.get(*member)?.ty, 0),
    }
}

fn has_pointer(program: &Program, ty: SourceTypeId) -> bool {
    any_part(program, ty, &|part| matches!(program.source_type(part), SourceType::Pointer { .. }))
}

fn has_pointer_union(program: &Program, ty: SourceTypeId) -> bool {
    any_part(program, ty, &|part| {
        matches!(
            program.source_type(part),
            SourceType::Record { kind: RecordKind::Union, fields: Some(fields), .. }
                if fields.iter().any(|field| has_pointer(program, field.ty))
        )
    })
}
