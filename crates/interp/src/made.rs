//! What a run left in memory that it made itself: followed from its result and from what it changed, by the types of the pointers
//! that lead there (in Java by the class of the object).
//!
//! Some is left out: what only untyped pointers lead to, what comes behind the first record of memory with a flexible member, and
//! contents of objects of the JDK but for arrays, texts and boxed numbers, whose insides are no behavior.

use std::collections::VecDeque;

use glassbox_ir::object_layout::{ARRAY_LENGTH, CONTENTS};
use glassbox_ir::{
    FuncId, Program, RecordField, RecordKind, Shape, SourceTypeId, TypeKind, TypeLayout,
};
use glassbox_testcase::image::{Image, decode, size_of};
use glassbox_testcase::{InputValue, MadeMemory, Observation};
use glassbox_values::Bits;

use crate::java::{read_string, type_of};
use crate::java_observe::is_box;
use crate::machine::Machine;
use crate::memory::{Address, Object, ObjectKind, ObjectState};
use crate::test_run::Setup;

/// Pieces of memory that are shown.
const MAX_PIECES: usize = 64;

/// Elements of one piece that are shown, and bytes that are looked at for them.
const MAX_ELEMENTS: u64 = 64;
const MAX_BYTES: u64 = 1 << 14;

/// The memory that what is observed leads to, in the order in which it is found.
pub(crate) fn made(
    setup: &Setup<'_, '_>,
    machine: &Machine<'_>,
    function: FuncId,
    observed: &Observation,
) -> Vec<MadeMemory> {
    let program = setup.program;
    let mut finder = Finder { setup, machine, found: Vec::new(), waiting: VecDeque::new() };
    if let Some(value) = &observed.result {
        finder.follow(program.function(function).result_source_type, value);
    }
    for (position, elements) in &observed.changed_objects {
        let ty = setup.input.objects[*position].element_type;
        elements.iter().for_each(|element| finder.follow(ty, element));
    }
    for (global, value) in &observed.changed_globals {
        finder.follow(program.global(*global).source_type, value);
    }
    while let Some((address, pointee)) = finder.waiting.pop_front() {
        finder.visit(address, pointee);
    }
    finder.found
}

struct Finder<'a, 'p, 'i> {
    setup: &'a Setup<'p, 'i>,
    machine: &'a Machine<'a>,
    found: Vec<MadeMemory>,
    /// Addresses, and the types that pointers say is there; none in Java.
    waiting: VecDeque<(Address, Option<SourceTypeId>)>,
}

impl<'p> Finder<'_, 'p, '_> {
    /// Notes where pointers in a value lead.
    fn follow(&mut self, ty: SourceTypeId, value: &InputValue) {
        let program = self.program();
        match (program.shape(ty), value) {
            (Shape::Pointer { target, .. }, InputValue::Bytes(bytes)) => {
                self.waiting.extend(self.address(bytes).map(|address| (address, Some(target))));
            }
            (Shape::Reference, InputValue::Bytes(bytes)) => {
                self.waiting.extend(self.address(bytes).map(|address| (address, None)));
            }
            (Shape::Array { element, .. }, InputValue::Array(parts)) => {
                parts.iter().for_each(|part| self.follow(element, part));
            }
            (Shape::Record { fields: Some(fields), .. }, InputValue::Struct(parts)) => {
                for (field, part) in fields.iter().zip(parts) {
                    self.follow(field.ty, part);
                }
            }
            (Shape::Record { fields: Some(fields), .. }, InputValue::Union { field, value }) => {
                if let Some(field) = fields.get(*field) {
                    self.follow(field.ty, value);
                }
            }
            (_, _) => {}
        }
    }

