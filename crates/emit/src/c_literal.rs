//! Values as C literals and initializers.

use glassbox_ir::{Program, RecordKind, SourceType, SourceTypeId};
use glassbox_testcase::{InputPointer, InputValue, NamedInput};
use glassbox_values::{Bits, Float, Signedness};

use crate::c_type::declare;

/// What pointers refer to, by name.
pub trait Names {
    /// An expression for the pointer.
    fn pointer(&self, pointer: InputPointer) -> String;

    /// The type that the expression points to, where it is not `void`.
    fn element_type(&self, pointer: InputPointer) -> Option<SourceTypeId>;
}

/// An integer of a type: characters as such, enum constants by name, the most negative number without
/// overflow.
pub fn integer(program: &Program, ty: SourceTypeId, bits: Bits) -> String {
    let ty = program.source_type(program.resolve_source_type(ty));
    if let SourceType::Enum { constants, signedness, .. } = ty {
        let value = signed_value(bits, *signedness);
        let constant = constants.iter().find(|constant| constant.value == value);
        return constant
            .map_or_else(|| number(bits, *signedness), |constant| constant.name.clone());
    }
    let SourceType::Int { signedness, is_char, width, .. } = ty else {
        return number(bits, Signedness::Unsigned);
    };
    let letter = if *is_char && *width == 8 { character(bits) } else { None };
    letter.unwrap_or_else(|| number(bits, *signedness))
}

fn signed_value(bits: Bits, signedness: Signedness) -> i128 {
    match signedness {
        Signedness::Signed => bits.signed(),
        Signedness::Unsigned => i128::try_from(bits.unsigned()).unwrap_or(i128::MAX),
    }
}

fn character(bits: Bits) -> Option<String> {
    let byte = u8::try_from(bits.unsigned()).ok()?;
    Some(match byte {
        b'\'' => "'\\''".to_owned(),
        b'\\' => "'\\\\'".to_owned(),
        b'\n' => "'\\n'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        b'\r' => "'\\r'".to_owned(),
        b' '..=b'~' => format!("'{}'", char::from(byte)),
        _ => return None,
    })
}

/// A decimal literal that has the value and no warning.
fn number(bits: Bits, signedness: Signedness) -> String {
    let width = bits.width();
    match signedness {
        Signedness::Unsigned => {
            let value = bits.unsigned();
            if width > 64 {
                return wide(value);
            }
            let suffix = if value > u128::from(u32::MAX) { "UL" } else { "U" };
            if value <= 0x7fff_ffff && width < 32 {
                value.to_string()
            } else {
                format!("{value}{suffix}")
            }
        }
        Signedness::Signed => {
            let value = bits.signed();
            if width > 64 {
                return if value < 0 {
                    format!("-{}", wide(value.unsigned_abs()))
                } else {
                    wide(value.unsigned_abs())
                };
            }
            if value == i128::from(i64::MIN) {
                "(-9223372036854775807L - 1)".to_owned()
            } else if value == i128::from(i32::MIN) {
                "(-2147483647 - 1)".to_owned()
            } else if value.unsigned_abs() > 0x7fff_ffff {
                format!("{value}L")
            } else {
                value.to_string()
            }
        }
    }
}

fn wide(value: u128) -> String {
    format!("(((__int128){}UL << 64) | {}UL)", value >> 64, value & u128::from(u64::MAX))
}

/// An exact float literal.
pub fn float(value: Float) -> String {
    let suffix = if value.format() == glassbox_values::Format::F32 { "f" } else { "" };
    if value.is_nan() {
        return format!("__builtin_nan{suffix}(\"\")");
    }
    if value.is_infinite() {
        let sign = if value.is_negative() { "-" } else { "" };
        return format!("{sign}__builtin_inf{suffix}()");
    }
    let decimal = value.to_decimal();
    let is_short = decimal.len() <= 12 && !decimal.contains(['e', 'E']);
    if is_short {
        let text = if decimal.contains('.') { decimal } else { format!("{decimal}.0") };
        format!("{text}{suffix}")
    } else {
        format!("{}{suffix} /* {decimal} */", value.to_hex())
    }
}

