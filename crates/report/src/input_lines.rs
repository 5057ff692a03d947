//! Inputs of a test as a person writes them, from suite.json's data alone.

use glassbox_values::character;
use indexmap::IndexMap;

use crate::data::test::{Inputs, Object};
use crate::data::{Value, literal};

/// `name = value` for parameters, globals, memory and results of stubs.
pub fn lines(inputs: &Inputs) -> Vec<String> {
    let objects = &inputs.objects;
    let mut lines = Vec::new();
    for input in inputs.params.iter().chain(&inputs.globals) {
        let name = &input.name;
        let place = target(objects, &input.value);
        // An object with the same name follows below.
        if place.as_ref() == Some(name) {
            continue;
        }
        lines.push(match place {
            Some(place) => format!("{name} -> {place}"),
            None => {
                let letter = is_char(&input.type_name).then(|| letter(&input.value)).flatten();
                format!("{name} = {}", letter.unwrap_or_else(|| text(objects, &input.value)))
            }
        });
    }
    for (number, object) in objects.iter().enumerate() {
        if !is_inlined(objects, number) {
            lines.push(format!("{} = {}", object_name(object), content(objects, object)));
        }
    }
    for stub in &inputs.stubs {
        let result = stub.result.as_ref().map(|result| format!(" {}", text(objects, result)));
        lines.push(format!("{}() returns{}", stub.function, result.unwrap_or_default()));
    }
    if !inputs.stdin.is_empty() {
        lines.push(format!("stdin = {:?}", String::from_utf8_lossy(&inputs.stdin)));
    }
    for (number, contents) in (1..).zip(&inputs.files) {
        lines.push(match contents {
            Some(bytes) => format!("file {number} = {:?}", String::from_utf8_lossy(bytes)),
            None => format!("file {number} is not there"),
        });
    }
    for number in &inputs.failing_allocations {
        lines.push(format!("allocation {number} fails"));
    }
    for (number, argument) in inputs.argv.iter().enumerate() {
        lines.push(format!("argv[{}] = {:?}", number + 1, String::from_utf8_lossy(argument)));
    }
    lines
}

/// What a pointer leads to, unless it is written in its place.
fn target(objects: &[Object], value: &Value) -> Option<String> {
    let Value::Object { object: number, offset } = value else { return None };
    if plain(objects, *number).is_some() {
        return None;
    }
    let object = objects.get(*number)?;
    let at = if *offset == 0 { String::new() } else { format!(" + {offset} bytes") };
    Some(format!("{}{at}", object_name(object)))
}

/// Memory of C is `name[]`; an object of Java has its name only.
fn object_name(object: &Object) -> String {
    let name = &object.name;
    if java_record(object).is_some() { name.clone() } else { format!("{name}[]") }
}

fn content(objects: &[Object], object: &Object) -> String {
    if let Some(bytes) = &object.stream {
        return format!("stream {:?}", String::from_utf8_lossy(bytes));
    }
    let Some(record) = java_record(object) else {
        return characters(object).unwrap_or_else(|| list(objects, &object.elements));
    };
    if let Some(Value::List(elements)) = record.get("elements") {
        return list(objects, elements);
    }
    let own = record.iter().filter(|(name, _)| Value::is_java_field(name));
    let class = object.type_name.trim_start_matches("struct ");
    let class = class.rsplit('.').next().unwrap_or(class);
    format!("new {class} {}", members(objects, own))
}

/// `char`, whatever may not be done with it.
fn is_char(type_name: &str) -> bool {
    type_name.split_whitespace().filter(|word| !["const", "volatile"].contains(word)).eq(["char"])
}

/// A number as a character constant, where it is one.
fn letter(value: &Value) -> Option<String> {
    character(value.scalar()?.parse().ok()?)
}

