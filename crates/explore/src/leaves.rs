//! The scalars of an input, by position: parameters first, then memory, then globals.

use std::collections::BTreeSet;

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

/// Positions in objects of a JVM program that belong to the JVM or to the JDK: class numbers, lengths, the
/// insides of strings and boxed values.
pub(crate) fn fixed(program: &Program, input: &TestInput) -> BTreeSet<usize> {
    let mut fixed = BTreeSet::new();
    if !program.language.has_objects() {
        return fixed;
    }
    let mut position: usize = input.params.iter().map(|param| count(&param.value)).sum();
    for object in &input.objects {
        for element in &object.elements {
            let n_leaves = count(element);
            let is_array = matches!(element, InputValue::Struct(parts)
                if parts.len() == 3 && matches!(parts[2], InputValue::Array(_)));
            let is_text = object.is_characters();
            let n_fixed = if is_array && !is_text { 2 } else { n_leaves };
            fixed.extend(position..position + n_fixed.min(n_leaves));
            position += n_leaves;
        }
    }
    fixed
}

/// How many scalars a value has.
pub(crate) fn count(value: &InputValue) -> usize {
    let mut values = Vec::new();
    flatten(value, &mut values);
    values.len()
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

/// Changes the scalar at a position, given its resolved type.
pub(crate) fn change(
    program: &Program,
    input: &mut TestInput,
    wanted: usize,
    mut change: impl FnMut(SourceTypeId, &mut InputValue),
) {
    let mut position = 0;
    visit(program, input, &mut |ty, value| {
        if position == wanted {
            change(ty, value);
        }
        position += 1;
    });
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
