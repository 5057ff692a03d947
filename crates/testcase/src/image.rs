//! Values as bytes: between input trees and memory images.

use std::collections::BTreeMap;

use glassbox_ir::{
    Number, PointerSize, Program, RecordField, RecordKind, Relocation, Shape, SourceType,
    SourceTypeId,
};
use glassbox_values::{Bits, Float};
use std::cmp::Reverse;

use crate::input::{InputPointer, InputValue};

/// Bytes with pointers in them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Image {
    pub bytes: Vec<u8>,
    /// By offset; each stands for as many bytes as pointers have.
    pub pointers: BTreeMap<u64, ImagePointer>,
    /// A run has left it: addresses in it are those of that run, also where they are taken for numbers.
    pub is_left_by_run: bool,
    pub pointer_size: PointerSize,
}

/// A pointer in an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImagePointer {
    Input(InputPointer),
    /// From an initializer.
    Relocation(Relocation),
    /// To memory that the test does not know.
    Elsewhere,
}

impl Image {
    pub fn zeros(program: &Program, size: u64) -> Image {
        let bytes = vec![0; usize::try_from(size).unwrap_or(0)];
        Image { bytes, pointer_size: program.pointers, ..Image::default() }
    }

    /// Writes bytes; what lies beyond the image is dropped.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.bytes.len());
        let end = start.saturating_add(bytes.len()).min(self.bytes.len());
        self.bytes[start..end].copy_from_slice(&bytes[..end - start]);
    }

    pub fn set_pointer(&mut self, offset: u64, pointer: ImagePointer) {
        self.pointers.insert(offset, pointer);
    }

    /// What is still as it was `before` the run, and was no pointer then, is a number that only looks like an address.
    pub fn keep_numbers(&mut self, before: &Image) {
        let width = self.pointer_size.bytes();
        let bytes = &self.bytes;
        self.pointers.retain(|&at, _| {
            let mut near = before.pointers.range(at.saturating_sub(width - 1)..at + width);
            let own = usize::try_from(at).unwrap_or(usize::MAX);
            let range = own..own.saturating_add(usize::try_from(width).unwrap_or(0));
            near.next().is_some() || bytes.get(range.clone()) != before.bytes.get(range)
        });
    }

    /// Whether this is what lies at `offset` of another image.
    fn shows(&self, other: &Image, offset: u64) -> bool {
        let (size, width) = (self.bytes.len() as u64, self.pointer_size.bytes());
        let mut theirs = other.pointers.range(offset..offset + size);
        let has_theirs = theirs.all(|(at, _)| self.pointers.contains_key(&(at - offset)));
        // A null pointer may be zeros in `other`.
        let has_own = self.pointers.iter().all(|(at, pointer)| {
            let is_zero = is_null(pointer) && other.read(offset + at, width) == 0;
            is_zero || other.pointers.contains_key(&(offset + at))
        });
        let is_in_pointer = |at: u64| {
            self.pointers.range(..=at).next_back().is_some_and(|(start, _)| at - start < width)
        };
        let same_byte = |at: u64| self.read(at, 1) == other.read(offset + at, 1);
        has_theirs && has_own && (0..size).all(|at| is_in_pointer(at) || same_byte(at))
    }

    /// Whether some of these bytes are part of an address that a run has put there: another run has others.
    fn is_address(&self, offset: u64, size: u64) -> bool {
        let before = self.pointer_size.bytes() - 1;
        let mut near =
            self.pointers.range(offset.saturating_sub(before)..offset.saturating_add(size));
        self.is_left_by_run
            && near.any(|(_, pointer)| match pointer {
                ImagePointer::Input(InputPointer::Null) | ImagePointer::Relocation(_) => false,
                ImagePointer::Input(_) | ImagePointer::Elsewhere => true,
            })
    }

    fn read(&self, offset: u64, size: u64) -> u128 {
        let mut value = 0;
        for index in (0..size.min(16)).rev() {
            let at = usize::try_from(offset + index).unwrap_or(usize::MAX);
            value = value << 8 | u128::from(self.bytes.get(at).copied().unwrap_or(0));
        }
        value
    }
}

/// Bytes of a type in memory; 1 for `void`, functions and incomplete types.
pub fn size_of(program: &Program, ty: SourceTypeId) -> u64 {
    program.size_of_source_type(ty)
}

fn is_null(pointer: &ImagePointer) -> bool {
    matches!(pointer, ImagePointer::Input(InputPointer::Null))
}

