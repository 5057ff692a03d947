//! Marks: statements, definitions, uses.

use glassbox_c_front::lower::Promotion;
use glassbox_ir::{InstrKind, Mark, Program, UseKind, VarRef};

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
    let name = |var: VarRef| match var {
        VarRef::Local(var) => program.body(func).var(var).name.clone(),
        VarRef::Global(global) => program.global(global).name.clone(),
    };
    match mark {
        Mark::Statement => "statement".to_owned(),
        Mark::Def(var) => format!("def {}", name(var)),
        Mark::Use(var, UseKind::Predicate) => format!("predicate {}", name(var)),
        Mark::Use(var, UseKind::Computation) => format!("use {}", name(var)),
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
fn elements_and_members_define_the_whole_variable() {
    assert_eq!(
        marks("struct S { int m; } s; int a[4]; void f(int i) { a[i] = s.m; s.m = a[2]; }"),
        ["def i", "statement", "use s", "use i", "def a", "statement", "use a", "def s"]
    );
}

#[test]
fn dead_statements_keep_their_marks() {
    let count =
        marks("int f(int a) { return a; a = 2; }").iter().filter(|m| *m == "statement").count();
    assert_eq!(count, 2);
}
