//! Goals of every criterion on small functions, as people read them.

use expect_test::{Expect, expect};
use glassbox_c_front::compile::compile_text;
use glassbox_coverage::criterion;

/// The goals of `f`, one in a line: place, then what to reach.
#[track_caller]
fn check(criterion: &str, source: &str, expected: Expect) {
    let mut program = compile_text(source).program.expect("the case should compile");
    let function = program.function_named("f").expect("the case should define f");
    let criterion = criterion::by_name(criterion).expect("the case should name a criterion");
    criterion.prepare(&mut program, function);
    let text: String = criterion
        .goals(&program, function)
        .iter()
        .map(|goal| format!("{}:{}: {}\n", goal.span.line, goal.span.column, goal.text))
        .collect();
    expected.assert_eq(&text);
}

const AND: &str =
    "int f(int a, int b)\n{\n    if (a > 0 && b == 3)\n        return 1;\n    return 0;\n}\n";

const LOOP: &str =
    "int f(int n)\n{\n    int s = 0;\n    while (n > 0)\n        s += n--;\n    return s;\n}\n";

#[test]
fn statements() {
    check(
        "statement",
        LOOP,
        expect![[r#"
        3:9: the statement is executed
        4:5: the statement is executed
        5:9: the statement is executed
        6:5: the statement is executed
    "#]],
    );
}

#[test]
fn branches() {
    check(
        "branch",
        AND,
        expect![[r#"
        3:9: a > 0 is true
        3:9: a > 0 is false
        3:18: b == 3 is true
        3:18: b == 3 is false
    "#]],
    );
    let switch = "int f(int x)\n{\n    switch (x) {\n    case 1: return 2;\n    case 5 ... 7: return 3;\n    default: return 0;\n    }\n}\n";
    check(
        "branch",
        switch,
        expect![[r#"
        3:13: no case is taken
        4:5: case 1 is taken
        5:5: case 5 ... 7 is taken
    "#]],
    );
}

#[test]
fn decisions_and_conditions() {
    check(
        "decision",
        AND,
        expect![[r#"
        3:9: the decision is true
        3:9: the decision is false
    "#]],
    );
    check(
        "condition",
        AND,
        expect![[r#"
        3:9: a > 0 is true
        3:9: a > 0 is false
        3:18: b == 3 is true
        3:18: b == 3 is false
    "#]],
    );
}

#[test]
fn conditions_that_change_decisions() {
    check(
        "mcdc",
        AND,
        expect![[r#"
        3:9: a > 0 alone changes the decision (masking MC/DC)
        3:18: b == 3 alone changes the decision (masking MC/DC)
    "#]],
    );
    check(
        "mcdc:unique-cause",
        "int f(int a, int b) { return (a || b) && !a; }\n",
        expect![[r#"
        1:31: a alone changes the decision (unique-cause MC/DC)
        1:36: b alone changes the decision (unique-cause MC/DC)
        1:43: a alone changes the decision (unique-cause MC/DC)
    "#]],
    );
}

#[test]
fn definitions_and_uses() {
    check(
        "def-use",
        LOOP,
        expect![[r#"
        1:5: n defined at 1:5 is used at 4:12
        1:5: n defined at 1:5 is used at 5:14
        3:9: s defined at 3:9 is used at 5:9
        3:9: s defined at 3:9 is used at 6:12
        5:9: s defined at 5:9 is used at 5:9
        5:9: s defined at 5:9 is used at 6:12
        5:14: n defined at 5:14 is used at 4:12
        5:14: n defined at 5:14 is used at 5:14
    "#]],
    );
}

#[test]
fn paths() {
    check(
        "path:2",
        LOOP,
        expect![[r#"
        4:5: the edges b0.0 b1.0 are taken in a row
        4:5: the edges b0.0 b1.1 are taken in a row
        4:12: the edges b1.0 b2.0 are taken in a row
        5:9: the edges b2.0 b1.0 are taken in a row
        5:9: the edges b2.0 b1.1 are taken in a row
    "#]],
    );
}

#[test]
fn boundaries() {
    check(
        "boundary",
        "int f(unsigned x) { return x < 10; }\n",
        expect![[r#"
        1:28: x is one below 10, at x < 10
        1:28: x equals 10, at x < 10
    "#]],
    );
}

#[test]
fn assertions_and_checks() {
    let source = "extern void __VERIFIER_assert(int);\nint f(int x)\n{\n    __VERIFIER_assert(x != 4);\n    return 10 / x;\n}\n";
    check(
        "assert",
        source,
        expect![[r#"
        4:5: the assertion fails
    "#]],
    );
}
