//! Inputs of a test on one line: `x = 50, y = 1, p = {1, 2}, Up_Separation = 400`.

use glassbox_ir::{Program, SourceType, SourceTypeId};
use glassbox_testcase::{InputObject, InputPointer, InputValue, TestInput};
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
    for (number, contents) in (1..).zip(&input.files) {
        parts.push(match contents {
            Some(bytes) => format!("file {number} = {:?}", String::from_utf8_lossy(bytes)),
            None => format!("file {number} is not there"),
        });
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

/// An object as Java would write it, as far as it can: `"text"`, `{1, 2}`, `Account{balance = 3}`.
fn java_object(program: &Program, input: &TestInput, object: &InputObject, depth: usize) -> String {
    let ty = program.resolve_source_type(object.element_type);
    let (Some(InputValue::Struct(values)), SourceType::Record { name, fields: Some(fields), .. }) =
        (object.elements.first(), program.source_type(ty))
    else {
        return object.name.clone();
    };
    if depth >= 4 {
        return "…".to_owned();
    }
    let named = |wanted: &str| {
        let position = fields.iter().position(|field| field.name.as_deref() == Some(wanted))?;
        values.get(position).map(|value| (fields[position].ty, value))
    };
    let shown =
        |ty: SourceTypeId, value: &InputValue| value_text(program, input, ty, value, depth + 1);
    if let Some((ty, elements)) = named("elements") {
        return shown(ty, elements);
    }
    let class = name.as_deref().unwrap_or_default();
    if class == "java.lang.String"
        && let Some(text) = java_text(input, named("value"), named("coder"))
    {
        return format!("{text:?}");
    }
    let own = fields.iter().zip(values).skip(2).map(|(field, value)| {
        format!("{} = {}", field.name.as_deref().unwrap_or("_"), shown(field.ty, value))
    });
    let own: Vec<String> = own.take(MAX_ELEMENTS).collect();
    format!("{}{{{}}}", class.rsplit('.').next().unwrap_or(class), own.join(", "))
}

type Part<'a> = Option<(SourceTypeId, &'a InputValue)>;

/// The characters of a string, which has them as bytes or as pairs of bytes.
fn java_text(input: &TestInput, value: Part<'_>, coder: Part<'_>) -> Option<String> {
    let (_, InputValue::Pointer(InputPointer::Object { object, .. })) = value? else { return None };
    let InputValue::Struct(parts) = input.objects.get(*object)?.elements.first()? else {
        return None;
    };
    let InputValue::Array(elements) = parts.last()? else { return None };
    let units: Option<Vec<u16>> = elements
        .iter()
        .map(|element| match element {
            InputValue::Int(bits) => u16::try_from(bits.unsigned()).ok(),
            InputValue::Float(_)
            | InputValue::Pointer(_)
            | InputValue::Struct(_)
            | InputValue::Array(_)
            | InputValue::Union { .. }
            | InputValue::Bytes(_) => None,
        })
        .collect();
    let units = units?;
    let is_wide = matches!(coder, Some((_, InputValue::Int(bits))) if !bits.is_zero());
    let units = if is_wide {
        units.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |high| high << 8)).collect()
    } else {
        units
    };
    Some(String::from_utf16_lossy(&units))
}

fn list(parts: impl ExactSizeIterator<Item = String>) -> String {
    let n_parts = parts.len();
    let mut shown: Vec<String> = parts.take(MAX_ELEMENTS).collect();
    if n_parts > MAX_ELEMENTS {
        shown.push(format!("… {} more", n_parts - MAX_ELEMENTS));
    }
    format!("{{{}}}", shown.join(", "))
}

/// Memory of `char` that ends like a text, as C writes it.
fn letters(program: &Program, element: SourceTypeId, values: &[InputValue]) -> Option<String> {
    let resolved = program.resolve_source_type(element);
    let SourceType::Int { is_char: true, .. } = program.source_type(resolved) else { return None };
    let byte = |value: &InputValue| match value {
        InputValue::Int(bits) => u8::try_from(bits.unsigned()).ok(),
        InputValue::Float(_)
        | InputValue::Pointer(_)
        | InputValue::Struct(_)
        | InputValue::Array(_)
        | InputValue::Union { .. }
        | InputValue::Bytes(_) => None,
    };
    let bytes: Vec<u8> = values.iter().map(byte).collect::<Option<_>>()?;
    let (0, text) = bytes.split_last().map(|(last, text)| (*last, text))? else { return None };
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ' || *byte == b'\n';
    let is_short = text.len() <= MAX_ELEMENTS && text.iter().all(is_plain);
    is_short.then(|| format!("{:?}", String::from_utf8_lossy(text)))
}

fn pointer_text(
    program: &Program,
    input: &TestInput,
    pointer: InputPointer,
    depth: usize,
) -> String {
    let at = |offset: u64| if offset == 0 { String::new() } else { format!(" + {offset} bytes") };
    match pointer {
        InputPointer::Null if program.language.has_objects() => "null".to_owned(),
        InputPointer::Null => "NULL".to_owned(),
        InputPointer::Function(function) => program.function(function).name.clone(),
        InputPointer::Global { global, offset } => {
            format!("&{}{}", program.global(global).name, at(offset))
        }
        InputPointer::Object { object, offset } => {
            let Some(target) = input.objects.get(object) else { return "NULL".to_owned() };
            if program.language.has_objects() {
                return java_object(program, input, target, depth);
            }
            // Shared memory is shown once, where its name is.
            let is_shared = input.objects[..object].iter().any(|other| other.name == target.name);
            if depth >= 4 || is_shared {
                return format!("&{}{}", target.name, at(offset));
            }
            if let Some(bytes) = &target.stream {
                return format!("stream {:?}", String::from_utf8_lossy(bytes));
            }
            let elements = &target.elements;
            if let Some(text) = letters(program, target.element_type, elements) {
                return format!("{text}{}", at(offset));
            }
            let text =
                list(elements.iter().map(|value| {
                    value_text(program, input, target.element_type, value, depth + 1)
                }));
            format!("&{text}{}", at(offset))
        }
    }
}