    fn program(&self) -> &'p Program {
        self.setup.program
    }

    fn address(&self, bytes: &[u8]) -> Option<Address> {
        let is_pointer = bytes.len() as u64 == self.machine.memory().pointers().bytes();
        let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        is_pointer.then_some(word)
    }

    fn visit(&mut self, address: Address, pointee: Option<SourceTypeId>) {
        let memory = self.machine.memory();
        let Some((id, offset)) = memory.resolve(address) else { return };
        let (object, start) = (memory.object(id), memory.address_of(id, 0));
        let is_made = object.kind == ObjectKind::Heap && object.state == ObjectState::Live;
        let is_inside = u64::try_from(offset).ok().filter(|&offset| offset <= object.size());
        let Some(offset) = is_inside.filter(|_| is_made) else { return };
        let is_known = self.found.iter().any(|found| found.address == start);
        if is_known || self.found.len() >= MAX_PIECES {
            return;
        }
        let piece = match pointee {
            Some(ty) => self.elements_of(object, offset, ty).map(|(element_type, from)| {
                let size = size_of(self.program(), element_type);
                (element_type, None, from, (object.size() - from) / size)
            }),
            None => type_of(memory, self.program(), start).and_then(|ty| self.object_of(start, ty)),
        };
        let Some((element_type, class, from, length)) = piece else { return };
        let elements = match class.and_then(|_| read_string(memory, self.program(), start)) {
            Some(text) => {
                text.iter().map(|&unit| InputValue::Int(Bits::new(unit.into(), 16))).collect()
            }
            None => self.decoded(object, element_type, from, length),
        };
        let length = length.max(elements.len() as u64);
        elements.iter().for_each(|element| self.follow(element_type, element));
        let size = object.size();
        self.found.push(MadeMemory { address: start, size, element_type, class, length, elements });
    }

    /// What memory of C consists of behind a pointer, and where that begins.
    fn elements_of(
        &self,
        object: &Object,
        offset: u64,
        ty: SourceTypeId,
    ) -> Option<(SourceTypeId, u64)> {
        let program = self.program();
        let size = size_of(program, ty);
        let fits = |from: u64| (size > 0 && from + size <= object.size()).then_some((ty, from));
        match program.shape(ty) {
            // Scalars are in front of the one that a pointer leads to, too; whatever is in front of a record may be anything.
            Shape::Number(_) | Shape::Pointer { .. } => fits(offset % size.max(1)),
            Shape::Array { .. } | Shape::Record { fields: Some(_), .. } => fits(offset),
            Shape::Void
            | Shape::Reference
            | Shape::Record { .. }
            | Shape::Function
            | Shape::Opaque { .. } => None,
        }
    }

    /// An object of Java: the type of what is shown, its class, where that begins and how much there is.
    fn object_of(
        &self,
        start: Address,
        ty: &TypeLayout,
    ) -> Option<(SourceTypeId, Option<u32>, u64, u64)> {
        let layout = self.program().object_layout.as_ref()?;
        let number = layout.number_of(&ty.name);
        match &ty.kind {
            TypeKind::Array { element, .. } => {
                let length = self.machine.memory().load(start + ARRAY_LENGTH, 4).ok()?;
                Some((*element, number, CONTENTS, length))
            }
            TypeKind::Class { .. } => {
                let is_shown = !ty.is_library || is_box(&ty.name);
                Some((*ty.shapes.first()?, number, 0, u64::from(is_shown)))
            }
        }
    }

    fn decoded(
        &self,
        object: &Object,
        ty: SourceTypeId,
        from: u64,
        length: u64,
    ) -> Vec<InputValue> {
        let program = self.program();
        let mut is_flexible = false;
        if let Shape::Record { kind: RecordKind::Struct, fields: Some(fields), .. } =
            program.shape(ty)
        {
            is_flexible = fields.last().is_some_and(|field| is_without_length(program, field));
        }
        let size = size_of(program, ty).max(1);
        let n_shown = if is_flexible { length.min(1) } else { length };
        let n_shown = n_shown.min(MAX_ELEMENTS).min(MAX_BYTES / size);
        let end = (from + n_shown * size).min(object.size());
        let Ok(end) = usize::try_from(end) else { return Vec::new() };
        let image = self.setup.image_of(self.machine, &object.bytes()[..end]);
        let shown = Shown { program, object, image: &image };
        (0..n_shown).map(|index| shown.value(ty, from + index * size)).collect()
    }
}

