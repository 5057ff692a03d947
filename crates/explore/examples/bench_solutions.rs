//! How long all solutions of `sample` take: INKA's table (Gotlieb, Botella and Rueher, ISSTA 1998) gives
//! 287 s for 1953 solutions and 2.4 s for the 6 Pythagorean ones.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![expect(clippy::print_stdout, reason = "a benchmark prints what it measures")]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_coverage::Goal;
use glassbox_coverage::criterion;
use glassbox_explore::{Aim, Budget, PathSearch, Subject};
use glassbox_libc::Libc;
use glassbox_model::Config;

const SAMPLE: &str = include_str!("../../../corpus/contracts/sample/sample.c");

/// The contract as a harness: arrays of three, everything in 1..9, and one more condition.
fn harness(extra: &str) -> String {
    format!(
        "{SAMPLE}
void __VERIFIER_assume(int);
int harness(int *a, int *b, int target)
{{
    for (int i = 0; i < 3; i++) {{
        __VERIFIER_assume(a[i] >= 1); __VERIFIER_assume(a[i] <= 9);
        __VERIFIER_assume(b[i] >= 1); __VERIFIER_assume(b[i] <= 9);
    }}
    __VERIFIER_assume(target >= 1); __VERIFIER_assume(target <= 9);
    __VERIFIER_assume({extra});
    return sample(a, b, target);
}}
"
    )
}

fn main() {
    for (name, extra) in [
        ("sample over 1..9", "1"),
        ("and a[2]*a[2] == a[0]*a[0] + a[1]*a[1]", "a[2] * a[2] == a[0] * a[0] + a[1] * a[1]"),
    ] {
        let mut front = Front::new();
        front.add_unit("sample.c", harness(extra).into_bytes(), &mut |_| None);
        let compiled = compile(front, Promotion::Promote);
        let program = compiled.program.expect("the program is correct");
        let named = |name: &str| {
            let found = program.function_ids().find(|&id| program.function(id).name == name);
            found.expect("defined above")
        };
        let aim = Aim { function: named("sample"), entry: named("harness") };
        let branch = criterion::by_name("branch").expect("a criterion");
        let goals: Vec<Goal> = branch
            .goals(&program, aim.function)
            .into_iter()
            .filter(|goal| goal.text == "fb == 1 is true")
            .collect();
        // The pointers have memory of their own, of exactly three elements: as in the papers.
        let config = Config { may_alias: false, max_length: 3, ..Config::default() };
        let (budget, stop) = (Budget::default(), AtomicBool::new(false));
        let start = Instant::now();
        let library = Box::new(Libc::new());
        let subject = Subject { program: &program, aim, config, budget };
        let found = PathSearch::new(subject, library, &stop).solutions(&goals, 10_000);
        let seconds = start.elapsed().as_secs_f64();
        println!("{name}: {} solutions in {seconds:.4} s", found.goals[0].count);
    }
}
