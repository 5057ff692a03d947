//! Leaves of source types: which scalar lies at which offset.

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

/// The scalar that covers byte `offset` of an object of type `ty`; raw bytes where there is none.
pub fn leaf_at(program: &Program, ty: SourceTypeId, offset: u64) -> Leaf {
    let mut leaf = Leaf { offset: 0, size: 1, kind: LeafKind::Raw, path: String::new() };
    descend(program, ty, offset, &mut leaf);
    leaf
}

fn raw(offset: u64, leaf: &mut Leaf) {
    leaf.offset += offset;
    leaf.size = 1;
    leaf.kind = LeafKind::Raw;
    if offset > 0 || leaf.path.is_empty() {
        leaf.path.push_str(&format!(".byte{offset}"));
    }
}

fn descend(program: &Program, ty: SourceTypeId, offset: u64, leaf: &mut Leaf) {
    match program.source_type(ty) {
        SourceType::Named { target, .. } => descend(program, *target, offset, leaf),
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
        SourceType::Array { element, .. } => {
            let size = size_of(program, *element).max(1);
            let index = offset / size;
            leaf.offset += index * size;
            leaf.path.push_str(&format!("[{index}]"));
            descend(program, *element, offset % size, leaf);
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
                    descend(program, field.ty, offset - field.offset, leaf);
                }
                None => raw(offset, leaf),
            }
        }
        SourceType::Void
        | SourceType::Record { .. }
        | SourceType::Function { .. }
        | SourceType::Class(_)
        | SourceType::ClassArray { .. }
        | SourceType::Opaque { .. } => raw(offset, leaf),
    }
}
