//! Inputs of a suite that was written before, as values of the program that is here now.
//!
//! The program may have changed: an input that does not fit any more is none.

use glassbox_ir::{
    FuncId, GlobalId, GlobalKind, Program, RecordKind, ResultPassing, SourceType, SourceTypeId,
};
use glassbox_testcase::image::{Image, decode, encode};
use glassbox_testcase::{
    InputObject, InputPointer, InputValue, NamedInput, StubResult, StubWrite, TestInput,
};
use glassbox_values::{Bits, Float, RoundingMode, Signedness};

use super::read_java;
use super::values::{global_name, member_names, type_name};
use crate::data::test::Inputs;
use crate::data::{Value, literal};

/// The input of runs that start in `entry`.
pub fn input(program: &Program, entry: FuncId, inputs: &Inputs) -> Option<TestInput> {
    // What makes objects by calls is known to the language alone.
    let Inputs {
        calls: _,
        params,
        objects,
        globals,
        stubs,
        stdin,
        files,
        argv,
        failing_allocations,
    } = inputs;
    let function = program.function(entry);
    let n_hidden = usize::from(function.result == ResultPassing::Indirect);
    let declared = function.params.get(n_hidden..)?;
    let (fixed, variable) = params.split_at_checked(declared.len())?;
    // Calls before the one under test are not told apart from it, but for the names of their parameters.
    let are_own = declared.iter().zip(fixed).all(|(param, given)| param.name == given.name);
    let fits = variable.is_empty() || function.is_variadic && are_own;
    if !fits {
        return None;
    }
    let fixed = declared.iter().zip(fixed).map(|(param, given)| {
        let (name, source_type) = (param.name.clone(), param.source_type);
        Some(NamedInput { name, source_type, value: value(program, source_type, &given.value)? })
    });
    let variable = variable.iter().map(|given| {
        let source_type = type_named(program, &given.type_name)?;
        let value = value(program, source_type, &given.value)?;
        Some(NamedInput { name: given.name.clone(), source_type, value })
    });
    let params = fixed.chain(variable);
    let objects = objects.iter().map(|object| {
        if let Some(layout) = &program.object_layout {
            return read_java::object(program, layout, object);
        }
        let element_type = type_named(program, &object.type_name)?;
        Some(InputObject {
            name: object.name.clone(),
            element_type,
            length: object.length,
            extra_bytes: object.extra_bytes,
            elements: values(program, element_type, &object.elements)?,
            stream: object.stream.clone(),
        })
    });
    let globals = globals.iter().map(|given| {
        let global = global_named(program, &given.name)?;
        Some((global, value(program, program.global(global).source_type, &given.value)?))
    });
    let stubs = stubs.iter().map(|stub| {
        let function = function_named(program, &stub.function)?;
        let returned = program.function(function).result_source_type;
        let is_void =
            matches!(program.source_type(program.resolve_source_type(returned)), SourceType::Void);
        let result = match &stub.result {
            // Suites of earlier versions have a null where there is nothing.
            Some(Value::Null) if is_void => None,
            Some(result) => Some(value(program, returned, result)?),
            None => None,
        };
        let writes = stub.writes.iter().map(|write| {
            let element_type = type_named(program, &write.type_name)?;
            let elements = values(program, element_type, &write.elements)?;
            Some(StubWrite { param: write.param, element_type, elements })
        });
        Some(StubResult { function, result, writes: writes.collect::<Option<_>>()?, ends: false })
    });
    let input = TestInput {
        objects: objects.collect::<Option<_>>()?,
        earlier: Vec::new(),
        params: params.collect::<Option<_>>()?,
        globals: globals.collect::<Option<_>>()?,
        stubs: stubs.collect::<Option<_>>()?,
        stdin: stdin.clone(),
        files: files.clone(),
        failing_allocations: failing_allocations.clone(),
        argv: argv.clone(),
    };
    read_java::has_types(program, &input).then_some(input)
}

fn type_named(program: &Program, name: &str) -> Option<SourceTypeId> {
    let mut ids = (0..program.source_types().len()).map(SourceTypeId::new);
    ids.find(|&ty| type_name(program, ty) == name)
}

fn global_named(program: &Program, name: &str) -> Option<GlobalId> {
    program.globals.iter().position(|global| global.name == name).map(GlobalId::new)
}

