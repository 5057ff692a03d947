//! The IR files of `corpus/ir`: each names a pass in its first line and says what to expect in comments.
//!
//! `verify`: the `// error:` lines are all the errors, each at least as the end of a message, in order.
//! Other passes: the function after the pass is what follows `// after:`. Every file prints and parses
//! back to the same text.

use glassbox_ir::promote::promote_locals;
use glassbox_ir::simplify_cfg::simplify_cfg;
use glassbox_ir::text::{parse_program, print_program};
use glassbox_ir::verify::verify_program;
use glassbox_ir::{Body, FuncId, PointerSize, Program};

fn parsed(text: &str) -> Program {
    match parse_program(text) {
        Ok(program) => program,
        Err(error) => panic!("the file should parse: {error}"),
    }
}

fn round_trips(program: &Program) {
    let printed = print_program(program);
    let again = parsed(&printed);
    assert_eq!(print_program(&again), printed);
    assert_eq!(again.functions, program.functions);
    assert_eq!(again.globals, program.globals);
    assert_eq!(again.classes, program.classes);
    assert_eq!(again.source_types(), program.source_types());
}

fn expects_errors(text: &str) {
    let program = parsed(text);
    round_trips(&program);
    let errors: Vec<String> = verify_program(&program).iter().map(ToString::to_string).collect();
    let expected: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("// error: ")).collect();
    for (error, expected) in errors.iter().zip(&expected) {
        assert!(error.ends_with(expected), "expected {expected:?}, found {error:?}");
    }
    assert_eq!(errors.len(), expected.len(), "{errors:#?}");
}

fn expects_after(text: &str, pass: fn(&mut Body)) {
    let mut program = parsed(text);
    round_trips(&program);
    assert_eq!(verify_program(&program), []);
    pass(program.functions[0].body.as_mut().expect("the function should have a body"));
    assert_eq!(verify_program(&program), []);
    round_trips(&program);
    let (_, expected) = text.split_once("// after:\n").expect("the file should say what comes out");
    let expected: Vec<&str> = expected
        .lines()
        .map(|line| line.trim_start_matches("//").strip_prefix(' ').unwrap_or(""))
        .collect();
    let found = glassbox_ir::text::print_function(&program, FuncId::new(0));
    assert_eq!(found.lines().collect::<Vec<_>>(), expected, "found:\n{found}");
}

#[test]
fn every_instruction_prints_and_parses_back() {
    expects_errors(include_str!("../../../corpus/ir/all_instructions.ir"));
}

#[test]
fn the_verifier_finds_every_kind_of_error() {
    expects_errors(include_str!("../../../corpus/ir/verifier_errors.ir"));
}

#[test]
fn promotion() {
    expects_after(include_str!("../../../corpus/ir/promote.ir"), |body| {
        promote_locals(body, PointerSize::Eight);
    });
}

#[test]
fn simplification() {
    expects_after(include_str!("../../../corpus/ir/simplify_cfg.ir"), simplify_cfg);
}

#[test]
fn broken_text_is_an_error_with_its_line() {
    for (text, line) in [
        ("", 1),
        ("language c\nfn1 = \"f\" external () -> void type0", 2),
        ("language c\nfn0 = \"f\" external () -> void type0 {\nb0():\n  frobnicate %0\n}", 4),
        ("language c\nfn0 = \"f\" external () -> void type0 {\nb0():\n  return", 4),
        ("language c\ntype0 = int \"int", 2),
    ] {
        match parse_program(text) {
            Ok(_) => panic!("{text:?} should not parse"),
            Err(error) => assert_eq!(error.line, line, "{error}"),
        }
    }
}