/// Memory of `char`: a string where it ends like one, characters otherwise.
fn characters(object: &Object) -> Option<String> {
    if !is_char(&object.type_name) {
        return None;
    }
    let shown = |value: &Value| letter(value).or_else(|| value.scalar().map(str::to_owned));
    let letters: Vec<String> = object.elements.iter().map(shown).collect::<Option<_>>()?;
    let (last, before) = letters.split_last()?;
    let is_string =
        last == "'\\0'" && before.iter().all(|one| one.starts_with('\'') && one != last);
    if !is_string {
        return Some(format!("{{{}}}", letters.join(", ")));
    }
    let inner = before.iter().map(|one| match &one[1..one.len() - 1] {
        "\"" => "\\\"".to_owned(),
        "\\'" => "'".to_owned(),
        other => other.to_owned(),
    });
    Some(format!("\"{}\"", inner.collect::<String>()))
}

/// The record that an object of Java comes as.
fn java_record(object: &Object) -> Option<&IndexMap<String, Value>> {
    object.elements.first()?.java_members()
}

/// Strings and boxed numbers of Java as they are written in source.
fn plain(objects: &[Object], number: usize) -> Option<String> {
    let object = objects.get(number)?;
    let record = java_record(object)?;
    let class = object.type_name.strip_prefix("struct java.lang.")?;
    let value = record.get("value").unwrap_or(&Value::Null);
    if class != "String" {
        let boxes = ["Integer", "Long", "Short", "Byte", "Character", "Boolean", "Float", "Double"];
        return boxes.contains(&class).then(|| text(objects, value));
    }
    let Value::Object { object: chars, .. } = value else { return None };
    let Value::List(elements) = java_record(objects.get(*chars)?)?.get("elements")? else {
        return None;
    };
    let codes: Vec<u8> = elements.iter().filter_map(|byte| signed_byte(byte.scalar()?)).collect();
    let is_wide = record.get("coder").and_then(Value::scalar) == Some("1");
    let units: Vec<u16> = if is_wide {
        codes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
    } else {
        codes.iter().map(|&code| u16::from(code)).collect()
    };
    Some(format!("{:?}", String::from_utf16_lossy(&units)))
}

fn signed_byte(text: &str) -> Option<u8> {
    let number: i16 = text.parse().ok()?;
    Some(number.to_le_bytes()[0])
}

/// Whether an object is written where it is used: a string, its characters, a boxed number.
fn is_inlined(objects: &[Object], number: usize) -> bool {
    let holds = |other: usize| {
        let value = objects.get(other).and_then(java_record).and_then(|record| record.get("value"));
        plain(objects, other).is_some()
            && matches!(value, Some(Value::Object { object, .. }) if *object == number)
    };
    plain(objects, number).is_some() || (0..objects.len()).any(holds)
}

/// A value as a person writes it.
fn text(objects: &[Object], value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Number(text) | Value::Float { decimal: text, .. } => text.clone(),
        Value::List(items) => list(objects, items),
        Value::Object { object, .. } => plain(objects, *object)
            .or_else(|| target(objects, value).map(|place| format!("-> {place}")))
            .unwrap_or_else(|| "?".to_owned()),
        Value::Made { made, .. } => format!("memory {}", made + 1),
        Value::Global { global, .. } if literal::is_text(global) => global.clone(),
        Value::Global { global, .. } => format!("&{global}"),
        Value::Function { function } => function.clone(),
        Value::Int { int, bits } => format!("{{.int = {int}, .bits = {bits}}}"),
        Value::Pointer { pointer } => format!("{{.pointer = {pointer}}}"),
        Value::Bytes { bytes } => {
            let bytes: Vec<String> = bytes.iter().map(ToString::to_string).collect();
            format!("{{.bytes = {{{}}}}}", bytes.join(", "))
        }
        Value::Union { member: Some(member), value, .. } => {
            format!("{{.{member} = {}}}", text(objects, value))
        }
        Value::Union { member: None, field, value } => {
            format!("{{.field = {field}, .value = {}}}", text(objects, value))
        }
        Value::Record(fields) => members(objects, fields.iter()),
    }
}

fn list(objects: &[Object], items: &[Value]) -> String {
    let items: Vec<String> = items.iter().map(|item| text(objects, item)).collect();
    format!("{{{}}}", items.join(", "))
}

