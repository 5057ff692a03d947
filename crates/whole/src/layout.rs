//! The scalars that a type of the source is made of.

use glassbox_ir::{Program, RecordKind, SourceType, SourceTypeId, Ty};

/// A scalar in an object of some type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leaf {
    pub(super) offset: u64,
    pub(super) ty: Ty,
}

/// The scalars of a type in the order of their offsets; unions, bit-fields and what has no known layout are left
/// out. `None` when there are more than `max`.
pub(super) fn leaves(program: &Program, ty: SourceTypeId, max: usize) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    collect(program, ty, 0, max, &mut found)?;
    found.sort_by_key(|leaf| leaf.offset);
    Some(found)
}

fn collect(
    program: &Program,
    ty: SourceTypeId,
    offset: u64,
    max: usize,
    found: &mut Vec<Leaf>,
) -> Option<()> {
    let ty = program.resolve_source_type(ty);
    let scalar = match program.source_type(ty) {
        SourceType::Array { element, length } => {
            let size = program.size_of_source_type(*element);
            for index in 0..length.unwrap_or(0) {
                let before = found.len();
                collect(program, *element, offset + index * size, max, found)?;
                if found.len() == before {
                    break;
                }
            }
            return Some(());
        }
        SourceType::Record { kind: RecordKind::Struct, fields: Some(fields), .. } => {
            for field in fields {
                if field.bits.is_none() {
                    collect(program, field.ty, offset + field.offset, max, found)?;
                }
            }
            return Some(());
        }
        other => scalar_of(other),
    };
    let Some(ty) = scalar else { return Some(()) };
    found.push(Leaf { offset, ty });
    (found.len() <= max).then_some(())
}

/// The scalar type that a value of a type of the source is stored as.
fn scalar_of(ty: &SourceType) -> Option<Ty> {
    match ty {
        SourceType::Bool => Some(Ty::Int(8)),
        SourceType::Int { width, .. } | SourceType::Enum { width, .. } => {
            matches!(width, 8 | 16 | 32 | 64 | 128).then_some(Ty::Int(*width))
        }
        SourceType::Float { format, .. } => {
            matches!(format.width(), 32 | 64).then_some(Ty::Float(*format))
        }
        SourceType::Pointer { .. } => Some(Ty::Ptr),
        SourceType::Void
        | SourceType::Array { .. }
        | SourceType::Record { .. }
        | SourceType::Function { .. }
        | SourceType::Named { .. }
        | SourceType::Class(_)
        | SourceType::ClassArray { .. }
        | SourceType::Opaque { .. } => None,
    }
}
