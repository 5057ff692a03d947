//! Marks: statements, definitions, uses.

use glassbox_c_front::lower::Promotion;
use glassbox_ir::{Access, InstrKind, Mark, Part, Program, UseKind, VarRef};

use super::lowered;

/// The marks of `f` in the order of its blocks.
fn marks(text: &str) -> Vec<String> {
    let program = lowered(text, Promotion::Promote);
    let func = program.function_named("f").expect("f should be there");
    let mut marks = Vec::new();
    for block in &program.body(func).blocks {
        for instr in &block.instrs {
            if let InstrKind::Mark(mark) = instr.kind {
                marks.push(shown(&program, mark));
            }
        }
    }
    marks
}

fn shown(program: &Program, mark: Mark) -> String {
    let func = program.function_named("f").expect("f should be there");
    let name = |access: Access| {
        let name = match access.var {
            VarRef::Local(var) => program.body(func).var(var).name.clone(),
            VarRef::Global(global) => program.global(global).name.clone(),
        };
        let star = if access.is_behind { "*" } else { "" };
        match access.part {
            Part::Whole => format!("{star}{name}"),
            Part::Bits { first, count } => format!("{star}{name} bits {first} {count}"),
            Part::Somewhere => format!("{star}{name} somewhere"),
        }
    };
    match mark {
        Mark::Statement => "statement".to_owned(),
        Mark::Instruction => "instruction".to_owned(),
        Mark::Def(var) => format!("def {}", name(var)),
        Mark::Use(var, UseKind::Predicate) => format!("predicate {}", name(var)),
        Mark::Use(var, UseKind::Computation) => format!("use {}", name(var)),
        Mark::Pointee { .. } => "pointee".to_owned(),
        Mark::Unsigned => "unsigned".to_owned(),
        Mark::Opened { size, .. } => format!("opened {size}"),
        Mark::Promised => "promised".to_owned(),
        Mark::Presumes(what) => format!("presumes {}", what.name()),
    }
}

#[test]
fn parameters_are_defined_on_entry() {
    assert_eq!(marks("void f(int a, int b) { }"), ["def a", "def b"]);
}

#[test]
fn assignments_define_and_operands_are_used() {
    assert_eq!(
        marks("int g; void f(int a) { int x = a; g = x + 1; x++; }"),
        [
            "def a",
            "statement",
            "use a",
            "def x",
            "statement",
            "use x",
            "def g",
            "statement",
            "use x",
            "def x"
        ]
    );
}

#[test]
fn uses_in_conditions_are_predicates() {
    assert_eq!(
        marks("int f(int a) { if (a > 0) return a; switch (a) { default: return 0; } }"),
        [
            "def a",
            "statement",
            "predicate a",
            "statement",
            "use a",
            "statement",
            "predicate a",
            "statement"
        ]
    );
}

#[test]
fn elements_and_members_are_parts() {
    let text =
        "struct S { int k, m; } s; int a[4]; void f(int i) { a[i] = s.m; s.m = a[2]; s = s; }";
    assert_eq!(
        marks(text),
        [
            "def i",
            "statement",
            "use s bits 32 32",
            "use i",
            "def a somewhere",
            "statement",
            "use a bits 64 32",
            "def s bits 32 32",
            "statement",
            "use s",
            "def s"
        ]
    );
}

#[test]
fn memory_behind_pointers_has_their_name() {
    let text = "struct S { int k, m; }; void f(struct S *p, int *q) { p->m = *q; q[2] = p[1].k; }";
    assert_eq!(
        marks(text),
        [
            "def p",
            "def *p",
            "def q",
            "def *q",
            "statement",
            "use q",
            "use *q bits 0 32",
            "use p",
            "def *p bits 32 32",
            "statement",
            "use p",
            "use *p bits 64 32",
            "use q",
            "def *q bits 64 32"
        ]
    );
}

#[test]
fn addresses_given_away_may_be_assigned_through() {
    let text = "void g(int *p, const int *q); void f(void) { int x = 1, y = 2, a[3]; g(&x, &y); g(a, a); }";
    let found = marks(text);
    let given: Vec<&String> = found.iter().filter(|mark| mark.contains("somewhere")).collect();
    assert_eq!(given, ["def x somewhere", "def a somewhere"]);
}

#[test]
fn dead_statements_keep_their_marks() {
    let count =
        marks("int f(int a) { return a; a = 2; }").iter().filter(|m| *m == "statement").count();
    assert_eq!(count, 2);
}