fn members<'a>(
    objects: &[Object],
    fields: impl Iterator<Item = (&'a String, &'a Value)>,
) -> String {
    let fields = fields.map(|(name, field)| format!(".{name} = {}", text(objects, field)));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::data::test::Inputs;

    fn lines(inputs: serde_json::Value) -> Vec<String> {
        let inputs: Inputs = serde_json::from_value(inputs).expect("inputs");
        super::lines(&inputs)
    }

    #[test]
    fn pointers_name_what_they_lead_to() {
        let inputs = json!({
            "params": [
                { "name": "p", "value": { "object": 0, "offset": 0 } },
                { "name": "end", "value": { "object": 0, "offset": 8 } },
                { "name": "none", "value": null },
                { "name": "x", "value": { "hex": "0x1p0", "decimal": "1.0" } },
            ],
            "objects": [{ "name": "p", "type": "struct s", "elements":
                [{ "b": "1", "a": { "global": "g", "offset": 0 } }] }],
            "stubs": [
                { "function": "read", "result": "7" },
                { "function": "find", "result": null },
                { "function": "note" },
            ],
            "stdin": [104, 105],
        });
        assert_eq!(
            lines(inputs),
            [
                "p -> p[]",
                "end -> p[] + 8 bytes",
                "none = null",
                "x = 1.0",
                "p[] = {{.b = 1, .a = &g}}",
                "read() returns 7",
                "find() returns null",
                "note() returns",
                "stdin = \"hi\"",
            ]
        );
    }

    #[test]
    fn characters_of_c_are_written_as_in_c() {
        let memory = |elements: &[&str]| json!({ "name": "s", "type": "const char", "length": elements.len(), "elements": elements });
        let inputs = json!({
            "params": [{ "name": "c", "type": "char", "value": "97" },
                { "name": "d", "type": "unsigned char", "value": "97" },
                { "name": "e", "type": "char", "value": "-3" }],
            "objects": [memory(&["34", "39", "10", "0"]), memory(&["115", "200"]), memory(&["0", "0"])],
        });
        let expected = [
            "c = 'a'",
            "d = 97",
            "e = -3",
            "s[] = \"\\\"'\\n\"",
            "s[] = {'s', 200}",
            "s[] = {'\\0', '\\0'}",
        ];
        assert_eq!(lines(inputs), expected);
    }

    #[test]
    fn strings_and_arrays_of_java_are_written_as_in_java() {
        let string = |value: usize| {
            json!({ "name": "text", "type": "struct java.lang.String", "elements":
                [{ "class number": "1", "value": { "object": value, "offset": 0 }, "coder": "1" }] })
        };
        let inputs = json!({
            "params": [
                { "name": "text", "value": { "object": 0, "offset": 0 } },
                { "name": "list", "value": { "object": 2, "offset": 0 } },
                { "name": "owner", "value": { "object": 3, "offset": 0 } },
            ],
            "objects": [
                string(1),
                { "name": "text#chars", "type": "struct [B", "elements":
                    [{ "class number": "2", "length": "4", "elements": ["-4", "0", "105", "0"] }] },
                { "name": "list", "type": "struct [I", "elements":
                    [{ "class number": "3", "length": "2", "elements": ["7", "8"] }] },
                { "name": "owner", "type": "struct org.acme.Owner", "elements":
                    [{ "class number": "4", "name": { "object": 0, "offset": 0 }, "age": "5" }] },
            ],
        });
        assert_eq!(
            lines(inputs),
            ["text = \"üi\"", "list = {7, 8}", "owner = new Owner {.name = \"üi\", .age = 5}",]
        );
    }

    #[test]
    fn odd_data_is_no_reason_to_stop() {
        for odd in [json!(null), json!({ "params": [{}] }), json!({ "objects": [3, null] })] {
            assert!(serde_json::from_value::<Inputs>(odd).is_err());
        }
        assert_eq!(lines(json!({ "objects": [{}] })), ["[] = {}"]);
        let wild = json!({ "params": [{ "name": "p", "value": { "object": 9, "offset": 0 } }] });
        assert_eq!(lines(wild), ["p = ?"]);
    }
}