/// The value of type `ty` at `offset`.
pub fn decode(program: &Program, ty: SourceTypeId, image: &Image, offset: u64) -> InputValue {
    let size = size_of(program, ty);
    match program.shape(ty) {
        Shape::Number(Number::Bool) => InputValue::Int(Bits::new(image.read(offset, 1) & 1, 8)),
        Shape::Number(_) if image.is_address(offset, size) => raw(image, offset, size),
        Shape::Number(Number::Int { width, .. }) => {
            InputValue::Int(Bits::new(image.read(offset, size), width))
        }
        Shape::Number(Number::Float(format)) => {
            let bits = Bits::new(image.read(offset, size), format.width());
            InputValue::Float(Float::from_bits(u64::try_from(bits.unsigned()).unwrap_or(0), format))
        }
        Shape::Reference => match image.pointers.get(&offset) {
            Some(ImagePointer::Input(pointer)) => InputValue::Pointer(*pointer),
            Some(ImagePointer::Relocation(relocation)) => {
                InputValue::Pointer(relocation_pointer(*relocation))
            }
            // Only that it is not null can be said.
            Some(ImagePointer::Elsewhere) => raw(image, offset, size),
            None => InputValue::Pointer(InputPointer::Null),
        },
        Shape::Pointer { .. } => {
            match image.pointers.get(&offset) {
                Some(ImagePointer::Input(pointer)) => InputValue::Pointer(*pointer),
                Some(ImagePointer::Relocation(relocation)) => {
                    InputValue::Pointer(relocation_pointer(*relocation))
                }
                None if image.read(offset, size) == 0 => InputValue::Pointer(InputPointer::Null),
                // Only that it is not null can be said.
                Some(ImagePointer::Elsewhere) | None => raw(image, offset, size),
            }
        }
        Shape::Array { element, length } => {
            let element_size = size_of(program, element);
            let elements = (0..length.unwrap_or(0))
                .map(|index| decode(program, element, image, offset + index * element_size));
            InputValue::Array(elements.collect())
        }
        Shape::Record { kind: RecordKind::Struct, fields: Some(fields), .. } => {
            let values = fields.iter().map(|field| decode_field(program, field, image, offset));
            InputValue::Struct(values.collect())
        }
        Shape::Record { kind: RecordKind::Union, fields: Some(fields), .. } => {
            // The member that shows everything that is there: the longest that gives the same bytes
            // and pointers back.
            let mut positions: Vec<usize> = (0..fields.len()).collect();
            positions.sort_by_key(|&position| Reverse(size_of(program, fields[position].ty)));
            let values = positions.into_iter().map(|position| {
                (position, decode_field(program, &fields[position], image, offset))
            });
            let mut faithful = values.filter(|(position, value)| {
                let mut again = Image::zeros(program, size);
                encode_field(program, &fields[*position], value, &mut again, 0);
                again.shows(image, offset)
            });
            match faithful.next() {
                Some((field, value)) => InputValue::Union { field, value: Box::new(value) },
                None => raw(image, offset, size),
            }
        }
        Shape::Void | Shape::Record { .. } | Shape::Function | Shape::Opaque { .. } => {
            raw(image, offset, size)
        }
    }
}

/// Whether an image shows this value at its start. Arrays may be very large, so that their elements are looked at one by
/// one.
pub fn is_shown(program: &Program, ty: SourceTypeId, value: &InputValue, image: &Image) -> bool {
    if let (Shape::Array { element, .. }, InputValue::Array(own)) = (program.shape(ty), value) {
        let size = size_of(program, element);
        let mut elements = (0..).zip(own);
        return elements.all(|(index, own)| *own == decode(program, element, image, index * size));
    }
    *value == decode(program, ty, image, 0)
}

fn raw(image: &Image, offset: u64, size: u64) -> InputValue {
    let byte = |index| u8::try_from(image.read(offset + index, 1)).unwrap_or(0);
    InputValue::Bytes((0..size).map(byte).collect())
}

fn decode_field(program: &Program, field: &RecordField, image: &Image, base: u64) -> InputValue {
    let offset = base + field.offset;
    match field.bits {
        None => decode(program, field.ty, image, offset),
        Some(range) => {
            let word = image.read(offset, 16) >> range.start;
            InputValue::Int(Bits::new(word, range.width))
        }
    }
}

fn relocation_pointer(relocation: Relocation) -> InputPointer {
    match relocation.target {
        glassbox_ir::RelocationTarget::Func(function) => InputPointer::Function(function),
        glassbox_ir::RelocationTarget::Global(global) => {
            InputPointer::Global { global, offset: u64::try_from(relocation.addend).unwrap_or(0) }
        }
    }
}

/// Writes `value`, of type `ty`, into the image at `offset`.
pub fn encode(
    program: &Program,
    ty: SourceTypeId,
    value: &InputValue,
    image: &mut Image,
    offset: u64,
) {
    let ty = program.resolve_source_type(ty);
    match value {
        InputValue::Int(bits) => {
            let size = usize::try_from(size_of(program, ty)).unwrap_or(0).min(16);
            image.write(offset, &bits.unsigned().to_le_bytes()[..size]);
        }
        InputValue::Float(float) => {
            let size = usize::from(float.format().width() / 8);
            image.write(offset, &float.to_bits().to_le_bytes()[..size]);
        }
        InputValue::Pointer(pointer) => image.set_pointer(offset, ImagePointer::Input(*pointer)),
        InputValue::Bytes(bytes) => image.write(offset, bytes),
        InputValue::Array(elements) => {
            if let SourceType::Array { element, .. } = program.source_type(ty) {
                let size = size_of(program, *element);
                for (index, element_value) in (0u64..).zip(elements) {
                    encode(program, *element, element_value, image, offset + index * size);
                }
            }
        }
        InputValue::Struct(values) => {
            if let SourceType::Record { fields: Some(fields), .. } = program.source_type(ty) {
                for (field, field_value) in fields.iter().zip(values) {
                    encode_field(program, field, field_value, image, offset);
                }
            }
        }
        InputValue::Union { field, value } => {
            if let SourceType::Record { fields: Some(fields), .. } = program.source_type(ty)
                && let Some(field) = fields.get(*field)
            {
                encode_field(program, field, value, image, offset);
            }
        }
    }
}

fn encode_field(
    program: &Program,
    field: &RecordField,
    value: &InputValue,
    image: &mut Image,
    base: u64,
) {
    let offset = base + field.offset;
    match (field.bits, value) {
        (Some(range), InputValue::Int(bits)) => {
            let mask = glassbox_values::bits::mask(range.width) << range.start;
            let word = image.read(offset, 16) & !mask | (bits.unsigned() << range.start) & mask;
            let n_bytes = (usize::from(range.start) + usize::from(range.width)).div_ceil(8);
            image.write(offset, &word.to_le_bytes()[..n_bytes.min(16)]);
        }
        _ => encode(program, field.ty, value, image, offset),
    }
}
