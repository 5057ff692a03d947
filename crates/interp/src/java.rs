//! Java values in a machine's memory: arguments of runs of JVM programs, and what the runs end with.
//!
//! Objects are built and read by the program's `ObjectLayout`. Values read back are trees; an object that
//! is neither a string nor an array shows as its class.

use glassbox_ir::object_layout::{ARRAY_LENGTH, CLASS_NUMBER, CONTENTS};
use glassbox_ir::{
    FuncId, Number, ObjectLayout, PointerSize, Program, Reference, Shape, SourceType, SourceTypeId,
    TypeKind, TypeLayout,
};
use glassbox_values::{Float, Format};

use crate::machine::Machine;
use crate::memory::{Address, Memory};
use crate::outcome::Outcome;

/// A value of the Java language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Void,
    Null,
    Bool(bool),
    /// byte, short, char, int or long.
    Int(i64),
    /// float or double; NaN has one form.
    Float(Float),
    /// UTF-16.
    String(Vec<u16>),
    Array(Vec<Value>),
    /// An object of this class.
    Object(String),
}

/// How a run of a Java method ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    Returned(Value),
    /// Class and message of the exception.
    Thrown {
        class: String,
        message: Option<String>,
    },
    /// Anything else, mostly a limit of ours.
    Other(Outcome),
}

/// Runs a method and reads how it ended.
pub fn run_java(machine: &mut Machine<'_>, function: FuncId, args: &[u128]) -> Ending {
    let outcome = machine.run(function, args);
    let program = machine.program();
    let Outcome::Returned(word) = outcome else { return Ending::Other(outcome) };
    let word = word.unwrap_or(0);
    if let Some((class, message)) = pending_exception(machine) {
        return Ending::Thrown { class, message };
    }
    let ty = program.function(function).result_source_type;
    Ending::Returned(read_value(machine, ty, word, 0))
}

fn layout(program: &Program) -> Option<&ObjectLayout> {
    program.object_layout.as_ref()
}

fn pending_exception(machine: &Machine<'_>) -> Option<(String, Option<String>)> {
    let pending = layout(machine.program())?.pending;
    let exception = machine.memory().load(machine.global_address(pending), 8).ok()?;
    if exception == 0 {
        return None;
    }
    let ty = type_of(machine.memory(), machine.program(), exception)?;
    let message = field_offset(machine.program(), ty, "detailMessage")
        .and_then(|offset| machine.memory().load(exception + offset, 8).ok())
        .filter(|&message| message != 0)
        .and_then(|message| read_string(machine.memory(), machine.program(), message));
    Some((ty.name.clone(), message.map(|text| String::from_utf16_lossy(&text))))
}

/// The type of the object at an address.
pub(crate) fn type_of<'p>(
    memory: &Memory,
    program: &'p Program,
    object: Address,
) -> Option<&'p TypeLayout> {
    let number = memory.load(object + CLASS_NUMBER, 4).ok()?;
    layout(program)?.get(u32::try_from(number).ok()?)
}

fn field_offset(program: &Program, ty: &TypeLayout, name: &str) -> Option<u64> {
    let TypeKind::Class { fields, .. } = &ty.kind else { return None };
    let is_it = |field: &&(glassbox_ir::FieldId, u64)| program.field(field.0).name == name;
    fields.iter().find(is_it).map(|(_, offset)| *offset)
}

