//! Inputs of a test as a person writes them, from suite.json's data alone.

use serde_json::Value;

/// `name = value` for parameters, globals, memory and results of stubs.
pub(crate) fn lines(inputs: &Value) -> Vec<String> {
    let objects = inputs["objects"].as_array().map_or(&[][..], Vec::as_slice);
    let mut lines = Vec::new();
    for group in ["params", "globals"] {
        for input in inputs[group].as_array().into_iter().flatten() {
            let name = input["name"].as_str().unwrap_or("?");
            let place = target(objects, &input["value"]);
            // An object with the same name follows below.
            if place.as_deref() == Some(name) {
                continue;
            }
            lines.push(match place {
                Some(place) => format!("{name} -> {place}"),
                None => format!("{name} = {}", text(objects, &input["value"])),
            });
        }
    }
    for (number, object) in objects.iter().enumerate() {
        if !is_inlined(objects, number) {
            lines.push(format!("{} = {}", object_name(object), content(objects, object)));
        }
    }
    for stub in inputs["stubs"].as_array().into_iter().flatten() {
        let name = stub["function"].as_str().unwrap_or("?");
        lines.push(format!("{name}() returns {}", text(objects, &stub["result"])));
    }
    let stdin: Vec<u8> = bytes(&inputs["stdin"]);
    if !stdin.is_empty() {
        lines.push(format!("stdin = {:?}", String::from_utf8_lossy(&stdin)));
    }
    for number in inputs["failing_allocations"].as_array().into_iter().flatten() {
        lines.push(format!("allocation {number} fails"));
    }
    for (number, argument) in inputs["argv"].as_array().into_iter().flatten().enumerate() {
        let argument = bytes(argument);
        lines.push(format!("argv[{}] = {:?}", number + 1, String::from_utf8_lossy(&argument)));
    }
    lines
}

fn bytes(list: &Value) -> Vec<u8> {
    let bytes = list.as_array().into_iter().flatten().filter_map(Value::as_u64);
    bytes.filter_map(|byte| u8::try_from(byte).ok()).collect()
}

/// What a pointer leads to, unless it is told in place.
fn target(objects: &[Value], value: &Value) -> Option<String> {
    let (number, offset) = pointer(value)?;
    if plain(objects, number).is_some() {
        return None;
    }
    let object = objects.get(number)?;
    let at = if offset == 0 { String::new() } else { format!(" + {offset} bytes") };
    Some(format!("{}{at}", object_name(object)))
}

/// Memory of C is `name[]`; an object of Java has its name only.
fn object_name(object: &Value) -> String {
    let name = object["name"].as_str().unwrap_or("?");
    if java_record(object).is_some() { name.to_owned() } else { format!("{name}[]") }
}

fn content(objects: &[Value], object: &Value) -> String {
    let Some(record) = java_record(object) else { return text(objects, &object["elements"]) };
    if record["elements"].is_array() {
        return text(objects, &record["elements"]);
    }
    let own = |name: &str| !matches!(name, "class number" | "identity hash");
    let fields = record.as_object().into_iter().flatten().filter(|(name, _)| own(name));
    let fields: Vec<String> =
        fields.map(|(name, field)| format!(".{name} = {}", text(objects, field))).collect();
    let class = object["type"].as_str().unwrap_or_default().trim_start_matches("struct ");
    let class = class.rsplit('.').next().unwrap_or(class);
    format!("new {class} {{{}}}", fields.join(", "))
}

/// The record that an object of Java comes as.
fn java_record(object: &Value) -> Option<&Value> {
    let record = object["elements"].get(0)?;
    record.get("class number").map(|_| record)
}

fn pointer(value: &Value) -> Option<(usize, i64)> {
    let number = usize::try_from(value.get("object")?.as_u64()?).ok()?;
    Some((number, value.get("offset")?.as_i64()?))
}

/// Strings and boxed numbers of Java as they are written in source.
fn plain(objects: &[Value], number: usize) -> Option<String> {
    let object = objects.get(number)?;
    let record = java_record(object)?;
    let class = object["type"].as_str()?.strip_prefix("struct java.lang.")?;
    if class != "String" {
        let boxes = ["Integer", "Long", "Short", "Byte", "Character", "Boolean", "Float", "Double"];
        return boxes.contains(&class).then(|| text(objects, &record["value"]));
    }
    let (chars, _) = pointer(&record["value"])?;
    let elements = java_record(objects.get(chars)?)?["elements"].as_array()?;
    let codes: Vec<u8> = elements.iter().filter_map(|byte| signed_byte(byte.as_str()?)).collect();
    let units: Vec<u16> = if record["coder"] == "1" {
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

/// Whether an object is told where it is used: a string, its characters, a boxed number.
fn is_inlined(objects: &[Value], number: usize) -> bool {
    let holds = |other: usize| {
        let record = objects.get(other).and_then(java_record);
        plain(objects, other).is_some()
            && record
                .and_then(|record| pointer(&record["value"]))
                .is_some_and(|(at, _)| at == number)
    };
    plain(objects, number).is_some() || (0..objects.len()).any(holds)
}

/// A value as a person writes it.
fn text(objects: &[Value], json: &Value) -> String {
    match json {
        Value::Null => "null".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| text(objects, item)).collect();
            format!("{{{}}}", items.join(", "))
        }
        Value::Object(map) => {
            if let Some(decimal) = map.get("decimal").and_then(Value::as_str) {
                return decimal.to_owned();
            }
            if let Some((number, _)) = pointer(json) {
                return plain(objects, number)
                    .or_else(|| target(objects, json).map(|place| format!("-> {place}")))
                    .unwrap_or_else(|| "?".to_owned());
            }
            if let Some(name) = map.get("global").and_then(Value::as_str) {
                return format!("&{name}");
            }
            if let Some(name) = map.get("function").and_then(Value::as_str) {
                return name.to_owned();
            }
            let fields =
                map.iter().map(|(name, field)| format!(".{name} = {}", text(objects, field)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Bool(_) | Value::Number(_) => json.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::lines;

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
            "stubs": [{ "function": "read", "result": "7" }],
            "stdin": [104, 105],
        });
        assert_eq!(
            lines(&inputs),
            [
                "p -> p[]",
                "end -> p[] + 8 bytes",
                "none = null",
                "x = 1.0",
                "p[] = {{.b = 1, .a = &g}}",
                "read() returns 7",
                "stdin = \"hi\"",
            ]
        );
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
            lines(&inputs),
            ["text = \"üi\"", "list = {7, 8}", "owner = new Owner {.name = \"üi\", .age = 5}",]
        );
    }

    #[test]
    fn odd_data_is_no_reason_to_stop() {
        for odd in [json!(null), json!({ "params": [{}] }), json!({ "objects": [{}, 3, null] })] {
            let _ = lines(&odd);
        }
        let wild = json!({ "params": [{ "name": "p", "value": { "object": 9, "offset": 0 } }] });
        assert_eq!(lines(&wild), ["p = ?"]);
    }
}
