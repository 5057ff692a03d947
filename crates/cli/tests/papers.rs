//! The papers' programs: everything feasible is covered, everything else is proved.
//!
//! What is asserted is what the papers say about their programs; everything else is computed.

use glassbox_testkit::suite::{gen_command, read_suite};
use serde_json::Value;

/// The suite of a file with branch and MC/DC goals; the interpreter confirms.
fn suite_of(file: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["--criterion", "branch", "--criterion", "mcdc", "--no-exec", "--timeout", "10"];
    let output = gen_command(&glassbox_testkit::root().join(file), folder.path(), &args).output();
    let output = output.expect("the binary starts");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    read_suite(folder.path())
}

/// Verdicts of the goals of a function whose text is this.
fn verdicts(suite: &Value, function: &str, text: &str) -> Vec<String> {
    let functions = suite["functions"].as_array().expect("functions");
    let function = functions.iter().find(|found| found["name"] == function).expect(function);
    let goals = function["goals"].as_array().expect("goals").iter();
    goals
        .filter(|goal| goal["text"] == text)
        .map(|goal| goal["verdict"].as_str().expect("a verdict").to_owned())
        .collect()
}

/// Goals without a verdict, except of functions that are `hard`.
fn undecided(suite: &Value) -> Vec<String> {
    let functions = suite["functions"].as_array().expect("functions").iter();
    functions
        .flat_map(|function| function["goals"].as_array().expect("goals"))
        .filter(|goal| goal["verdict"] == "unknown")
        .map(|goal| goal["id"].to_string())
        .collect()
}

#[track_caller]
fn check(suite: &Value, claims: &[(&str, &str, &str)]) {
    for (function, text, verdict) in claims {
        let found = verdicts(suite, function, text);
        assert!(!found.is_empty(), "{function}: {text}");
        assert!(found.iter().all(|found| found == verdict), "{function}: {text}: {found:?}");
    }
}

#[test]
fn triangles() {
    let suite = suite_of("corpus/c/papers/triangles.c");
    assert_eq!(undecided(&suite), [""; 0]);
}

#[test]
fn inka_and_euclide() {
    let suite = suite_of("corpus/c/papers/inka.c");
    assert_eq!(undecided(&suite), [""; 0]);
    check(
        &suite,
        &[
            ("foo", "t <= 20 is true", "covered"),
            ("factorial_goal", "j == 2 is true", "covered"),
            ("unique", "t == 1 is true", "covered"),
            ("sample3", "fa == 1 is true", "covered"),
            ("sample10", "fb == 1 is true", "covered"),
            ("euclide_foo", "z <= -2500 is true", "covered"),
            ("euclide_foo", "z <= -3000 is true", "infeasible"),
            ("product", "z < 0 is true", "infeasible"),
            ("counted", "j == 51 is true", "covered"),
        ],
    );
}

#[test]
fn pointers() {
    let suite = suite_of("corpus/c/papers/pointers.c");
    assert_eq!(undecided(&suite), [""; 0]);
    check(
        &suite,
        &[
            ("f", "i != 0 is true", "covered"),
            ("foo_pointer", "j > 8 is true", "covered"),
            ("lh98", "h > 100 is true", "covered"),
            ("jos97", "p == &c is true", "covered"),
            ("aliasing", "i < 16 is true", "covered"),
            ("josephus", "i <= m - 1 is true", "covered"),
        ],
    );
}

#[test]
fn floats() {
    let suite = suite_of("corpus/c/papers/fpse.c");
    assert_eq!(undecided(&suite), [""; 0]);
    check(
        &suite,
        &[
            ("foo1_float", "z == y is true", "covered"),
            ("foo1_double", "z == y is true", "covered"),
            ("foo2_float", "z > y is true", "infeasible"),
            ("foo2_double", "z > y is true", "covered"),
            ("goldberg2_float", "delta == 0.0f is true", "covered"),
            ("goldberg2_double", "delta == 0.0 is true", "covered"),
            ("howden_float", "x > 50.0f is true", "infeasible"),
            ("howden_double", "x > 50.0 is true", "infeasible"),
            ("power_forty_float", "power_float(10.0f, y) == 0.0f is false", "infeasible"),
            ("power_forty_double", "power_double(10.0, y) == 0.0 is true", "infeasible"),
        ],
    );
}

#[test]
fn glasstt() {
    let suite = suite_of("corpus/c/papers/glasstt.c");
    assert_eq!(undecided(&suite), [""; 0]);
    assert!(suite["functions"].as_array().expect("functions").len() >= 16);
}

#[test]
fn series() {
    let suite = suite_of("corpus/c/papers/series.c");
    assert_eq!(undecided(&suite), [""; 0]);
    check(
        &suite,
        &[
            ("taylor_sine", "x > 7 is true", "covered"),
            ("log_series", "s < 0.41 is true", "covered"),
            ("power_loop", "z == 1e-40 is true", "covered"),
            ("power_ten", "z > 0.5e-40 is true", "covered"),
        ],
    );
}

#[test]
fn tcas_lines_11_and_12_are_unreachable() {
    let suite = suite_of("examples/tcas.c");
    assert_eq!(undecided(&suite), [""; 0]);
    let both = verdicts(&suite, "alt_sep_test", "need_downward_RA is true");
    assert!(both.contains(&"infeasible".to_owned()), "{both:?}");
}
