//! The scalars of an input, by position: parameters first, then memory, then globals.

use glassbox_ir::{Program, SourceType, SourceTypeId};
use glassbox_testcase::{InputValue, TestInput};

/// The scalar at a position.
pub(crate) fn get(input: &TestInput, wanted: usize) -> Option<&InputValue> {
    let mut values = Vec::new();
    let tops = input.params.iter().map(|param| &param.value);
    let objects = input.objects.iter().flat_map(|object| &object.elements);
    let globals = input.globals.iter().map(|(_, value)| value);
    tops.chain(objects).chain(globals).for_each(|value| flatten(value, &mut values));
    values.get(wanted).copied()
}

fn flatten<'v>(value: &'v InputValue, out: &mut Vec<&'v InputValue>) {
    match value {
        InputValue::Struct(parts) | InputValue::Array(parts) => {
            parts.iter().for_each(|part| flatten(part, out));
        }
        InputValue::Int(_)
        | InputValue::Float(_)
        | InputValue::Pointer(_)
        | InputValue::Union { .. }
        | InputValue::Bytes(_) => out.push(value),
    }
}

/// Every scalar with its resolved type, in the order of `flatten`.
pub(crate) fn visit(
    program: &Program,
    input: &mut TestInput,
    f: &mut dyn FnMut(SourceTypeId, &mut InputValue),
) {
    for param in &mut input.params {
        visit_value(program, param.source_type, &mut param.value, f);
    }
    for object in &mut input.objects {
        for element in &mut object.elements {
            visit_value(program, object.element_type, element, f);
        }
    }
    for (global, value) in &mut input.globals {
        visit_value(program, program.global(*global).source_type, value, f);
    }
}

fn visit_value(
    program: &Program,
    ty: SourceTypeId,
    value: &mut InputValue,
    f: &mut dyn FnMut(SourceTypeId, &mut InputValue),
) {
    let ty = program.resolve_source_type(ty);
    match (value, program.source_type(ty)) {
        (InputValue::Struct(parts), SourceType::Record { fields: Some(fields), .. }) => {
            for (part, field) in parts.iter_mut().zip(fields) {
                // Bit-fields have a width of their own, which the value keeps.
                visit_value(program, field.ty, part, f);
            }
        }
        (InputValue::Array(parts), SourceType::Array { element, .. }) => {
            for part in parts {
                visit_value(program, *element, part, f);
            }
        }
        (value, _) => f(ty, value),
    }
}
