//! One path of a small function as conditions on its inputs.

use expect_test::{Expect, expect};
use glassbox_c_front::compile::compile_text;
use glassbox_ir::{BlockId, FuncId};
use glassbox_model::{
    Alternative, ChoiceKind, ChoicePoint, Config, Guide, Inputs, PathEnd, SymValue, execute,
};
use glassbox_terms::{Model, TermId, Terms, Value, display, eval};

/// Takes the ways that a case lists, then the first ones, and writes down why.
struct Listed<'a> {
    ways: std::slice::Iter<'a, usize>,
    lines: Vec<String>,
}

impl Guide for Listed<'_> {
    fn choose(
        &mut self,
        terms: &mut Terms,
        point: &ChoicePoint,
        alternatives: &[Alternative],
    ) -> Option<usize> {
        let is_listed = matches!(point.kind, ChoiceKind::Branch | ChoiceKind::Pointer);
        let way = if is_listed { self.ways.next().copied().unwrap_or(0) } else { 0 };
        let condition = display(terms, alternatives[way].condition);
        self.lines.push(format!("{}: {:?} {way}: {condition}", point.span.line, point.kind));
        Some(way)
    }

    fn assume(&mut self, terms: &mut Terms, fact: TermId) -> bool {
        self.lines.push(format!("assume {}", display(terms, fact)));
        true
    }

    fn suggest(&mut self, terms: &mut Terms, term: TermId) -> Value {
        eval(terms, &Model::new(), term)
    }

    fn edge(&mut self, _: FuncId, _: BlockId, _: u32) {}
}

/// The choices of the path through `f` that takes these ways at its branches and pointers, and how it ends.
#[track_caller]
fn check(source: &str, ways: &[usize], expected: Expect) {
    let program = compile_text(source).program.expect("the case should compile");
    let function = program.function_named("f").expect("the case should define f");
    let (mut terms, mut inputs) = (Terms::new(), Inputs::default());
    let mut guide = Listed { ways: ways.iter(), lines: Vec::new() };
    let config = Config::default();
    let execution = execute(&program, function, &config, &mut terms, &mut inputs, &mut guide);
    let end = match execution.end {
        PathEnd::Returned(Some(SymValue::Term(term))) => {
            format!("returned {}", display(&terms, term))
        }
        PathEnd::Failed { kind, span } => format!("failed {kind:?} in line {}", span.line),
        end @ (PathEnd::Returned(_)
        | PathEnd::Exited(_)
        | PathEnd::Aborted
        | PathEnd::Cut
        | PathEnd::Rejected
        | PathEnd::Unsupported { .. }
        | PathEnd::OutOfSteps
        | PathEnd::Stopped
        | PathEnd::Met) => format!("{end:?}"),
    };
    let mut text = guide.lines.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    expected.assert_eq(&format!("{text}{end}\n"));
}

#[test]
fn branches_are_conditions_on_parameters() {
    let source = "int f(int a, unsigned b)\n{\n    if (a > 3 && b < 10u)\n        return a * 2;\n    return a - 1;\n}\n";
    check(
        source,
        &[0, 0],
        expect![[r#"
        3: Branch 0: 3 < a
        3: Branch 0: b <u 10
        4: Check(SignedOverflow) 0: !(a < -1073741824 || 1073741823 < a)
        returned a * 2
    "#]],
    );
    check(
        source,
        &[1],
        expect![[r#"
        3: Branch 1: a < 4
        5: Check(SignedOverflow) 0: a != 2147483648
        returned a - 1
    "#]],
    );
}

#[test]
fn assignments_leave_no_trace_but_their_value() {
    check(
        "int f(signed char c)\n{\n    int x = c;\n    x += 5;\n    c = x;\n    return c == x;\n}\n",
        &[],
        expect![[r#"
            returned (i32)c + 5 == (i32)(c + 5) ? 1 : 0
        "#]],
    );
}

#[test]
fn checks_pass_first() {
    check(
        "int f(int a, int b)\n{\n    return a / b;\n}\n",
        &[],
        expect![[r#"
        3: Check(DivisionByZero) 0: b != 0
        3: Check(SignedOverflow) 0: b != -1 || a != 2147483648
        returned a / b
    "#]],
    );
}

#[test]
fn pointers_are_null_or_memory() {
    let source = "int f(int *p)\n{\n    if (!p)\n        return -1;\n    return p[1];\n}\n";
    check(
        source,
        &[0],
        expect![[r#"
        3: Pointer 0: true
        assume length(p) != 0
        assume length(p) <u 9
        5: Check(OutOfBounds) 0: 3 <u length(p) * 4 && 3 <u length(p) * 4 - 4
        returned p[1]
    "#]],
    );
    check(
        source,
        &[1, 1],
        expect![[r#"
        3: Pointer 1: true
        returned -1
    "#]],
    );
}

#[test]
fn stores_and_loads_of_an_array_meet() {
    check(
        "int f(int i)\n{\n    int t[4] = {1, 2, 3, 4};\n    t[i & 3] = 9;\n    return t[2];\n}\n",
        &[],
        expect![[r#"
            4: Check(OutOfBounds) 0: (i64)(i & 3) * 4 <u 13
            returned (u2)i == 2 ? 9 : 3
        "#]],
    );
}

#[test]
fn floats_have_their_own_operators() {
    check(
        "int f(double x)\n{\n    return x * 2.0 > 1.0 ? 1 : 0;\n}\n",
        &[0],
        expect![[r#"
        3: Branch 0: 1.0 < x * 2.0
        returned 1
    "#]],
    );
}
