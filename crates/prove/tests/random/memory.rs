//! Inputs of the random functions over memory.

use glassbox_ir::{FuncId, Program};
use glassbox_testcase::{InputObject, InputPointer, InputValue, NamedInput, TestInput};
use glassbox_testkit::Random;
use glassbox_values::Bits;

/// Numbers, and pointers that may be null, the same, or into the global array.
pub(crate) fn random_input(program: &Program, function: FuncId, random: &mut Random) -> TestInput {
    let mut input = TestInput::default();
    let params = &program.function(function).params;
    let target = |position: usize| {
        let resolved = program.resolve_source_type(params[position].source_type);
        program.pointee(resolved).unwrap_or(resolved)
    };
    let small = |random: &mut Random| i128::from(random.below(12)) - 3;
    let int = |value: i128, width: u8| InputValue::Int(Bits::from_signed(value, width));
    for name in ["one", "two"] {
        let elements = (0..4).map(|_| int(small(random), 32)).collect();
        input.objects.push(InputObject {
            name: name.to_owned(),
            element_type: target(2),
            length: 4,
            extra_bytes: 0,
            stream: None,
            elements,
        });
    }
    let fields = vec![int(small(random), 32), int(small(random), 16), int(small(random), 64)];
    input.objects.push(InputObject {
        name: "record".to_owned(),
        element_type: target(4),
        length: 1,
        extra_bytes: 0,
        stream: None,
        elements: vec![InputValue::Struct(fields)],
    });
    let global = program.global_ids().find(|&id| program.global(id).name == "g");
    if let Some(global) = global {
        let elements = (0..6).map(|_| int(small(random), 32)).collect();
        input.globals.push((global, InputValue::Array(elements)));
    }
    for (position, param) in params.iter().enumerate() {
        let value = match position {
            0 | 1 => {
                let any = i128::from(random.draw());
                let few = small(random);
                int(if random.below(3) == 0 { any } else { few }, 32)
            }
            2 | 3 => {
                let offset = 4 * random.below(2);
                InputValue::Pointer(match (random.below(8), global) {
                    (0, _) => InputPointer::Null,
                    (1 | 2, Some(global)) => InputPointer::Global { global, offset },
                    (3..6, _) => InputPointer::Object { object: 0, offset },
                    (6, _) => InputPointer::Object { object: 2, offset: 0 },
                    _ => InputPointer::Object { object: 1, offset },
                })
            }
            _ => InputValue::Pointer(if random.below(12) == 0 {
                InputPointer::Null
            } else {
                InputPointer::Object { object: 2, offset: 0 }
            }),
        };
        let (name, source_type) = (param.name.clone(), param.source_type);
        input.params.push(NamedInput { name, source_type, value });
    }
    input
}