/// The text of a `java.lang.String`, as UTF-16.
pub fn read_string(memory: &Memory, program: &Program, object: Address) -> Option<Vec<u16>> {
    let ty = type_of(memory, program, object).filter(|ty| ty.name == "java.lang.String")?;
    let value = memory.load(object + field_offset(program, ty, "value")?, 8).ok()?;
    let is_wide = match field_offset(program, ty, "coder") {
        Some(offset) => memory.load(object + offset, 1).ok()? != 0,
        None => true,
    };
    let length = memory.load(value + ARRAY_LENGTH, 4).ok()?;
    let array = type_of(memory, program, value)?;
    let n_bytes = if array.name == "[C" { length * 2 } else { length };
    let bytes = memory.read(value + CONTENTS, n_bytes).ok()?;
    if is_wide {
        Some(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
    } else {
        Some(bytes.iter().map(|&byte| byte.into()).collect())
    }
}

/// Arrays of arrays deeper than this are not looked into.
const MAX_DEPTH: usize = 16;

fn read_value(machine: &Machine<'_>, ty: SourceTypeId, word: u128, depth: usize) -> Value {
    let program = machine.program();
    match program.shape(ty) {
        Shape::Void => Value::Void,
        Shape::Number(Number::Bool) => Value::Bool(word & 1 != 0),
        Shape::Number(Number::Int { width, signedness }) => {
            let bits = glassbox_values::Bits::new(word, width);
            let value = match signedness {
                glassbox_values::Signedness::Signed => bits.signed(),
                glassbox_values::Signedness::Unsigned => bits.unsigned().cast_signed(),
            };
            Value::Int(i64::try_from(value).unwrap_or(0))
        }
        Shape::Number(Number::Float(format)) => {
            let float = Float::from_bits(u64::try_from(word).unwrap_or(0), format);
            Value::Float(if float.is_nan() { Float::nan(format) } else { float })
        }
        Shape::Pointer { .. }
        | Shape::Array { .. }
        | Shape::Record { .. }
        | Shape::Function
        | Shape::Reference
        | Shape::Opaque { .. } => read_reference(machine, u64::try_from(word).unwrap_or(0), depth),
    }
}

fn read_reference(machine: &Machine<'_>, address: Address, depth: usize) -> Value {
    if address == 0 {
        return Value::Null;
    }
    let program = machine.program();
    let Some(ty) = type_of(machine.memory(), program, address) else {
        return Value::Object("?".to_owned());
    };
    if let Some(text) = read_string(machine.memory(), program, address) {
        return Value::String(text);
    }
    let TypeKind::Array { element, element_ty } = ty.kind else {
        return Value::Object(ty.name.clone());
    };
    let length = machine.memory().load(address + ARRAY_LENGTH, 4).unwrap_or(0);
    if depth > MAX_DEPTH {
        return Value::Object(ty.name.clone());
    }
    let size = element_ty.size(PointerSize::Eight);
    let elements = (0..length).map(|index| {
        let at = address + CONTENTS + index * size;
        let word = machine.memory().load(at, u32::try_from(size).unwrap_or(8)).unwrap_or(0);
        read_value(machine, element, word.into(), depth + 1)
    });
    Value::Array(elements.collect())
}

/// Puts a value into the machine's memory where it is an object; the bits of an argument. `None` when
/// the value does not fit the type or memory is full.
pub fn write_value(machine: &mut Machine<'_>, ty: SourceTypeId, value: &Value) -> Option<u128> {
    let program = machine.program();
    let shape = program.shape(ty);
    match value {
        Value::Bool(value) => (shape == Shape::Number(Number::Bool)).then_some(u128::from(*value)),
        Value::Int(value) => {
            let Shape::Number(Number::Int { width, .. }) = shape else { return None };
            Some(glassbox_values::Bits::from_signed(i128::from(*value), width).unsigned())
        }
        Value::Float(value) => {
            let Shape::Number(Number::Float(_)) = shape else { return None };
            Some(value.to_bits().into())
        }
        Value::Null => Some(0),
        Value::String(text) => match program.source_type(ty).reference()? {
            Reference::Class(_) | Reference::Unknown => write_string(machine, text).map(u128::from),
            Reference::Array { .. } => None,
        },
        Value::Array(values) => match program.source_type(ty).reference()? {
            Reference::Array { element } => {
                let number = number_of(program, |other| other.source_type == ty)?;
                write_array(machine, number, element, values).map(u128::from)
            }
            Reference::Class(_) | Reference::Unknown => None,
        },
        Value::Void | Value::Object(_) => None,
    }
}

fn number_of(program: &Program, is_it: impl Fn(&TypeLayout) -> bool) -> Option<u32> {
    let position = layout(program)?.types.iter().skip(1).position(is_it)?;
    u32::try_from(position + 1).ok()
}

fn write_array(
    machine: &mut Machine<'_>,
    number: u32,
    element: SourceTypeId,
    values: &[Value],
) -> Option<Address> {
    let ty = layout(machine.program())?.get(number)?;
    let TypeKind::Array { element_ty, .. } = ty.kind else { return None };
    let size = usize::try_from(element_ty.size(PointerSize::Eight)).ok()?;
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.extend_from_slice(&u32::try_from(values.len()).ok()?.to_le_bytes());
    for value in values {
        let word = write_value(machine, element, value)?;
        bytes.extend_from_slice(&word.to_le_bytes()[..size]);
    }
    machine.new_input(bytes)
}

fn write_string(machine: &mut Machine<'_>, text: &[u16]) -> Option<Address> {
    let program = machine.program();
    let number = layout(program)?.number_of("java.lang.String")?;
    let ty = layout(program)?.get(number)?;
    let TypeKind::Class { size, .. } = ty.kind else { return None };
    let coder = field_offset(program, ty, "coder");
    let is_latin1 = coder.is_some() && text.iter().all(|&unit| unit < 256);
    let array_name = if coder.is_some() { "[B" } else { "[C" };
    let mut contents = Vec::new();
    for unit in text {
        let pair = unit.to_le_bytes();
        contents.extend_from_slice(if is_latin1 { &pair[..1] } else { &pair });
    }
    let n_elements = if coder.is_some() { contents.len() } else { text.len() };
    let mut array = layout(program)?.number_of(array_name)?.to_le_bytes().to_vec();
    array.extend_from_slice(&u32::try_from(n_elements).ok()?.to_le_bytes());
    array.extend_from_slice(&contents);
    let value_at = usize::try_from(field_offset(program, ty, "value")?).ok()?;
    let array = machine.new_input(array)?;
    let mut object = vec![0; usize::try_from(size).ok()?];
    object[..4].copy_from_slice(&number.to_le_bytes());
    object[value_at..value_at + 8].copy_from_slice(&array.to_le_bytes());
    if let Some(at) = coder.and_then(|at| usize::try_from(at).ok()) {
        object[at] = u8::from(!is_latin1);
    }
    machine.new_input(object)
}

/// A value of a type from what a person writes: `7`, `-2.5`, `true`, `'x'`, `null`, a text, `{1, 2}`.
pub fn parse_value(program: &Program, ty: SourceTypeId, text: &str) -> Option<Value> {
    let trimmed = text.trim();
    match program.source_type(ty) {
        SourceType::Bool => trimmed.parse().ok().map(Value::Bool),
        SourceType::Int { width, is_char, .. } => {
            let unquoted = trimmed.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
            if let Some(quoted) = unquoted.filter(|_| *is_char) {
                let mut units = quoted.encode_utf16();
                let unit = units.next().filter(|_| units.next().is_none())?;
                return Some(Value::Int(unit.into()));
            }
            let value: i64 = trimmed.trim_end_matches(['L', 'l']).parse().ok()?;
            let low = if *is_char { 0 } else { -(1i128 << (width - 1)) };
            let high = if *is_char { 0xffff } else { (1i128 << (width - 1)) - 1 };
            (low <= value.into() && i128::from(value) <= high).then_some(Value::Int(value))
        }
        SourceType::Float { format, .. } => {
            let plain = trimmed.trim_end_matches(['f', 'F', 'd', 'D']);
            let plain = if plain.eq_ignore_ascii_case("in") { trimmed } else { plain };
            let bits = if *format == Format::F32 {
                u64::from(plain.parse::<f32>().ok()?.to_bits())
            } else {
                plain.parse::<f64>().ok()?.to_bits()
            };
            Some(Value::Float(Float::from_bits(bits, *format)))
        }
        _ if trimmed == "null" => Some(Value::Null),
        SourceType::ClassArray { element } => {
            let inner = trimmed.strip_prefix('{')?.strip_suffix('}')?;
            let parts = split_elements(inner);
            let values = parts.iter().map(|part| parse_value(program, *element, part));
            values.collect::<Option<Vec<Value>>>().map(Value::Array)
        }
        SourceType::Class(_) | SourceType::Opaque { .. } => {
            let quoted = trimmed.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            Some(Value::String(quoted.unwrap_or(text).encode_utf16().collect()))
        }
        SourceType::Void
        | SourceType::Enum { .. }
        | SourceType::Pointer { .. }
        | SourceType::Array { .. }
        | SourceType::Record { .. }
        | SourceType::Function { .. }
        | SourceType::Named { .. } => None,
    }
}

/// The parts between commas that no braces enclose.
fn split_elements(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0i32;
    for c in text.chars() {
        match c {
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    if parts.len() == 1 && parts[0].trim().is_empty() { Vec::new() } else { parts }
}

/// As Java source would write it.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Void => write!(f, "void"),
            Value::Null => write!(f, "null"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Float(value) if value.is_nan() => write!(f, "NaN"),
            Value::Float(value) => match value.format() {
                Format::F32 => {
                    let bits = u32::try_from(value.to_bits()).unwrap_or(0);
                    write!(f, "{:?}", f32::from_bits(bits))
                }
                _ => write!(f, "{:?}", f64::from_bits(value.to_bits())),
            },
            Value::String(text) => write!(f, "{:?}", String::from_utf16_lossy(text)),
            Value::Array(values) => {
                write!(f, "{{")?;
                for (position, value) in values.iter().enumerate() {
                    let separator = if position == 0 { "" } else { ", " };
                    write!(f, "{separator}{value}")?;
                }
                write!(f, "}}")
            }
            Value::Object(class) => write!(f, "an object of {class}"),
        }
    }
}
