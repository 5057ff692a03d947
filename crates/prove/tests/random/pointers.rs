//! Inputs of the random functions over pointers.

use glassbox_ir::{FuncId, Program, SourceTypeId};
use glassbox_testcase::{InputObject, InputPointer, InputValue, NamedInput, TestInput};
use glassbox_testkit::Random;
use glassbox_values::Bits;

/// Numbers, and structures that point to each other.
pub(crate) fn random_input(program: &Program, function: FuncId, random: &mut Random) -> TestInput {
    let mut input = TestInput::default();
    let params = &program.function(function).params;
    let target = |position: usize| -> SourceTypeId {
        let resolved = program.resolve_source_type(params[position].source_type);
        program.pointee(resolved).unwrap_or(resolved)
    };
    let int = |value: i128, width: u8| InputValue::Int(Bits::from_signed(value, width));
    let small = |random: &mut Random| i128::from(random.below(12)) - 3;
    let node = |random: &mut Random| match random.below(8) {
        0 | 1 => InputPointer::Null,
        2..4 => InputPointer::Object { object: 0, offset: 0 },
        4..6 => InputPointer::Object { object: 1, offset: 0 },
        6 => InputPointer::Object { object: 2, offset: 0 },
        _ => InputPointer::Object { object: 2, offset: 32 },
    };
    let data = |random: &mut Random| match random.below(8) {
        0 => InputPointer::Null,
        1 => InputPointer::Object { object: 0, offset: 0 },
        2 => InputPointer::Object { object: 2, offset: 32 },
        3 => InputPointer::Object { object: 3, offset: 4 },
        _ => InputPointer::Object { object: 3, offset: 0 },
    };
    let record = |random: &mut Random| {
        InputValue::Struct(vec![
            int(small(random), 32),
            int(small(random), 16),
            InputValue::Pointer(node(random)),
            InputValue::Pointer(data(random)),
            InputValue::Pointer(node(random)),
        ])
    };
    for length in [1, 1, 2] {
        let elements = (0..length).map(|_| record(random)).collect();
        input.objects.push(InputObject {
            name: format!("nodes{length}"),
            element_type: target(2),
            length,
            extra_bytes: 0,
            stream: None,
            elements,
        });
    }
    let elements = (0..4).map(|_| int(small(random), 32)).collect();
    input.objects.push(InputObject {
        name: "data".to_owned(),
        element_type: target(4),
        length: 4,
        extra_bytes: 0,
        stream: None,
        elements,
    });
    for id in program.global_ids() {
        match program.global(id).name.as_str() {
            "head" => input.globals.push((id, InputValue::Pointer(node(random)))),
            "g" => input.globals.push((id, int(small(random), 32))),
            _ => {}
        }
    }
    for (position, param) in params.iter().enumerate() {
        let value = match position {
            0 | 1 => int(small(random), 32),
            2 | 3 => InputValue::Pointer(node(random)),
            _ => InputValue::Pointer(data(random)),
        };
        let (name, source_type) = (param.name.clone(), param.source_type);
        input.params.push(NamedInput { name, source_type, value });
    }
    input
}
