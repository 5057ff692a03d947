//! Random functions over memory: fields and arrays behind pointers that may be the same, a global array, and an
//! allocated one; filled, copied and scanned by loops.

use std::fmt::Write as _;

use glassbox_ir::{FuncId, Program, SourceType};
use glassbox_testcase::{InputObject, InputPointer, InputValue, NamedInput, TestInput};
use glassbox_values::Bits;

use super::Numbers;

/// The text of a program with these many functions `f0`, `f1`, ….
pub(crate) fn program_text(numbers: &mut Numbers, n_functions: usize) -> String {
    let mut text = String::from(
        "#include <stdlib.h>\n\
         extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         #define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"\", __LINE__, \"\"))\n\
         int g[6];\n\
         struct pair { int u; short v; long w; };\n\
         static void bump(int *p) { if (*p < 50) *p = *p + 3; }\n\
         static void both(struct pair *p, int d) { do { p->u++; p->v += 2; d--; } while (d > 0 && p->v < 40); }\n",
    );
    for function in 0..n_functions {
        let _ = writeln!(
            text,
            "int f{function}(int a, int b, int *p, int *r, struct pair *q) {{\n  \
             int x = {}, y = {}, k = a & 3, s[4];\n  \
             int *h = {};\n  if (!h) return 0;",
            numbers.pick(&["a", "b", "0", "7"]),
            numbers.pick(&["a & 7", "b & 15", "1", "-2"]),
            numbers.pick(&["malloc(16)", "calloc(4, 4)", "malloc(4 * sizeof(int))"]),
        );
        if numbers.below(8) != 0 {
            let _ = writeln!(text, "  if (!p || !r || !q) return 0;");
        }
        if numbers.below(4) != 0 {
            let _ = writeln!(text, "  for (int i = 0; i < 4; i++) h[i] = {};", element(numbers));
        }
        let _ = writeln!(text, "  for (int i = 0; i < 4; i++) s[i] = {};", element(numbers));
        for _ in 0..4 + numbers.below(4) {
            statement(numbers, &mut text, 1, 1);
        }
        if numbers.below(3) != 0 {
            let _ = writeln!(text, "  free(h);");
        }
        if numbers.below(12) == 0 {
            let _ = writeln!(text, "  x = h[1];");
        }
        let _ = writeln!(text, "  return x ^ y;\n}}");
    }
    text
}

/// Something to write to or to read from, of type `int`.
fn cell(numbers: &mut Numbers) -> String {
    match numbers.below(12) {
        0 | 1 => "*p".to_owned(),
        2 => format!("r[{}]", numbers.below(3)),
        3 => format!("p[{}]", numbers.below(2)),
        4 | 5 => "q->u".to_owned(),
        6 => "q->v".to_owned(),
        7 => format!("g[{}]", numbers.pick(&["k", "0", "1", "5", "k + 1", "3 - k"])),
        8 => format!("h[{}]", numbers.pick(&["k", "0", "3", "3 - k"])),
        9 => format!("s[{}]", numbers.pick(&["k", "0", "2", "3 - k"])),
        _ => numbers.pick(&["x", "y"]).to_owned(),
    }
}

fn value(numbers: &mut Numbers) -> String {
    match numbers.below(6) {
        0 => numbers.pick(&["0", "1", "4", "-3", "100"]).to_owned(),
        1 => format!("({} & 15)", cell(numbers)),
        2 => format!("({} < 30 ? {} + 1 : 2)", "x", "x"),
        3 => numbers.pick(&["a", "b & 31", "k"]).to_owned(),
        _ => cell(numbers),
    }
}

/// What a loop over `i` stores.
fn element(numbers: &mut Numbers) -> String {
    match numbers.below(9) {
        0 => "i".to_owned(),
        1 => "i & 1".to_owned(),
        2 => "3 * i + 1".to_owned(),
        3 => "b".to_owned(),
        4 => "g[i]".to_owned(),
        5 => "g[5 - i]".to_owned(),
        6 => "x & 7".to_owned(),
        _ => numbers.pick(&["0", "5", "-1"]).to_owned(),
    }
}

fn condition(numbers: &mut Numbers) -> String {
    let (a, b) = (cell(numbers), value(numbers));
    format!("{a} {} {b}", numbers.pick(&["<", "<=", ">", "==", "!=", ">="]))
}