/// An initializer for a value of type `ty`.
pub fn initializer(
    program: &Program,
    ty: SourceTypeId,
    value: &InputValue,
    names: &dyn Names,
) -> String {
    let ty = program.resolve_source_type(ty);
    match (value, program.source_type(ty)) {
        (InputValue::Int(bits), _) => integer(program, ty, *bits),
        (InputValue::Float(value), _) => float(*value),
        (InputValue::Pointer(pointer), SourceType::Pointer { target, .. }) => {
            let text = names.pointer(*pointer);
            let has_type = |element: SourceTypeId| is_assignable(program, element, *target);
            match names.element_type(*pointer) {
                Some(element) if !has_type(element) => {
                    format!("({})({text})", declare(program, ty, ""))
                }
                Some(_) | None => text,
            }
        }
        (InputValue::Pointer(pointer), _) => names.pointer(*pointer),
        (InputValue::Array(elements), SourceType::Array { element, .. }) => {
            array_initializer(program, *element, elements, names)
        }
        (InputValue::Struct(_), SourceType::Record { fields: Some(_), .. }) if is_zero(value) => {
            "{0}".to_owned()
        }
        (InputValue::Struct(values), SourceType::Record { fields: Some(fields), .. }) => {
            let mut parts = Vec::new();
            for (field, value) in fields.iter().zip(values) {
                // A flexible array member must not be initialized, not even as empty; others are zero without it.
                if matches!(value, InputValue::Array(_) | InputValue::Struct(_)) && is_zero(value) {
                    continue;
                }
                let text = initializer(program, field.ty, value, names);
                // Unnamed bit-fields cannot be initialized; anonymous records can, in place.
                match (&field.name, field.bits) {
                    (Some(name), _) => parts.push(format!(".{name} = {text}")),
                    (None, None) => parts.push(text),
                    (None, Some(_)) => {}
                }
            }
            format!("{{{}}}", parts.join(", "))
        }
        (
            InputValue::Union { field, value },
            SourceType::Record { kind: RecordKind::Union, fields: Some(fields), .. },
        ) => {
            let field = &fields[*field];
            let text = initializer(program, field.ty, value, names);
            match &field.name {
                Some(name) => format!("{{.{name} = {text}}}"),
                None => format!("{{{text}}}"),
            }
        }
        // A number that no pointer of the test stands for.
        (InputValue::Bytes(bytes), SourceType::Pointer { .. }) => {
            let number =
                bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
            format!("({}){number:#x}UL", declare(program, ty, ""))
        }
        // No initializer of a record gives all its bytes: they are copied afterwards.
        (InputValue::Bytes(_), SourceType::Record { fields: Some(_), .. }) => "{0}".to_owned(),
        (InputValue::Bytes(bytes), _) if bytes.iter().all(|&byte| byte == 0) => "{0}".to_owned(),
        (InputValue::Bytes(bytes), _) => {
            let list: Vec<String> = bytes.iter().map(ToString::to_string).collect();
            format!("{{{}}}", list.join(", "))
        }
        (InputValue::Array(_) | InputValue::Struct(_) | InputValue::Union { .. }, _) => {
            "{0}".to_owned()
        }
    }
}

/// Whether a pointer to objects of type `element`, as they are declared, is one to `target` without a cast.
fn is_assignable(program: &Program, element: SourceTypeId, target: SourceTypeId) -> bool {
    let (element, target) =
        (program.resolve_source_type(element), program.resolve_source_type(target));
    let is_void = matches!(program.source_type(target), SourceType::Void);
    // Objects of incomplete types are declared as bytes.
    let is_declared = !matches!(
        program.source_type(element),
        SourceType::Void | SourceType::Opaque { .. } | SourceType::Record { fields: None, .. }
    );
    is_void || (is_declared && element == target)
}

/// Arguments as they stand in a call.
pub fn arguments(program: &Program, params: &[NamedInput], names: &dyn Names) -> String {
    let argument = |param: &NamedInput| {
        let text = initializer(program, param.source_type, &param.value, names);
        let is_record = text.starts_with('{');
        let cast = if is_record { declare(program, param.source_type, "") } else { String::new() };
        if is_record { format!("({cast}){text}") } else { text }
    };
    params.iter().map(argument).collect::<Vec<String>>().join(", ")
}

