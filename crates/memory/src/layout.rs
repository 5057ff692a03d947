//! What lies where in an object: scalars, and bytes that belong to none.

use glassbox_ir::{Number, Program, RecordField, RecordKind, Shape, SourceTypeId, Ty};

/// What the bytes at some offset of an object are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A scalar of this type, resolved.
    Scalar(SourceTypeId),
    /// A union of which no member is known to be in use.
    Union,
    BitField,
    /// No member lies here.
    Padding,
    /// A type without a known layout.
    Unknown,
}

/// What covers a byte of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    pub kind: Kind,
    /// Where it begins, from the start of the object.
    pub start: u64,
    pub size: u64,
    /// The innermost structure that it is in, and the offset of its member there.
    pub member: Option<(SourceTypeId, u64)>,
    /// The byte that was asked for, from the start of the innermost thing that the steps led to.
    pub inner: u64,
}

/// The steps from an object down to a spot: implementations name spots, or know what unions hold.
pub trait Steps {
    fn element(&mut self, _index: u64) {}

    fn field(&mut self, _field: &RecordField) {}

    /// The position of the member that a union holds; `None` when it is not known.
    fn member_in_use(&mut self, _union: SourceTypeId, _offset: u64) -> Option<usize> {
        None
    }
}

/// Ignores the steps.
struct Unseen;

impl Steps for Unseen {}

/// What covers byte `offset` of an object of type `ty`.
pub fn spot_at(program: &Program, ty: SourceTypeId, offset: u64) -> Spot {
    spot_along(program, ty, offset, &mut Unseen)
}

/// The same, with the steps that lead there.
pub fn spot_along(
    program: &Program,
    ty: SourceTypeId,
    offset: u64,
    steps: &mut impl Steps,
) -> Spot {
    let (mut ty, mut left, mut member) = (ty, offset, None);
    loop {
        ty = program.resolve_source_type(ty);
        let size = program.size_of_source_type(ty);
        let byte = |kind| Spot { kind, start: offset, size: 1, member, inner: left };
        let all = |kind| {
            let start = offset - left;
            Spot { kind, start, size: size.max(1), member, inner: left }
        };
        match program.shape(ty) {
            Shape::Array { element, .. } => {
                let unit = program.size_of_source_type(element).max(1);
                steps.element(left / unit);
                left %= unit;
                ty = element;
            }
            Shape::Record { kind: RecordKind::Struct, fields: Some(fields), .. } => {
                let Some(field) = field_at(program, fields, left) else {
                    let is_bits = fields.iter().any(|field| covers_bits(field, left));
                    return byte(if is_bits { Kind::BitField } else { Kind::Padding });
                };
                steps.field(field);
                member = Some((ty, field.offset));
                left -= field.offset;
                ty = field.ty;
            }
            Shape::Record { kind: RecordKind::Union, fields: Some(fields), .. } => {
                let used = steps.member_in_use(ty, offset - left);
                let field = used.and_then(|position| fields.get(position));
                match field.filter(|field| left < program.size_of_source_type(field.ty)) {
                    Some(field) => {
                        steps.field(field);
                        ty = field.ty;
                    }
                    None => return all(Kind::Union),
                }
            }
            // What references refer to is known by their own type.
            Shape::Number(_) | Shape::Pointer { .. } | Shape::Reference => {
                return all(Kind::Scalar(ty));
            }
            Shape::Void | Shape::Record { .. } | Shape::Function | Shape::Opaque { .. } => {
                return byte(Kind::Unknown);
            }
        }
    }
}

/// The member, not a bit-field, that an offset of a structure lies in.
fn field_at<'f>(
    program: &Program,
    fields: &'f [RecordField],
    offset: u64,
) -> Option<&'f RecordField> {
    fields.iter().find(|field| {
        let size = program.size_of_source_type(field.ty);
        field.bits.is_none() && field.offset <= offset && offset < field.offset.saturating_add(size)
    })
}

fn covers_bits(field: &RecordField, offset: u64) -> bool {
    field.bits.is_some_and(|bits| {
        let n_bytes = (u64::from(bits.start) + u64::from(bits.width)).div_ceil(8);
        field.offset <= offset && offset < field.offset + n_bytes
    })
}

/// How a scalar of this type is loaded and stored; `None` where no instruction does so.
pub fn scalar_type(program: &Program, ty: SourceTypeId) -> Option<Ty> {
    match program.shape(ty) {
        Shape::Number(number) => match number {
            Number::Bool => true,
            Number::Int { width, .. } => matches!(width, 8 | 16 | 32 | 64 | 128),
            Number::Float(format) => matches!(format.width(), 32 | 64),
        }
        .then_some(number.ty()),
        Shape::Pointer { .. } => Some(Ty::Ptr),
        Shape::Void
        | Shape::Array { .. }
        | Shape::Record { .. }
        | Shape::Function
        | Shape::Reference
        | Shape::Opaque { .. } => None,
    }
}