fn statement(numbers: &mut Numbers, text: &mut String, depth: u32, indent: usize) {
    let pad = "  ".repeat(indent);
    let array = numbers.pick(&["g", "h", "s", "r"]);
    let n = if array == "r" { "2" } else { numbers.pick(&["4", "3", "k", "k + 1"]) };
    let _ = match numbers.below(if depth == 0 { 8 } else { 15 }) {
        0..3 => writeln!(text, "{pad}{} = {};", cell(numbers), value(numbers)),
        3 | 4 => writeln!(text, "{pad}assert({});", condition(numbers)),
        5 => writeln!(text, "{pad}bump({});", numbers.pick(&["p", "r + 1", "&q->u", "&x", "h"])),
        6 => writeln!(text, "{pad}both(q, {});", numbers.pick(&["a", "3", "y"])),
        7 => writeln!(
            text,
            "{pad}if ({}) p = {};",
            condition(numbers),
            numbers.pick(&["r", "g + 1", "&q->u", "h"])
        ),
        8..10 => {
            let _ = writeln!(text, "{pad}if ({}) {{", condition(numbers));
            statement(numbers, text, depth - 1, indent + 1);
            writeln!(text, "{pad}}}")
        }
        10 => {
            writeln!(text, "{pad}for (int i = 0; i < {n}; i++) {array}[i] = {};", element(numbers))
        }
        11 => writeln!(
            text,
            "{pad}for (int i = {n} - 1; i >= 0; i--) {array}[i] = {};",
            element(numbers)
        ),
        12 => {
            writeln!(text, "{pad}for (int i = 0; i < {n}; i++) if ({array}[i] > x) x = {array}[i];")
        }
        13 => {
            let _ = writeln!(text, "{pad}while (q->u < {}) {{", numbers.pick(&["9", "a", "x"]));
            let _ = writeln!(text, "{pad}  q->u++;");
            statement(numbers, text, depth - 1, indent + 1);
            writeln!(text, "{pad}}}")
        }
        _ => {
            let _ = writeln!(
                text,
                "{pad}for (int i = 0; i < {n}; i++) if ({array}[i] != {}) y = {};",
                numbers.pick(&["0", "5", "b"]),
                numbers.pick(&["0", "i"])
            );
            writeln!(text, "{pad}assert(y == 1 || {array}[k & 1] == {});", value(numbers))
        }
    };
}

/// Numbers, and pointers that may be null, the same, or into the global array.
pub(crate) fn random_input(
    program: &Program,
    function: FuncId,
    numbers: &mut Numbers,
) -> TestInput {
    let mut input = TestInput::default();
    let params = &program.function(function).params;
    let target = |position: usize| {
        let resolved = program.resolve_source_type(params[position].source_type);
        match program.source_type(resolved) {
            SourceType::Pointer { target, .. } => *target,
            _ => resolved,
        }
    };
    let small = |numbers: &mut Numbers| i128::from(numbers.below(12)) - 3;
    let int = |value: i128, width: u8| InputValue::Int(Bits::from_signed(value, width));
    for name in ["one", "two"] {
        let elements = (0..4).map(|_| int(small(numbers), 32)).collect();
        input.objects.push(InputObject {
            name: name.to_owned(),
            element_type: target(2),
            length: 4,
            extra_bytes: 0,
            elements,
        });
    }
    let fields = vec![int(small(numbers), 32), int(small(numbers), 16), int(small(numbers), 64)];
    input.objects.push(InputObject {
        name: "record".to_owned(),
        element_type: target(4),
        length: 1,
        extra_bytes: 0,
        elements: vec![InputValue::Struct(fields)],
    });
    let global = program.global_ids().find(|&id| program.global(id).name == "g");
    if let Some(global) = global {
        let elements = (0..6).map(|_| int(small(numbers), 32)).collect();
        input.globals.push((global, InputValue::Array(elements)));
    }
    for (position, param) in params.iter().enumerate() {
        let value = match position {
            0 | 1 => {
                let any = i128::from(numbers.next());
                let few = small(numbers);
                int(if numbers.below(3) == 0 { any } else { few }, 32)
            }
            2 | 3 => {
                let offset = 4 * numbers.below(2);
                InputValue::Pointer(match (numbers.below(8), global) {
                    (0, _) => InputPointer::Null,
                    (1 | 2, Some(global)) => InputPointer::Global { global, offset },
                    (3..6, _) => InputPointer::Object { object: 0, offset },
                    (6, _) => InputPointer::Object { object: 2, offset: 0 },
                    _ => InputPointer::Object { object: 1, offset },
                })
            }
            _ => InputValue::Pointer(if numbers.below(12) == 0 {
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
