//! Functions that run only because their address went somewhere: their properties are listed, and nothing is concluded
//! about them behind code that is not in the program.

use std::sync::atomic::AtomicBool;

use glassbox_c_front::compile::compile_text;
use glassbox_coverage::Properties;
use glassbox_coverage::scope::scope;
use glassbox_explore::{Budget, Check, Question};
use glassbox_ir::Program;
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_testcase::Verdict;

/// What every program begins with.
const HEAD: &str = "
    extern int atexit(void (*)(void));
    extern void register_handler(void *);
    extern int __VERIFIER_nondet_int(void);
    extern void __VERIFIER_assert(int);
    static int g;
    static void quiet(void) { }
    static void h(void) { __VERIFIER_assert(g == 0); }
";

fn read(text: &str) -> Program {
    compile_text(&format!("{HEAD}{text}")).program.unwrap_or_else(|| panic!("bad C: {text}"))
}

/// The verdict about the assertion in `h`, for runs that start in `main`; `None` if it is no property at all.
fn verdict(text: &str) -> Option<Verdict> {
    let program = read(text);
    let main = program.function_named("main").expect("main is defined");
    let h = program.function_named("h").expect("h is defined");
    let properties = Properties::of(&program, &scope(&program, main, &[]));
    let index = properties
        .list()
        .iter()
        .position(|property| property.function == h && property.kind.is_assertion())?;
    let config = Config { globals_are_inputs: false, ..Config::default() };
    let (budget, stop) = (Budget::default(), AtomicBool::new(false));
    let question = Question {
        program: &program,
        entry: main,
        properties,
        config: &config,
        budget: &budget,
        max_turns: 8,
    };
    let found = Check::new(question, Box::new(Libc::new()), &stop).search();
    Some(found.verdicts[index].clone())
}

#[track_caller]
fn is_violated(text: &str) {
    let verdict = verdict(text);
    assert!(matches!(verdict, Some(Verdict::Violated { .. })), "{verdict:?}");
}

#[track_caller]
fn is_open(text: &str) {
    let verdict = verdict(text);
    assert!(matches!(verdict, Some(Verdict::Unknown(_))), "{verdict:?}");
}

#[test]
fn a_pointer_that_a_branch_chooses() {
    is_violated(
        "int main(void) {
            void (*p)(void);
            if (__VERIFIER_nondet_int()) p = h; else p = quiet;
            g = 1; p(); return 0; }",
    );
}

#[test]
fn a_pointer_that_a_switch_chooses() {
    is_violated(
        "int main(void) {
            void (*p)(void) = quiet;
            switch (__VERIFIER_nondet_int()) { case 1: p = quiet; break; case 2: p = h; break; }
            g = 1; p(); return 0; }",
    );
}

#[test]
fn a_pointer_that_a_function_returns() {
    is_violated(
        "static void (*pick(void))(void) { return h; }
        int main(void) { g = 1; pick()(); return 0; }",
    );
}

#[test]
fn a_handler_that_the_library_calls_at_exit() {
    is_open("int main(void) { atexit(h); g = 1; return 0; }");
}

#[test]
fn a_handler_that_was_called_by_name_before() {
    is_open("int main(void) { if (__VERIFIER_nondet_int()) h(); atexit(h); g = 1; return 0; }");
}

#[test]
fn a_handler_out_of_a_table() {
    is_open(
        "static void (*table[2])(void) = { quiet, h };
        int main(void) { h(); atexit(table[__VERIFIER_nondet_int() & 1]); g = 1; return 0; }",
    );
}

#[test]
fn what_no_code_can_call_is_not_asked_about() {
    assert_eq!(verdict("int main(void) { g = 1; return 0; }"), None);
}
