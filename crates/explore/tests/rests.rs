//! What proofs about goals rest on: errors whose results are any number, errors after which nothing is as it was, and what
//! compilers may choose.

use std::sync::atomic::AtomicBool;

use glassbox_c_front::compile::compile;
use glassbox_c_front::flags::Meaning;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_coverage::criterion;
use glassbox_explore::{Budget, PathSearch, Subject};
use glassbox_ir::{OverflowMode, Program, overflow};
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_testcase::Verdict;

fn read(text: &str) -> Program {
    let mut front = Front::new();
    front.set_meaning(Meaning::default());
    front.add_unit("p.c", text.as_bytes().to_vec(), &mut |_| None);
    let program = compile(front, Promotion::Promote).program;
    let mut program = program.unwrap_or_else(|| panic!("bad C: {text}"));
    overflow::apply(&mut program, OverflowMode::Report);
    program
}

/// What the verdict of a goal of `f` rests on, in words; empty for a proof that rests on nothing.
#[track_caller]
fn rests(text: &str, criterion: &str, goal: &str) -> Vec<String> {
    let program = read(text);
    let f = program.function_named("f").expect("f is defined");
    let goals = criterion::by_name(criterion).expect("a criterion").goals(&program, f);
    let index = goals.iter().position(|known| known.text.starts_with(goal));
    let index = index.unwrap_or_else(|| {
        let texts: Vec<&str> = goals.iter().map(|goal| goal.text.as_str()).collect();
        panic!("no goal `{goal}` among {texts:?}")
    });
    let (config, stop) = (Config::default(), AtomicBool::new(false));
    let budget = Budget { paths: 200, ..Budget::default() };
    let subject = Subject { program: &program, aim: f.into(), config, budget };
    let found = PathSearch::new(subject, Box::new(Libc::new()), &stop).cover(&goals);
    match &found.verdicts[index] {
        Verdict::Infeasible(_) => Vec::new(),
        Verdict::InfeasibleWithin { bounds } => bounds.iter().map(ToString::to_string).collect(),
        other @ (Verdict::Covered { .. }
        | Verdict::Unknown(_)
        | Verdict::Violated { .. }
        | Verdict::Holds(_)
        | Verdict::HoldsWithin { .. }) => panic!("{other:?}: {text}"),
    }
}

#[test]
fn a_value_in_doubt_is_any_number_at_each_comparison() {
    let text = "int f(int a, int b) {\n int s = a + b, r = 0;\n if (s < 0) r = 1;\n\
                if (a > 0 && b > 0) { if (s >= 0) r += 2; }\n if (r == 3) return 1;\n return 0; }";
    assert_eq!(rests(text, "branch", "r == 3 is true"), ["line 2 does not overflow"]);
    // Whatever a shift too far gives, it is not used here.
    let unused = "int f(int x) { int y = 1 << x; if (x > 5 && x < 3) return y; return 0; }";
    assert!(rests(unused, "branch", "x < 3 is true").is_empty());
}

#[test]
fn after_a_store_outside_nothing_is_as_it_was() {
    let text = "static int a[2];\nint f(int i, int x) {\n a[i] = 1;\n\
                if (x > 5 && x < 3) return 1;\n return 0; }";
    let found = rests(text, "branch", "x < 3 is true");
    assert!(found.contains(&"line 3 does not leave an object".to_owned()), "{found:?}");
}

#[test]
fn an_order_that_is_open_is_named_with_what_comes_after_it() {
    let text = "static int g;\nstatic int set(void) { g = 2; return 1; }\n\
                int f(int x) {\n if (x > 5 && x < 3) return 1;\n g = 0;\n int r = g + set();\n\
                if (r == 1 && g == 2) return 2;\n return 0; }";
    let found = rests(text, "branch", "r == 1 is true");
    assert_eq!(found, ["line 6 means the same in any order of evaluation"]);
}

#[test]
fn a_pair_of_evaluations_rests_on_errors_before_its_decision() {
    // The second condition repeats the first, so it is never false; the error comes later.
    let text = "int f(int x, int y) {\n if (x > 3 && x > 2) y++;\n return 10 / y; }";
    assert!(rests(text, "mcdc", "x > 2 alone changes the decision").is_empty());
}
