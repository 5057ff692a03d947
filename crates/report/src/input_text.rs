//! Inputs of a test on one line: `x = 50, y = 1, p = {1, 2}, Up_Separation = 400`.

use glassbox_ir::{Program, SourceType, SourceTypeId};
use glassbox_testcase::{InputPointer, InputValue, TestInput};
use glassbox_values::Signedness;

/// Elements of an array that are shown.
const MAX_ELEMENTS: usize = 16;

/// All inputs, in the order of parameters, globals, results of undefined functions.
pub fn line(program: &Program, input: &TestInput) -> String {
    let mut parts = Vec::new();
    for param in &input.params {
        let value = value_text(program, input, param.source_type, &param.value, 0);
        parts.push(format!("{} = {value}", param.name));
    }
    for (global, value) in &input.globals {
        let declared = program.global(*global);
        let value = value_text(program, input, declared.source_type, value, 0);
        parts.push(format!("{} = {value}", declared.name));
    }
    for stub in &input.stubs {
        let declared = program.function(stub.function);
        if let Some(result) = &stub.result {
            let value = value_text(program, input, declared.result_source_type, result, 0);
            parts.push(format!("{}() = {value}", declared.name));
        }
        for write in &stub.writes {
            let values = write.elements.iter();
            let text =
                list(values.map(|value| value_text(program, input, write.element_type, value, 1)));
            parts.push(format!("{}() writes {text}", declared.name));
        }
    }
    if !input.stdin.is_empty() {
        parts.push(format!("stdin = {:?}", String::from_utf8_lossy(&input.stdin)));
    }
    for number in &input.failing_allocations {
        parts.push(format!("allocation {number} fails"));
    }
    if parts.is_empty() { "no inputs".to_owned() } else { parts.join(", ") }
}

fn value_text(
    program: &Program,
    input: &TestInput,
    ty: SourceTypeId,
    value: &InputValue,
    depth: usize,
) -> String {
    let resolved = program.resolve_source_type(ty);
    let nested = |ty: SourceTypeId, value: &InputValue| {
        if depth >= 4 { "…".to_owned() } else { value_text(program, input, ty, value, depth + 1) }
    };
    match (value, program.source_type(resolved)) {
        (InputValue::Int(bits), SourceType::Enum { constants, signedness, .. }) => {
            let number = bits.to_decimal(*signedness);
            let named = constants.iter().find(|constant| constant.value.to_string() == number);
            named.map_or(number, |constant| constant.name.clone())
        }
        (InputValue::Int(bits), SourceType::Int { signedness, .. }) => bits.to_decimal(*signedness),
        (InputValue::Int(bits), _) => bits.to_decimal(Signedness::Unsigned),
        (InputValue::Float(float), _) => float.to_decimal(),
        (InputValue::Pointer(pointer), _) => pointer_text(program, input, *pointer, depth),
        (InputValue::Array(values), SourceType::Array { element, .. }) => {
            list(values.iter().map(|value| nested(*element, value)))
        }
        (InputValue::Struct(values), SourceType::Record { fields: Some(fields), .. }) => {
            list(values.iter().zip(fields).map(|(value, field)| {
                let name = field.name.as_deref().unwrap_or("_");
                format!(".{name} = {}", nested(field.ty, value))
            }))
        }
        (InputValue::Union { field, value }, SourceType::Record { fields: Some(fields), .. }) => {
            match fields.get(*field) {
                Some(field) => {
                    let name = field.name.as_deref().unwrap_or("_");
                    format!("{{.{name} = {}}}", nested(field.ty, value))
                }
                None => "{…}".to_owned(),
            }
        }
        (InputValue::Bytes(bytes), _) => list(bytes.iter().map(|byte| format!("{byte:#04x}"))),
        (InputValue::Array(_) | InputValue::Struct(_) | InputValue::Union { .. }, _) => {
            "{…}".to_owned()
        }
    }
}

fn list(parts: impl ExactSizeIterator<Item = String>) -> String {
    let n_parts = parts.len();
    let mut shown: Vec<String> = parts.take(MAX_ELEMENTS).collect();
    if n_parts > MAX_ELEMENTS {
        shown.push(format!("… {} more", n_parts - MAX_ELEMENTS));
    }
    format!("{{{}}}", shown.join(", "))
}

fn pointer_text(
    program: &Program,
    input: &TestInput,
    pointer: InputPointer,
    depth: usize,
) -> String {
    let at = |offset: u64| if offset == 0 { String::new() } else { format!(" + {offset} bytes") };
    match pointer {
        InputPointer::Null => "NULL".to_owned(),
        InputPointer::Function(function) => program.function(function).name.clone(),
        InputPointer::Global { global, offset } => {
            format!("&{}{}", program.global(global).name, at(offset))
        }
        InputPointer::Object { object, offset } => {
            let Some(target) = input.objects.get(object) else { return "NULL".to_owned() };
            // Shared memory is shown once, where its name is.
            let is_shared = input.objects[..object].iter().any(|other| other.name == target.name);
            if depth >= 4 || is_shared {
                return format!("&{}{}", target.name, at(offset));
            }
            let values = target.elements.iter();
            let text =
                list(values.map(|value| {
                    value_text(program, input, target.element_type, value, depth + 1)
                }));
            format!("&{text}{}", at(offset))
        }
    }
}
