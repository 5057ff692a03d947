//! Random functions over pointers: structures that point to each other, choices between objects, copies of
//! structures, lists that are walked, changed and built.

use std::fmt::Write as _;

use glassbox_ir::{FuncId, Program, SourceType, SourceTypeId};
use glassbox_testcase::{InputObject, InputPointer, InputValue, NamedInput, TestInput};
use glassbox_values::Bits;

use super::Numbers;

/// The text of a program with these many functions `f0`, `f1`, ….
pub(crate) fn program_text(numbers: &mut Numbers, n_functions: usize) -> String {
    let mut text = String::from(
        "#include <stdlib.h>\n#include <string.h>\n\
         extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         #define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"\", __LINE__, \"\"))\n\
         struct node { int v; short w; struct node *next; int *d; struct node *prev; };\n\
         struct pair { struct node n; int u; float t; };\n\
         struct node *head; int g = 3;\n\
         static void bump(int *p) { if (*p < 50) *p = *p + 3; }\n\
         static void swap(struct node *p, struct node *q) { struct node t = *p; *p = *q; *q = t; }\n\
         static struct node *put(struct node *p, int v) { p->v = v; return p->next ? p->next : p; }\n",
    );
    for function in 0..n_functions {
        let _ = writeln!(
            text,
            "int f{function}(int a, int b, struct node *p, struct node *q, int *r) {{\n  \
             int x = {}, y = {}, s[3] = {{1, 2, {}}}, *i = {};\n  \
             struct node m, l = {{{}, 1, {}, &y, 0}}, *n = {}, *k = &l;\n  struct pair c;",
            numbers.pick(&["a", "b", "0", "7"]),
            numbers.pick(&["a & 7", "b & 15", "1", "-2"]),
            numbers.pick(&["3", "a", "x"]),
            numbers.pick(&["&x", "a > b ? &x : &y", "a > 0 ? s + 1 : &y", "b ? &x : 0"]),
            numbers.pick(&["a", "5"]),
            numbers.pick(&["0", "0", "p", "&m"]),
            numbers.pick(&["0", "&l", "p", "a > 1 ? &l : p", "malloc(sizeof *n)", "head"]),
        );
        let _ = writeln!(text, "  m = l; c.n = m; c.u = 4;");
        if numbers.below(10) != 0 {
            let _ = writeln!(text, "  if (!p || !q || !r || !i) return 0;");
        }
        if numbers.below(5) != 0 {
            let _ = writeln!(text, "  if (!n) return 1;");
        }
        if numbers.below(3) == 0 {
            let _ = writeln!(text, "  n->v = 1; n->next = {}; n->d = &x;", node(numbers));
        }
        for _ in 0..4 + numbers.below(5) {
            statement(numbers, &mut text, 1, 1);
        }
        if numbers.below(6) == 0 {
            let _ = writeln!(text, "  free(n);");
        }
        let _ = writeln!(text, "  return x ^ y;\n}}");
    }
    text
}

/// A pointer to a structure.
fn node(numbers: &mut Numbers) -> &'static str {
    numbers.pick(&[
        "p",
        "p",
        "q",
        "n",
        "k",
        "(&l)",
        "(&m)",
        "(&c.n)",
        "p->next",
        "q->next",
        "p->prev",
        "k->next",
        "n->next",
        "(a > 2 ? p : q)",
        "(b > 1 ? &l : &m)",
        "head",
    ])
}

/// Something to write to or to read from, of type `int`.
fn cell(numbers: &mut Numbers) -> String {
    match numbers.below(12) {
        0..3 => format!("{}->v", node(numbers)),
        3 => format!("{}->w", numbers.pick(&["p", "q", "k", "n"])),
        4 => "*i".to_owned(),
        5 => format!("r[{}]", numbers.below(2)),
        6 => numbers.pick(&["*l.d", "*p->d", "*m.d"]).to_owned(),
        7 => numbers.pick(&["l.v", "m.v", "c.n.v", "c.u", "m.w"]).to_owned(),
        8 => numbers.pick(&["s[1]", "s[2]", "g"]).to_owned(),
        _ => numbers.pick(&["x", "y"]).to_owned(),
    }
}

