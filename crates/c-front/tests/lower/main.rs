//! Lowering, seen from outside: what programs do, which checks fail where, what decisions look like.

mod checks;
mod decisions;
mod library;
mod marks;
mod order;
mod presumed;
mod programs;

use glassbox_c_front::compile::compile;
use glassbox_c_front::flags::Meaning;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_interp::{Machine, Options, Outcome};
use glassbox_ir::verify::verify_program;
use glassbox_ir::{CheckKind, Program};
use glassbox_libc::Libc;

/// The program of one unit that needs no preprocessing.
#[track_caller]
fn lowered(text: &str, promotion: Promotion) -> Program {
    let mut front = Front::new();
    front.set_meaning(Meaning::default());
    front.add_unit("test.c", text.as_bytes().to_vec(), &mut |_| None);
    let compiled = compile(front, promotion);
    let program = compiled.program.unwrap_or_else(|| {
        panic!("the program should be accepted: {:?}", compiled.diagnostics);
    });
    let errors = verify_program(&program);
    assert!(errors.is_empty(), "lowering should give well-formed IR: {}", errors[0]);
    program
}

fn run(program: &Program) -> Outcome {
    let main = program.function_named("main").expect("a main should be there");
    let options = Options { max_steps: 10_000_000, ..Options::default() };
    let mut machine =
        Machine::new(program, options, Box::new(Libc::new())).expect("the globals should fit");
    machine.run(main, &[])
}

/// `main` returns this number, with locals promoted and without.
#[track_caller]
fn returns(text: &str, expected: i32) {
    for promotion in [Promotion::Promote, Promotion::Keep] {
        let outcome = run(&lowered(text, promotion));
        let expected = Outcome::Returned(Some(u128::from(expected.cast_unsigned())));
        assert_eq!(outcome, expected, "{promotion:?}");
    }
}

/// `main` runs into undefined behavior of this kind on this line.
#[track_caller]
fn fails(text: &str, kind: CheckKind, line: u32) {
    for promotion in [Promotion::Promote, Promotion::Keep] {
        let outcome = run(&lowered(text, promotion));
        let Outcome::Undefined(found) = outcome else {
            panic!("{promotion:?}: expected {kind:?} on line {line}, found {outcome:?}");
        };
        assert_eq!((found.kind, found.span.line), (kind, line), "{promotion:?}");
    }
}
