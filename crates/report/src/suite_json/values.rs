//! Values and types of inputs as suite.json has them.

use std::cmp::Reverse;

use glassbox_ir::{
    GlobalId, GlobalKind, Program, RecordField, RecordKind, SourceType, SourceTypeId,
};
use glassbox_testcase::image::{Image, decode, encode};
use glassbox_testcase::{InputPointer, InputValue};
use glassbox_values::{Float, Signedness};

use crate::data::{Value, literal};

/// A value of which the type is not known.
fn untyped(value: &InputValue) -> Value {
    match value {
        InputValue::Int(bits) => {
            Value::Int { int: bits.to_decimal(Signedness::Signed), bits: u32::from(bits.width()) }
        }
        InputValue::Float(number) => float(number),
        InputValue::Pointer(pointer) => Value::Pointer { pointer: format!("{pointer:?}") },
        InputValue::Struct(parts) | InputValue::Array(parts) => {
            Value::List(parts.iter().map(untyped).collect())
        }
        InputValue::Union { field, value } => {
            Value::Union { member: None, field: *field, value: Box::new(untyped(value)) }
        }
        InputValue::Bytes(bytes) => Value::Bytes { bytes: bytes.clone() },
    }
}

fn float(number: &Float) -> Value {
    Value::Float { hex: number.to_hex(), decimal: number.to_decimal() }
}

/// A value of a type.
pub(super) fn value(program: &Program, ty: SourceTypeId, content: &InputValue) -> Value {
    let resolved = program.resolve_source_type(ty);
    match (content, program.source_type(resolved)) {
        (
            InputValue::Int(bits),
            SourceType::Int { signedness, .. } | SourceType::Enum { signedness, .. },
        ) => Value::Number(bits.to_decimal(*signedness)),
        (InputValue::Int(bits), _) => Value::Number(bits.to_decimal(Signedness::Unsigned)),
        (InputValue::Float(number), _) => float(number),
        (InputValue::Pointer(target), _) => pointer(program, *target),
        (InputValue::Struct(parts), SourceType::Record { fields: Some(fields), .. }) => {
            let named = member_names(fields).into_iter().zip(fields.iter().zip(parts));
            let members = named.map(|(name, (field, part))| (name, value(program, field.ty, part)));
            Value::Record(members.collect())
        }
        (InputValue::Array(parts), SourceType::Array { element, .. }) => {
            Value::List(parts.iter().map(|part| value(program, *element, part)).collect())
        }
        (
            InputValue::Union { field, value },
            SourceType::Record { kind: RecordKind::Union, fields: Some(fields), .. },
        ) if fields.get(*field).is_some() => union(program, (ty, fields), content, (*field, value)),
        (
            InputValue::Struct(_)
            | InputValue::Array(_)
            | InputValue::Union { .. }
            | InputValue::Bytes(_),
            _,
        ) => untyped(content),
    }
}

/// A union by the longest of the members that show all of it, the first of these by name: in which order they are declared says
/// nothing.
fn union(
    program: &Program,
    (ty, fields): (SourceTypeId, &[RecordField]),
    content: &InputValue,
    (own, shown): (usize, &InputValue),
) -> Value {
    let image_of = |value: &InputValue| {
        let mut image = Image::zeros(program, program.size_of_source_type(ty));
        encode(program, ty, value, &mut image, 0);
        image
    };
    let image = image_of(content);
    let mut all: Vec<(usize, &RecordField)> =
        fields.iter().enumerate().filter(|(_, field)| field.bits.is_none()).collect();
    all.sort_by_key(|(_, field)| (Reverse(program.size_of_source_type(field.ty)), &field.name));
    // What is not set has no bytes, and would be lost in another member.
    let is_whole = !has_gaps(shown);
    let others = all.into_iter().filter(|_| is_whole).find_map(|(field, declared)| {
        let value = decode(program, declared.ty, &image, declared.offset);
        let again = InputValue::Union { field, value: Box::new(value.clone()) };
        (image_of(&again) == image).then_some((field, value))
    });
    let (field, shown) = others.unwrap_or_else(|| (own, shown.clone()));
    Value::Union {
        member: fields[field].name.clone(),
        field,
        value: Box::new(value(program, fields[field].ty, &shown)),
    }
}

/// Whether a part of a value is bytes: those are of no other type.
fn has_gaps(value: &InputValue) -> bool {
    match value {
        InputValue::Bytes(_) => true,
        InputValue::Struct(parts) | InputValue::Array(parts) => parts.iter().any(has_gaps),
        InputValue::Union { value, .. } => has_gaps(value),
        InputValue::Int(_) | InputValue::Float(_) | InputValue::Pointer(_) => false,
    }
}

/// What the members of a record are called in values: those without a name, and fields of Java that hide one of the same
/// name, by their position.
pub(super) fn member_names(fields: &[RecordField]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let own = field.name.clone().filter(|name| !names.contains(name));
        names.push(own.unwrap_or_else(|| format!("#{index}")));
    }
    names
}

fn pointer(program: &Program, pointer: InputPointer) -> Value {
    match pointer {
        InputPointer::Null => Value::Null,
        InputPointer::Object { object, offset } => Value::Object { object, offset },
        InputPointer::Global { global, offset } => {
            Value::Global { global: global_name(program, global), offset }
        }
        InputPointer::Function(function) => {
            Value::Function { function: program.function(function).name.clone() }
        }
    }
}

/// What a global is called in values.
pub(super) fn global_name(program: &Program, global: GlobalId) -> String {
    let declared = program.global(global);
    match (declared.kind, &declared.initializer, program.source_type(declared.source_type)) {
        (GlobalKind::StringLiteral, Some(text), SourceType::Array { element, .. }) => {
            let unit = program.size_of_source_type(*element);
            literal::name(&text.bytes, usize::try_from(unit).unwrap_or(1))
        }
        _ => declared.name.clone(),
    }
}

/// A type as a person writes it, roughly: readers should not parse it.
pub(super) fn type_name(program: &Program, ty: SourceTypeId) -> String {
    match program.source_type(ty) {
        SourceType::Void => "void".to_owned(),
        SourceType::Bool => "_Bool".to_owned(),
        SourceType::Int { name, .. }
        | SourceType::Float { name, .. }
        | SourceType::Named { name, .. }
        | SourceType::Opaque { name, .. } => name.clone(),
        SourceType::Enum { name, .. } => format!("enum {}", name.as_deref().unwrap_or("{…}")),
        SourceType::Pointer { target, is_const } => {
            let prefix = if *is_const { "const " } else { "" };
            format!("{prefix}{} *", type_name(program, *target))
        }
        SourceType::Array { element, length } => {
            let length = length.map(|length| length.to_string()).unwrap_or_default();
            format!("{}[{length}]", type_name(program, *element))
        }
        SourceType::Record { name, .. } => format!("struct {}", name.as_deref().unwrap_or("{…}")),
        SourceType::Function { result, .. } => format!("{} (*)()", type_name(program, *result)),
        SourceType::Class(class) => program.class(*class).name.clone(),
        SourceType::ClassArray { element } => format!("{}[]", type_name(program, *element)),
    }
}