fn value(numbers: &mut Numbers) -> String {
    match numbers.below(5) {
        0 => numbers.pick(&["0", "1", "4", "-3", "100"]).to_owned(),
        1 => format!("({} & 15)", cell(numbers)),
        2 => "(x < 30 ? x + 1 : 2)".to_owned(),
        3 => numbers.pick(&["a", "b & 31", "b"]).to_owned(),
        _ => cell(numbers),
    }
}

fn condition(numbers: &mut Numbers) -> String {
    if numbers.below(4) == 0 {
        let (a, b) = (node(numbers), node(numbers));
        return match numbers.below(3) {
            0 => format!("{a} == {b}"),
            1 => format!("{a} != {b}"),
            _ => format!("{a} != 0"),
        };
    }
    let (a, b) = (cell(numbers), value(numbers));
    format!("{a} {} {b}", numbers.pick(&["<", "<=", ">", "==", "!=", ">="]))
}

fn statement(numbers: &mut Numbers, text: &mut String, depth: u32, indent: usize) {
    let pad = "  ".repeat(indent);
    let _ = match numbers.below(if depth == 0 { 17 } else { 26 }) {
        0..3 => writeln!(text, "{pad}{} = {};", cell(numbers), value(numbers)),
        3..6 => writeln!(text, "{pad}assert({});", condition(numbers)),
        6 => writeln!(text, "{pad}bump({});", numbers.pick(&["i", "r + 1", "&q->v", "&x", "&l.v"])),
        7 => writeln!(text, "{pad}{}->next = {};", node(numbers), node(numbers)),
        8 => writeln!(text, "{pad}{}->prev = {};", node(numbers), node(numbers)),
        9 => writeln!(
            text,
            "{pad}{} = {};",
            numbers.pick(&["p", "q", "n", "k", "head"]),
            node(numbers)
        ),
        10 => writeln!(
            text,
            "{pad}{} = {};",
            numbers.pick(&["m", "l", "*p", "*k", "c.n", "*n"]),
            numbers.pick(&["l", "*p", "*q", "m", "*k", "c.n"])
        ),
        11 => writeln!(
            text,
            "{pad}if ({}) {} = {};",
            condition(numbers),
            numbers.pick(&["i", "l.d", "p->d", "i"]),
            numbers.pick(&["&x", "&y", "r", "s + 1", "&l.v", "&p->v", "&g"])
        ),
        12 => writeln!(text, "{pad}swap({}, {});", node(numbers), node(numbers)),
        13 => writeln!(text, "{pad}k = put({}, {});", node(numbers), value(numbers)),
        14 => match numbers.below(4) {
            0 => writeln!(text, "{pad}memcpy(&m, {}, sizeof m);", node(numbers)),
            1 => writeln!(text, "{pad}memset({}, 0, sizeof m);", node(numbers)),
            2 => writeln!(text, "{pad}memset(&m, 0, 6);"),
            _ => writeln!(text, "{pad}memcpy(s, r, 8);"),
        },
        15 => {
            writeln!(text, "{pad}*(char *)&{} = 3;", numbers.pick(&["x", "l.v", "p->v", "m.next"]))
        }
        16 => writeln!(
            text,
            "{pad}if ({}) {} = {};",
            condition(numbers),
            cell(numbers),
            value(numbers)
        ),
        17..20 => {
            let _ = writeln!(text, "{pad}if ({}) {{", condition(numbers));
            statement(numbers, text, depth - 1, indent + 1);
            writeln!(text, "{pad}}}")
        }
        20 => {
            let _ = writeln!(text, "{pad}for (int j = 0; j < 5 && k; j++) {{");
            statement(numbers, text, depth - 1, indent + 1);
            writeln!(text, "{pad}  k = k->next;\n{pad}}}")
        }
        21 => {
            let _ = writeln!(
                text,
                "{pad}for (int j = 0; j < {}; j++) {{",
                numbers.pick(&["3", "a", "2"])
            );
            let _ = writeln!(
                text,
                "{pad}  struct node *z = malloc(sizeof *z); if (!z || j > 6) return 2;\n{pad}  \
                 z->v = {}; z->next = k; z->prev = 0; z->d = r; k = z;",
                numbers.pick(&["j", "3", "x"])
            );
            statement(numbers, text, depth - 1, indent + 1);
            writeln!(
                text,
                "{pad}}}\n{pad}assert(k->v == {});",
                numbers.pick(&["3", "2", "x", "a - 1"])
            )
        }
        22 => writeln!(text, "{pad}while (p->v < {}) p->v++;", numbers.pick(&["9", "a & 15", "3"])),
        23 => writeln!(
            text,
            "{pad}for (struct node *z = {}, *o = 0; z && x < 90; o = z, z = z->next) {{ x++; {} }}",
            node(numbers),
            numbers.pick(&[
                "z->v = 2;",
                "z->prev = o;",
                "if (o) o->v = x;",
                "assert(z != o);",
                "g++;"
            ])
        ),
        24 => {
            let _ = writeln!(text, "{pad}if ({}) {{", condition(numbers));
            statement(numbers, text, depth - 1, indent + 1);
            let _ = writeln!(text, "{pad}}} else {{");
            statement(numbers, text, depth - 1, indent + 1);
            writeln!(text, "{pad}}}")
        }
        _ => writeln!(
            text,
            "{pad}if ({0}->next) {{ {0}->next->v = {1}; assert({0}->next->v == {1}); }}",
            numbers.pick(&["p", "q", "k", "n"]),
            numbers.pick(&["3", "a", "x", "b & 3"])
        ),
    };
}