/// The initializer of an array with a length of its own, so that zeros at its end need not be written.
pub fn array_initializer(
    program: &Program,
    element: SourceTypeId,
    elements: &[InputValue],
    names: &dyn Names,
) -> String {
    let n_used = elements.iter().rposition(|value| !is_zero(value)).map_or(0, |last| last + 1);
    // A text shows its end, other arrays a few zeros.
    if let Some(text) = elements.get(..=n_used)
        && let Some(text) = string_literal(program, element, text)
    {
        return text;
    }
    let is_plain = elements.iter().all(|value| value.as_int().is_some());
    let n_shown = if n_used > 0 && is_plain { n_used.max(elements.len().min(8)) } else { n_used };
    if n_shown == 0 {
        return "{0}".to_owned();
    }
    elements_text(program, element, &elements[..n_shown], names)
}

/// Whether the value is what an initializer leaves where it says nothing.
fn is_zero(value: &InputValue) -> bool {
    match value {
        InputValue::Int(bits) => bits.is_zero(),
        InputValue::Float(float) => float.is_zero() && !float.is_negative(),
        InputValue::Pointer(pointer) => matches!(pointer, InputPointer::Null),
        InputValue::Struct(parts) | InputValue::Array(parts) => parts.iter().all(is_zero),
        // Bytes of the other members are zero only where the first one is.
        InputValue::Union { .. } => false,
        InputValue::Bytes(bytes) => bytes.iter().all(|&byte| byte == 0),
    }
}

/// Elements in braces; text as a string literal where it is one.
pub fn elements_text(
    program: &Program,
    element: SourceTypeId,
    elements: &[InputValue],
    names: &dyn Names,
) -> String {
    if let Some(text) = string_literal(program, element, elements) {
        return text;
    }
    let mut list: Vec<String> =
        elements.iter().map(|value| initializer(program, element, value, names)).collect();
    // Trailing zeros need not be written.
    let is_zero = |text: &String| matches!(text.as_str(), "0" | "0U" | "0.0" | "0.0f");
    while list.len() > 8 && list.last().is_some_and(is_zero) {
        list.pop();
    }
    format!("{{{}}}", list.join(", "))
}

/// A zero-terminated array of printable characters as `"text"`.
fn string_literal(
    program: &Program,
    element: SourceTypeId,
    elements: &[InputValue],
) -> Option<String> {
    let resolved = program.resolve_source_type(element);
    let SourceType::Int { is_char, width: 8, .. } = program.source_type(resolved) else {
        return None;
    };
    let bytes: Vec<u8> = elements
        .iter()
        .map(|value| u8::try_from(value.as_int()?.unsigned()).ok())
        .collect::<Option<_>>()?;
    let (last, text) = bytes.split_last()?;
    let is_printed = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let is_text = text.iter().all(is_printed) && *last == 0;
    // Bytes are text where they look like it.
    let is_enough = *is_char || text.len() > 1;
    if !is_text || !is_enough {
        return None;
    }
    Some(string(text))
}

/// Bytes as a string literal, without the zero at its end.
pub fn string(bytes: &[u8]) -> String {
    let escaped: String = bytes
        .iter()
        .map(|&byte| match byte {
            b'"' => "\\\"".to_owned(),
            b'\\' => "\\\\".to_owned(),
            // No trigraphs.
            b'?' => "\\?".to_owned(),
            b'\n' => "\\n".to_owned(),
            b'\t' => "\\t".to_owned(),
            b'\r' => "\\r".to_owned(),
            b' '..=b'~' => char::from(byte).to_string(),
            // Three octal digits end by themselves; hexadecimal digits would go on.
            byte => format!("\\{byte:03o}"),
        })
        .collect();
    format!("\"{escaped}\"")
}

/// Bytes between the quotes of a C string.
pub fn string_bytes(bytes: &[u8]) -> String {
    let mut out = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => out.push_str("\\n"),
            // No trigraphs: `?` is escaped too.
            b'"' | b'\\' | b'?' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out
}
