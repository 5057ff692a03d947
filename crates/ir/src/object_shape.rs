//! Objects of a JVM program as records, so that inputs and tests can describe them like other memory.

use glassbox_values::Signedness;

use crate::object_layout::{
    ARRAY_LENGTH, CLASS_NUMBER, CONTENTS, IDENTITY_HASH, TypeKind, TypeLayout,
};
use crate::program::Program;
use crate::source_type::{RecordField, RecordKind, SourceType};
use crate::{SourceTypeId, Ty};

impl Program {
    /// Fills `TypeLayout::shapes`: classes as records of header and fields, arrays of every length up to
    /// `max_length` as records of header and elements.
    pub fn shape_objects(&mut self, max_length: u64) {
        let Some(mut layout) = self.object_layout.take() else { return };
        for ty in layout.types.iter_mut().skip(1) {
            let longest = match &ty.kind {
                TypeKind::Class { .. } => 0,
                TypeKind::Array { .. } => max_length,
            };
            ty.shapes = (0..=longest).map(|length| self.record_of(ty, length)).collect();
        }
        self.object_layout = Some(layout);
    }

    /// An object of the class of this number, or an array with so many elements, as a record.
    pub fn object_shape(&mut self, number: u32, length: u64) -> Option<SourceTypeId> {
        let layout = self.object_layout.take()?;
        let shape = layout.get(number).map(|ty| self.record_of(ty, length));
        self.object_layout = Some(layout);
        shape
    }

    fn record_of(&mut self, ty: &TypeLayout, length: u64) -> SourceTypeId {
        let int = self.intern_source_type(SourceType::Int {
            name: "int".to_owned(),
            width: 32,
            signedness: Signedness::Signed,
            is_char: false,
        });
        let field = |name: &str, ty: SourceTypeId, offset: u64| RecordField {
            name: Some(name.to_owned()),
            ty,
            offset,
            bits: None,
            is_const: false,
        };
        match &ty.kind {
            TypeKind::Class { size, fields, .. } => {
                let mut all = vec![
                    field("class number", int, CLASS_NUMBER),
                    field("identity hash", int, IDENTITY_HASH),
                ];
                all.extend(fields.iter().map(|&(id, offset)| {
                    let declared = self.field(id);
                    field(&declared.name, declared.source_type, offset)
                }));
                self.record(&ty.name, *size, all)
            }
            TypeKind::Array { element, element_ty } => {
                let elements = SourceType::Array { element: *element, length: Some(length) };
                let elements = self.intern_source_type(elements);
                let all = vec![
                    field("class number", int, CLASS_NUMBER),
                    field("length", int, ARRAY_LENGTH),
                    field("elements", elements, CONTENTS),
                ];
                self.record(&ty.name, CONTENTS + Ty::size(*element_ty, self.pointers) * length, all)
            }
        }
    }

    fn record(&mut self, name: &str, size: u64, fields: Vec<RecordField>) -> SourceTypeId {
        self.intern_source_type(SourceType::Record {
            kind: RecordKind::Struct,
            name: Some(name.to_owned()),
            size,
            align: 8,
            fields: Some(fields),
        })
    }
}