/// Numbers, and structures that point to each other.
pub(crate) fn random_input(
    program: &Program,
    function: FuncId,
    numbers: &mut Numbers,
) -> TestInput {
    let mut input = TestInput::default();
    let params = &program.function(function).params;
    let target = |position: usize| -> SourceTypeId {
        let resolved = program.resolve_source_type(params[position].source_type);
        match program.source_type(resolved) {
            SourceType::Pointer { target, .. } => *target,
            _ => resolved,
        }
    };
    let int = |value: i128, width: u8| InputValue::Int(Bits::from_signed(value, width));
    let small = |numbers: &mut Numbers| i128::from(numbers.below(12)) - 3;
    let node = |numbers: &mut Numbers| match numbers.below(8) {
        0 | 1 => InputPointer::Null,
        2..4 => InputPointer::Object { object: 0, offset: 0 },
        4..6 => InputPointer::Object { object: 1, offset: 0 },
        6 => InputPointer::Object { object: 2, offset: 0 },
        _ => InputPointer::Object { object: 2, offset: 32 },
    };
    let data = |numbers: &mut Numbers| match numbers.below(8) {
        0 => InputPointer::Null,
        1 => InputPointer::Object { object: 0, offset: 0 },
        2 => InputPointer::Object { object: 2, offset: 32 },
        3 => InputPointer::Object { object: 3, offset: 4 },
        _ => InputPointer::Object { object: 3, offset: 0 },
    };
    let record = |numbers: &mut Numbers| {
        InputValue::Struct(vec![
            int(small(numbers), 32),
            int(small(numbers), 16),
            InputValue::Pointer(node(numbers)),
            InputValue::Pointer(data(numbers)),
            InputValue::Pointer(node(numbers)),
        ])
    };
    for length in [1, 1, 2] {
        let elements = (0..length).map(|_| record(numbers)).collect();
        input.objects.push(InputObject {
            name: format!("nodes{length}"),
            element_type: target(2),
            length,
            extra_bytes: 0,
            elements,
        });
    }
    let elements = (0..4).map(|_| int(small(numbers), 32)).collect();
    input.objects.push(InputObject {
        name: "data".to_owned(),
        element_type: target(4),
        length: 4,
        extra_bytes: 0,
        elements,
    });
    for id in program.global_ids() {
        match program.global(id).name.as_str() {
            "head" => input.globals.push((id, InputValue::Pointer(node(numbers)))),
            "g" => input.globals.push((id, int(small(numbers), 32))),
            _ => {}
        }
    }
    for (position, param) in params.iter().enumerate() {
        let value = match position {
            0 | 1 => int(small(numbers), 32),
            2 | 3 => InputValue::Pointer(node(numbers)),
            _ => InputValue::Pointer(data(numbers)),
        };
        let (name, source_type) = (param.name.clone(), param.source_type);
        input.params.push(NamedInput { name, source_type, value });
    }
    input
}