fn is_without_length(program: &Program, field: &RecordField) -> bool {
    matches!(program.shape(field.ty), Shape::Array { length: None | Some(0), .. })
}

/// Memory of which parts may not be set.
struct Shown<'a> {
    program: &'a Program,
    object: &'a Object,
    image: &'a Image,
}

impl Shown<'_> {
    /// The value here; what was never set, or is a part of an address only, is empty bytes.
    fn value(&self, ty: SourceTypeId, offset: u64) -> InputValue {
        let program = self.program;
        let size = size_of(program, ty);
        match program.shape(ty) {
            Shape::Array { element, length } => {
                let step = size_of(program, element);
                let at = |index: u64| self.value(element, offset + index * step);
                InputValue::Array((0..length.unwrap_or(0)).map(at).collect())
            }
            Shape::Record { kind: RecordKind::Struct, fields: Some(fields), .. } => {
                InputValue::Struct(
                    fields.iter().map(|field| self.member(field, ty, offset)).collect(),
                )
            }
            Shape::Record { kind: RecordKind::Union, fields: Some(fields), .. }
                if !self.is_set(offset, size) =>
            {
                // The longest member that is set.
                let set = fields.iter().enumerate().filter(|(_, field)| {
                    field.bits.is_none()
                        && self.is_set(offset + field.offset, size_of(program, field.ty))
                });
                let longest = set.rev().max_by_key(|(_, field)| size_of(program, field.ty));
                longest.map_or_else(nothing, |(position, field)| InputValue::Union {
                    field: position,
                    value: Box::new(self.value(field.ty, offset + field.offset)),
                })
            }
            Shape::Number(_) => {
                let value = self.if_set(ty, offset, size);
                // A number that is an address is shown as a pointer; a part of one is not shown.
                let is_number = matches!(value, InputValue::Int(_) | InputValue::Float(_));
                let is_address = size == program.pointers.bytes();
                if is_number || is_address { value } else { nothing() }
            }
            Shape::Void
            | Shape::Reference
            | Shape::Pointer { .. }
            | Shape::Record { .. }
            | Shape::Function
            | Shape::Opaque { .. } => self.if_set(ty, offset, size),
        }
    }

    fn member(&self, field: &RecordField, of: SourceTypeId, base: u64) -> InputValue {
        let Some(range) = field.bits else {
            return self.value(field.ty, base + field.offset);
        };
        let n_bytes = (u64::from(range.start) + u64::from(range.width)).div_ceil(8);
        if !self.is_set(base + field.offset, n_bytes) {
            return nothing();
        }
        // Only whole records have bit-fields in them.
        let mut position = None;
        if let Shape::Record { fields: Some(fields), .. } = self.program.shape(of) {
            position = fields.iter().position(|it| it == field);
        }
        match (decode(self.program, of, self.image, base), position) {
            (InputValue::Struct(mut parts), Some(position)) => parts.swap_remove(position),
            (_, _) => nothing(),
        }
    }

    fn if_set(&self, ty: SourceTypeId, offset: u64, size: u64) -> InputValue {
        if !self.is_set(offset, size) {
            return nothing();
        }
        let value = decode(self.program, ty, self.image, offset);
        // Bytes with an address among them say where memory lies.
        let has_pointer = self.image.pointers.range(offset..offset + size.max(1)).next().is_some();
        let is_raw = matches!(value, InputValue::Bytes(_));
        let is_pointer = size == self.program.pointers.bytes();
        if is_raw && has_pointer && !is_pointer { nothing() } else { value }
    }

    fn is_set(&self, offset: u64, size: u64) -> bool {
        let Ok((start, len)) =
            usize::try_from(offset).and_then(|at| Ok((at, usize::try_from(size)?)))
        else {
            return false;
        };
        start + len <= self.object.bytes().len() && self.object.is_written(start, len)
    }
}

fn nothing() -> InputValue {
    InputValue::Bytes(Vec::new())
}