/// A part of memory that an access touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// From the start of the first object.
    pub offset: u64,
    pub size: u64,
    /// As what it is loaded and stored; `None` for bytes that are no scalar.
    pub scalar: Option<Ty>,
}

/// What an access to `length` bytes, `at` bytes behind the start of objects of type `ty` that lie one behind the
/// other, touches: everything but padding, in order. Parts that the access cuts through are there whole. `None`
/// when there are more than `max`, or when it is unknown what lies behind the first object.
pub fn touched(
    program: &Program,
    ty: SourceTypeId,
    at: u64,
    length: u64,
    max: usize,
) -> Option<Vec<Part>> {
    let size = program.size_of_source_type(ty);
    let end = at.checked_add(length)?;
    if size == 0 || end > size && is_open_ended(program, ty) {
        return None;
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut offset = at;
    while offset < end {
        let object = offset / size * size;
        let spot = spot_at(program, ty, offset - object);
        let next = object + spot.start + spot.size;
        let scalar = match spot.kind {
            Kind::Scalar(scalar) => scalar_type(program, scalar),
            Kind::Union | Kind::BitField | Kind::Unknown => None,
            Kind::Padding => {
                offset = next;
                continue;
            }
        };
        parts.push(Part { offset: object + spot.start, size: spot.size, scalar });
        if parts.len() > max {
            return None;
        }
        offset = next;
    }
    Some(parts)
}

/// Whether an access to some bytes of an object, or of several that lie one behind the other, touches what lies between
/// members.
pub fn touches_padding(program: &Program, ty: SourceTypeId, at: u64, length: u64) -> bool {
    let size = program.size_of_source_type(ty);
    let is_padding =
        |byte: u64| size > 0 && spot_at(program, ty, byte % size).kind == Kind::Padding;
    (at..at.saturating_add(length)).any(is_padding)
}

/// The scalars of one object, in order; other bytes are left out. `None` when there are more than `max`.
pub fn scalars(program: &Program, ty: SourceTypeId, max: usize) -> Option<Vec<(u64, Ty)>> {
    let size = program.size_of_source_type(ty);
    let parts = touched(program, ty, 0, size, max)?;
    Some(parts.iter().filter_map(|part| Some((part.offset, part.scalar?))).collect())
}

/// Whether an object may go on behind its size: a structure that ends in an array without a length.
fn is_open_ended(program: &Program, ty: SourceTypeId) -> bool {
    if let Shape::Record { fields: Some(fields), .. } = program.shape(ty) {
        return fields.last().is_some_and(|field| is_open_ended(program, field.ty));
    }
    matches!(program.shape(ty), Shape::Array { length: None | Some(0), .. })
}

/// Types of things that begin at an offset of an object, the largest first; unions are not looked into.
pub fn beginning_at(program: &Program, ty: SourceTypeId, offset: u64) -> Vec<SourceTypeId> {
    let (mut ty, mut left, mut found) = (ty, offset, Vec::new());
    loop {
        ty = program.resolve_source_type(ty);
        if left == 0 {
            found.push(ty);
        }
        match program.shape(ty) {
            Shape::Record { kind: RecordKind::Struct, fields: Some(fields), .. } => {
                let Some(field) = field_at(program, fields, left) else { return found };
                left -= field.offset;
                ty = field.ty;
            }
            Shape::Array { element, .. } => {
                let size = program.size_of_source_type(element);
                let Some(rest) = left.checked_rem(size) else { return found };
                left = rest;
                ty = element;
            }
            Shape::Void
            | Shape::Number(_)
            | Shape::Pointer { .. }
            | Shape::Record { .. }
            | Shape::Function
            | Shape::Reference
            | Shape::Opaque { .. } => return found,
        }
    }
}

/// Whether the type or a part of it, not behind pointers, is such. Parts come resolved.
pub fn any_part(
    program: &Program,
    ty: SourceTypeId,
    is_such: &dyn Fn(SourceTypeId) -> bool,
) -> bool {
    let ty = program.resolve_source_type(ty);
    if is_such(ty) {
        return true;
    }
    match program.shape(ty) {
        Shape::Array { element, .. } => any_part(program, element, is_such),
        Shape::Record { fields: Some(fields), .. } => {
            fields.iter().any(|field| any_part(program, field.ty, is_such))
        }
        Shape::Void
        | Shape::Number(_)
        | Shape::Pointer { .. }
        | Shape::Record { fields: None, .. }
        | Shape::Function
        | Shape::Reference
        | Shape::Opaque { .. } => false,
    }
}
