//! The rules of memory against the interpreter: small structures, arrays, unions and bit-fields, every way of
//! writing them, every way of looking at the bytes, all inputs. Whatever a run does, no proof excludes.

mod random;

use std::fmt::Write as _;

use glassbox_ir::{FuncId, Program, SourceTypeId};
use glassbox_prove::Options;
use glassbox_testcase::image::{Image, decode, size_of};
use glassbox_testcase::{InputObject, InputPointer, InputValue, NamedInput, TestInput};
use glassbox_values::Bits;
use random::{compare_on, read_text};

/// What `struct t` is made of; each has an `int a`.
const SHAPES: &[&str] = &[
    "int a;",
    "int a; int b;",
    "char c; int a;",
    "short s; int a; char c;",
    "int a; int e[2];",
    "union { int i; float f; } u; int a;",
    "union { int a; unsigned char b[4]; };",
    "int x : 5; int y : 7; int a;",
    "unsigned char x : 3; char c; int a;",
    "struct { int a; short s; }; int z;",
    "double d; int a;",
];

/// What the function does between setting and looking; `{}` counts bytes or elements.
const WRITES: &[&str] = &[
    "*p = *q",
    "memcpy(p, q, sizeof *p)",
    "memcpy(p, q, 2 * sizeof *p)",
    "memcpy(&p->a, &q->a, sizeof p->a)",
    "memcpy(p, q, sizeof *p - 1)",
    "memmove(p + 1, p, sizeof *p)",
    "memset(p, k, sizeof *p)",
    "memset(p, 0, 2 * sizeof *p)",
    "memset((char *)p + 1, k, 2)",
    "p[1] = p[0]",
    "p->a = q->a",
    "p[1].a = k",
    "*(int *)((char *)p + sizeof *p) = k",
    "((struct outer *)p)->z = k",
    "for (int i = 0; i < 2; i++) p[i].a = k",
];

/// What is set before and asked for afterwards.
const LOOKS: &[(&str, &str)] = &[
    ("*r = 5", "*r == 5"),
    ("*c = 5", "*c == 5"),
    ("q->a = 5", "q->a == 5"),
    ("p[1].a = 5", "p[1].a == 5"),
    ("((struct outer *)q)->z = 5", "((struct outer *)q)->z == 5"),
    ("g.a = 5", "g.a == 5"),
];

const HEAD: &str = "
#include <string.h>
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, \"\", __LINE__, \"\"))
";

fn program_text(shape: &str) -> String {
    let mut text = HEAD.to_owned();
    let _ = writeln!(text, "struct t {{ {shape} }};\nstruct outer {{ struct t in; int z; }};");
    let _ = writeln!(text, "struct t g;");
    let mut n_functions = 0;
    for write in WRITES {
        for (set, look) in LOOKS {
            let _ = writeln!(
                text,
                "void f{n_functions}(struct t *p, struct t *q, int *r, unsigned char *c, int k) {{\n  \
                 if (!p || !q || !r || !c) return;\n  {set};\n  {write};\n  assert({look});\n}}"
            );
            n_functions += 1;
        }
    }
    text
}

fn pointee(program: &Program, function: FuncId, position: usize) -> SourceTypeId {
    let ty = program.function(function).params[position].source_type;
    program.pointee(ty).unwrap_or(ty)
}

/// Objects of three elements filled with one byte each, and pointers to all places in them.
fn inputs(program: &Program, function: FuncId) -> Vec<TestInput> {
    let (element, int) = (pointee(program, function, 0), pointee(program, function, 2));
    let size = size_of(program, element);
    let object = |name: &str, element_type: SourceTypeId, fill: u8| {
        let size = size_of(program, element_type);
        let mut image = Image::zeros(program, 3 * size);
        image.write(0, &vec![fill; usize::try_from(3 * size).expect("small")]);
        let at = |index: u64| decode(program, element_type, &image, index * size);
        InputObject {
            name: name.to_owned(),
            element_type,
            length: 3,
            extra_bytes: 0,
            stream: None,
            elements: (0..3).map(at).collect(),
        }
    };
    let global = program.global_ids().find(|&id| program.global(id).name == "g");
    let place = |object: usize, offset: u64| InputPointer::Object { object, offset };
    let mut structs = vec![place(0, 0), place(0, size), place(1, 0)];
    structs.extend(global.map(|global| InputPointer::Global { global, offset: 0 }));
    let ints = (0..2 * size).step_by(4).map(|offset| place(0, offset)).chain([place(2, 0)]);
    let ints: Vec<InputPointer> = ints.collect();
    let bytes = (0..2 * size).map(|offset| place(0, offset)).chain([place(2, 1)]);
    let bytes: Vec<InputPointer> = bytes.collect();
    let mut found = Vec::new();
    let mut add = |p: InputPointer, q: InputPointer, r: InputPointer, c: InputPointer, k: i128| {
        let values = [p, q, r, c].map(InputValue::Pointer).into_iter();
        let values = values.chain([InputValue::Int(Bits::from_signed(k, 32))]);
        let params = program.function(function).params.iter().zip(values);
        let params = params.map(|(param, value)| NamedInput {
            name: param.name.clone(),
            source_type: param.source_type,
            value,
        });
        found.push(TestInput {
            params: params.collect(),
            objects: vec![
                object("one", element, 1),
                object("two", element, 2),
                object("int", int, 3),
            ],
            ..TestInput::default()
        });
    };
    for &p in &structs {
        for &q in &structs {
            for k in [0, 5] {
                for &r in &ints {
                    add(p, q, r, place(2, 1), k);
                }
                for &c in &bytes {
                    add(p, q, place(2, 0), c, k);
                }
            }
        }
    }
    found
}

#[test]
fn no_proof_excludes_what_a_run_does_to_small_objects() {
    let (mut n_impossible, mut n_runs) = (0, 0);
    for shape in SHAPES {
        let program = read_text(&program_text(shape));
        for position in 0..WRITES.len() * LOOKS.len() {
            let function = program.function_named(&format!("f{position}")).expect("it is there");
            let inputs = inputs(&program, function);
            match compare_on(&program, function, &Options::default(), &inputs) {
                Ok(tally) => {
                    n_impossible += tally.impossible;
                    n_runs += tally.runs;
                }
                Err(found) => {
                    let (write, look) =
                        (WRITES[position / LOOKS.len()], LOOKS[position % LOOKS.len()]);
                    panic!("struct t {{ {shape} }}: {look:?} around `{write}`: {found}");
                }
            }
        }
    }
    assert!(n_impossible > 100 && n_runs > 10_000, "{n_impossible} proofs, {n_runs} runs");
}