/// The global that `values::global_name` calls so.
fn pointed_global(program: &Program, name: &str) -> Option<GlobalId> {
    if !literal::is_text(name) {
        // A number does not say which literal was meant.
        return global_named(program, name).filter(|_| !literal::is_number(name));
    }
    let mut ids = (0..program.globals.len()).map(GlobalId::new);
    ids.find(|&id| {
        program.global(id).kind == GlobalKind::StringLiteral && global_name(program, id) == name
    })
}

fn function_named(program: &Program, name: &str) -> Option<FuncId> {
    program.function_ids().find(|&id| program.function(id).name == name)
}

fn values(program: &Program, ty: SourceTypeId, given: &[Value]) -> Option<Vec<InputValue>> {
    given.iter().map(|part| value(program, ty, part)).collect()
}

/// The value of a type, as `values::value` writes it.
pub(super) fn value(program: &Program, ty: SourceTypeId, given: &Value) -> Option<InputValue> {
    let resolved = program.resolve_source_type(ty);
    match (program.source_type(resolved), given) {
        (SourceType::Bool, Value::Number(text)) => number(text, 8),
        (SourceType::Int { width, .. } | SourceType::Enum { width, .. }, Value::Number(text)) => {
            number(text, *width)
        }
        (SourceType::Float { format, .. }, Value::Float { hex, .. }) => {
            let float = Float::parse(hex, *format, RoundingMode::NearestEven).ok()?;
            Some(InputValue::Float(float))
        }
        (
            SourceType::Pointer { .. } | SourceType::Class(_) | SourceType::ClassArray { .. },
            given,
        ) => Some(InputValue::Pointer(pointer(program, given)?)),
        (
            SourceType::Record { kind: RecordKind::Struct, fields: Some(fields), .. },
            Value::Record(members),
        ) => {
            if members.len() != fields.len() {
                return None;
            }
            let parts = member_names(fields).into_iter().zip(fields).map(|(name, field)| {
                match (field.bits, members.get(&name)?) {
                    (Some(bits), Value::Number(text)) => number(text, bits.width),
                    (Some(_), _) => None,
                    (None, part) => value(program, field.ty, part),
                }
            });
            Some(InputValue::Struct(parts.collect::<Option<_>>()?))
        }
        (
            SourceType::Record { kind: RecordKind::Union, fields: Some(fields), .. },
            Value::Union { member, field, value: given },
        ) => {
            let named = fields.iter().position(|it| member.is_some() && it.name == *member);
            let field = if member.is_some() { named? } else { *field };
            let value = Box::new(value(program, fields.get(field)?.ty, given)?);
            // By the member that runs are seen by, or every run would change it.
            let mut image = Image::zeros(program, program.size_of_source_type(ty));
            encode(program, ty, &InputValue::Union { field, value }, &mut image, 0);
            Some(decode(program, ty, &image, 0))
        }
        (SourceType::Array { element, .. }, Value::List(parts)) => {
            Some(InputValue::Array(values(program, *element, parts)?))
        }
        (_, Value::Bytes { bytes }) => Some(InputValue::Bytes(bytes.clone())),
        (_, _) => None,
    }
}

fn number(text: &str, width: u8) -> Option<InputValue> {
    let is_negative = text.starts_with('-');
    let signedness = if is_negative { Signedness::Signed } else { Signedness::Unsigned };
    Bits::parse(text, signedness, width).ok().map(InputValue::Int)
}

fn pointer(program: &Program, given: &Value) -> Option<InputPointer> {
    match given {
        Value::Null => Some(InputPointer::Null),
        Value::Object { object, offset } => {
            Some(InputPointer::Object { object: *object, offset: *offset })
        }
        Value::Global { global, offset } => {
            let global = pointed_global(program, global)?;
            Some(InputPointer::Global { global, offset: *offset })
        }
        Value::Function { function } => {
            Some(InputPointer::Function(function_named(program, function)?))
        }
        Value::Number(_)
        | Value::Float { .. }
        | Value::Int { .. }
        | Value::Made { .. }
        | Value::Bytes { .. }
        | Value::Pointer { .. }
        | Value::Union { .. }
        | Value::List(_)
        | Value::Record(_) => None,
    }
}
