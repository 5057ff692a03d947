//! Edges that runs climb to without any path: the budget of paths is zero.

use std::sync::atomic::AtomicBool;

use glassbox_c_front::compile::compile_text;
use glassbox_coverage::criterion;
use glassbox_explore::{Budget, PathSearch, Subject};
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_testcase::Verdict;

/// Texts of the branch goals that stay open.
fn open_goals(text: &str) -> Vec<String> {
    let program = compile_text(text).program.expect("good C");
    let function = program.function_named("f").expect("f is defined");
    let branch = criterion::by_name("branch").expect("a criterion");
    let goals = branch.goals(&program, function);
    let budget = Budget { paths: 0, ..Budget::default() };
    let stop = AtomicBool::new(false);
    let config = Config::default();
    let subject = Subject { program: &program, aim: function.into(), config, budget };
    let found = PathSearch::new(subject, Box::new(Libc::new()), &stop).cover(&goals);
    let open = goals.iter().zip(&found.verdicts);
    open.filter(|(_, verdict)| !matches!(verdict, Verdict::Covered { .. }))
        .map(|(goal, _)| goal.text.clone())
        .collect()
}

#[test]
fn an_exact_result_of_newtons_iteration() {
    let text = "int f(double a) {
        double r, before;
        if (!(a >= 0.0 && a < 1e6)) return -1;
        r = a > 1.0 ? a : 1.0;
        do { before = r; r = (r + a / r) / 2.0; } while (before - r > 1e-3);
        if (r == 13.0) return 1;
        return 0;
    }";
    assert_eq!(open_goals(text), [""; 0]);
}

#[test]
fn a_polynomial_in_a_narrow_band() {
    let text = "int f(float x) {
        float p = x * x * x - 2.0f * x;
        if (p > 1000.0f && p < 1000.001f) return 1;
        return 0;
    }";
    assert_eq!(open_goals(text), [""; 0]);
}
