//! Source types: C's types as inputs, tests and reports use them.

use glassbox_ir as ir;
use glassbox_ir::source_type::BitRange;
use glassbox_ir::{EnumConstant, RecordField, SourceType, SourceTypeId};

use super::ProgramLowering;
use crate::names::Name;
use crate::span::Span;
use crate::ty::kind::{ArrayLength, FloatKind, IntKind, TypeId, TypeKind};
use crate::ty::record::{EnumId, RecordId, RecordKind};
use crate::ty::table::TypeTable;

impl ProgramLowering<'_> {
    /// The source type of a C type; qualifiers do not matter.
    pub(super) fn source_type(&mut self, ty: TypeId) -> SourceTypeId {
        if let Some(&id) = self.source_types.get(&ty) {
            return id;
        }
        let tree = self.tree;
        let types = &tree.types;
        let id = match types.kind(ty) {
            TypeKind::Void | TypeKind::Error => self.out.intern_source_type(SourceType::Void),
            TypeKind::Int(kind) => self.out.intern_source_type(int_type(*kind)),
            TypeKind::Float(kind) => self.out.intern_source_type(float_type(types, *kind)),
            TypeKind::Complex(kind) => {
                let name = format!("{} _Complex", kind.text());
                let (size, align) = (2 * types.float_size(*kind), types.align_of(ty));
                self.out.intern_source_type(SourceType::Opaque { name, size, align })
            }
            TypeKind::Vector { bytes, .. } => {
                let (name, size, align) = ("vector".to_owned(), *bytes, *bytes);
                self.out.intern_source_type(SourceType::Opaque { name, size, align })
            }
            TypeKind::Enum(id) => self.enum_type(*id),
            TypeKind::Record(id) => self.record_type(*id),
            TypeKind::Pointer(target) => {
                let is_const = types.qualifiers(*target).is_const;
                let target = self.source_type(*target);
                self.out.intern_source_type(SourceType::Pointer { target, is_const })
            }
            TypeKind::Array { element, length } => {
                let length = match length {
                    ArrayLength::Fixed(length) => Some(*length),
                    ArrayLength::Unknown | ArrayLength::Variable(_) | ArrayLength::Star => None,
                };
                let element = self.source_type(*element);
                self.out.intern_source_type(SourceType::Array { element, length })
            }
            TypeKind::Function(function) => {
                let result = self.source_type(function.result);
                let params = function.parameters.iter().map(|&ty| self.source_type(ty)).collect();
                let is_variadic = function.is_variadic;
                self.out.intern_source_type(SourceType::Function { result, params, is_variadic })
            }
        };
        self.source_types.insert(ty, id);
        id
    }

    /// The source type of something declared at `span`, with the name that its declaration uses for a
    /// number.
    pub(super) fn declared_source_type(&mut self, ty: TypeId, span: Span) -> SourceTypeId {
        match self.tree.spellings.get(&span) {
            Some(&name) => self.spelled_type(ty, name),
            None => self.source_type(ty),
        }
    }

    fn spelled_type(&mut self, ty: TypeId, name: Name) -> SourceTypeId {
        let types = &self.tree.types;
        match types.kind(ty) {
            TypeKind::Int(_) | TypeKind::Float(_) => {
                let target = self.source_type(ty);
                self.named_by_typedef(target, Some(name))
            }
            TypeKind::Pointer(target) => {
                let is_const = types.qualifiers(*target).is_const;
                let target = self.spelled_type(*target, name);
                self.out.intern_source_type(SourceType::Pointer { target, is_const })
            }
            TypeKind::Array { element, length: ArrayLength::Fixed(length) } => {
                let length = Some(*length);
                let element = self.spelled_type(*element, name);
                self.out.intern_source_type(SourceType::Array { element, length })
            }
            TypeKind::Void
            | TypeKind::Error
            | TypeKind::Complex(_)
            | TypeKind::Vector { .. }
            | TypeKind::Enum(_)
            | TypeKind::Record(_)
            | TypeKind::Array { .. }
            | TypeKind::Function(_) => self.source_type(ty),
        }
    }

    fn enum_type(&mut self, id: EnumId) -> SourceTypeId {
        if let Some(&known) = self.enums.get(&id) {
            return known;
        }
        let enumeration = self.tree.types.enumeration(id);
        let kind = enumeration.underlying.unwrap_or(IntKind::UnsignedInt);
        let value = |bits: glassbox_values::Bits| {
            if kind.is_signed() { bits.signed() } else { bits.unsigned().cast_signed() }
        };
        let constants = enumeration
            .constants
            .iter()
            .map(|constant| EnumConstant {
                name: self.tree.name(constant.name).to_owned(),
                value: value(constant.value.resize(kind.width(), kind.signedness())),
            })
            .collect();
        let source_type = self.out.intern_source_type(SourceType::Enum {
            name: enumeration.tag.map(|tag| self.tree.name(tag).to_owned()),
            width: kind.width(),
            signedness: kind.signedness(),
            constants,
        });
        let source_type = self.named_by_typedef(source_type, enumeration.typedef_name);
        self.enums.insert(id, source_type);
        source_type
    }

    /// A type without a tag is known by its first typedef.
    fn named_by_typedef(&mut self, target: SourceTypeId, name: Option<Name>) -> SourceTypeId {
        match name {
            Some(name) => {
                let name = self.tree.name(name).to_owned();
                self.out.intern_source_type(SourceType::Named { name, target })
            }
            None => target,
        }
    }

    /// A record may mention itself through pointers, so its id exists before its fields do.
    fn record_type(&mut self, id: RecordId) -> SourceTypeId {
        if let Some(&known) = self.records.get(&id) {
            return known;
        }
        let tree = self.tree;
        let record = tree.types.record(id);
        let kind = match record.kind {
            RecordKind::Struct => ir::RecordKind::Struct,
            RecordKind::Union => ir::RecordKind::Union,
        };
        let name = record.tag.map(|tag| tree.name(tag).to_owned());
        let (size, align) = record.body.as_ref().map_or((0, 1), |body| (body.size, body.align));
        let shell = SourceType::Record { kind, name: name.clone(), size, align, fields: None };
        let source_type = self.out.reserve_source_type(shell);
        let known_as = self.named_by_typedef(source_type, record.typedef_name);
        self.records.insert(id, known_as);
        let Some(body) = &record.body else { return known_as };
        let mut fields = Vec::new();
        for field in &body.fields {
            let is_padding = field.name.is_none() && field.bits.is_some();
            if is_padding {
                continue;
            }
            let bits = field.bits.map(|bits| BitRange {
                start: u8::try_from(bits.bit_offset % 8).unwrap_or(0),
                width: bits.width,
            });
            fields.push(RecordField {
                name: field.name.map(|name| tree.name(name).to_owned()),
                ty: self.declared_source_type(field.ty, field.span),
                offset: field.bits.map_or(field.offset, |bits| bits.bit_offset / 8),
                bits,
                is_const: tree.types.qualifiers(field.ty).is_const,
            });
        }
        let fields = Some(fields);
        self.out.define_source_type(
            source_type,
            SourceType::Record { kind, name, size, align, fields },
        );
        known_as
    }
}

fn int_type(kind: IntKind) -> SourceType {
    if kind == IntKind::Bool {
        return SourceType::Bool;
    }
    SourceType::Int {
        name: kind.text().to_owned(),
        width: kind.width(),
        signedness: kind.signedness(),
        // The others are small numbers: `uint8_t` is one of them.
        is_char: kind == IntKind::Char,
    }
}

fn float_type(types: &TypeTable, kind: FloatKind) -> SourceType {
    let name = kind.text().to_owned();
    match kind.format() {
        Some(format) => SourceType::Float { name, format },
        None => {
            let size = types.float_size(kind);
            SourceType::Opaque { name, size, align: types.machine().number_align(size) }
        }
    }
}
