//! Whatever the checker accepts lowers to well-formed IR: the verifier runs on mutated programs.

mod mutation;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_ir::verify::verify_program;
use glassbox_testkit::Random;
use mutation::{mutant, pieces};

const CONSTRUCTS: &str = include_str!("data/constructs.c");

/// Compiles if the checker lets the text pass; the verifier then has the word. True if it passed.
fn survives(text: &str) -> bool {
    let mut front = Front::new();
    front.add_unit("fuzz.c", text.as_bytes().to_vec(), &mut |_| None);
    let Some(program) = compile(front, Promotion::Promote).program else { return false };
    let errors = verify_program(&program);
    assert!(errors.is_empty(), "{}\nin the program:\n{text}", errors[0]);
    true
}

#[test]
fn the_sample_of_all_constructs_lowers() {
    assert!(survives(CONSTRUCTS));
}

#[test]
fn mutated_programs_lower_or_are_refused() {
    let all = pieces(CONSTRUCTS);
    let mut random = Random::new(21);
    let n_accepted = (0..400).filter(|_| survives(&mutant(&all, &mut random))).count();
    assert!(n_accepted > 40, "some mutants should be accepted, not {n_accepted}");
}

#[test]
fn deep_nesting_is_lowered_or_unsupported() {
    let deep = |open: &str, close: &str, n| format!("{}1{}", open.repeat(n), close.repeat(n));
    for n in [10, 500, 3000] {
        for expression in [
            deep("(", ")", n),
            deep("-", "", n),
            deep("!", "", n),
            deep("1 + (", ")", n),
            deep("1 && (", ")", n),
            deep("x ? 2 : (", ")", n),
            deep("({", ";})", n),
            format!("{}1", "1 + ".repeat(n)),
            format!("{}1", "x || ".repeat(n)),
        ] {
            survives(&format!("int f(int x) {{ return {expression}; }}"));
        }
        for statement in [
            format!("{}{}", "{".repeat(n), "}".repeat(n)),
            format!("{};", "if (x) ".repeat(n)),
            format!("{}return 1;", "if (x) ; else ".repeat(n)),
            format!("{};", "while (x) ".repeat(n)),
            format!(
                "switch (x) {{ {} ; }}",
                (0..n).map(|i| format!("case {i}:")).collect::<String>()
            ),
        ] {
            survives(&format!("int f(int x) {{ {statement} return 0; }}"));
        }
    }
}
