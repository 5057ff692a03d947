//! `glassbox gen` as a user runs it: examples and the corpus, tests built and run by make.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use glassbox_testkit::run_glassbox;
use glassbox_testkit::suite::{generate, generate_for, goals_with, make_passes, texts};

#[test]
fn every_goal_of_the_triangle_is_covered_and_its_tests_pass() {
    let (folder, suite, output) =
        generate(&["examples/triangle.c", "--criterion", "branch", "--criterion", "mcdc"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(goals_with(&suite, "covered").len() > 40);
    assert!(goals_with(&suite, "unknown").is_empty());
    make_passes(folder.path());
}

#[test]
fn tcas_has_one_unreachable_branch_in_its_main_function() {
    let (folder, suite, output) = generate(&["examples/tcas.c"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let infeasible = goals_with(&suite, "infeasible");
    // Both callees test a condition again that is known there; `alt_sep_test` cannot advise both ways.
    assert_eq!(infeasible.len(), 3, "{infeasible:?}");
    make_passes(folder.path());
}

#[test]
fn all_kinds_of_input_are_decided() {
    let (folder, suite, output) = generate(&["corpus/c/inputs.c"]);
    let unknown = goals_with(&suite, "unknown");
    assert_eq!(output.status.code(), Some(0), "{unknown:#?}");
    make_passes(folder.path());
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let run = || {
        let (folder, _, _) = generate(&["examples/triangle.c", "--no-exec"]);
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("written");
        (
            read("tests/test_triangle.c").replace(&*folder.path().to_string_lossy(), ""),
            read("tests/Makefile"),
        )
    };
    let ((first, first_make), (second, second_make)) = (run(), run());
    // The include path depends on the folder only.
    let body = |text: &str| {
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("#include")).collect();
        lines.join("\n")
    };
    assert_eq!(body(&first), body(&second));
    assert_eq!(first_make, second_make);
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let with_jobs = |jobs: &str| {
        let (folder, suite, output) =
            generate(&["corpus/c/inputs.c", "--no-exec", "--jobs", jobs, "--criterion", "branch"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let tests = std::fs::read_to_string(folder.path().join("tests/test_sum_range.c"));
        // Commands name the folder.
        let plain = |text: &str| text.replace(&folder.path().display().to_string(), "DIR");
        let printed = plain(&String::from_utf8(output.stdout).expect("text"));
        let functions = plain(&format!("{:#}", suite["functions"]));
        (functions, tests.expect("tests of this function"), printed)
    };
    assert_eq!(with_jobs("1"), with_jobs("3"));
}

#[test]
fn bad_input_is_reported_and_ends_with_2() {
    for args in [
        vec!["gen", "no-such-file.c"],
        vec!["gen", "docs/src"],
        vec!["gen", "examples/triangle.c", "--function", "no_such_function"],
        vec!["gen", "examples/triangle.c", "--criterion", "nonsense"],
    ] {
        let output = run_glassbox(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn assertions_that_can_fail_are_covered_and_the_others_are_infeasible() {
    let (folder, suite, output) =
        generate(&["corpus/check/foo.c", "--criterion", "assert", "--overflow", "reject"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let covered = goals_with(&suite, "covered");
    assert_eq!(covered.len(), 1, "{covered:?}");
    assert_eq!(goals_with(&suite, "infeasible").len(), 1);
    // The test passes when the assertion stops the call.
    make_passes(folder.path());
}

#[test]
fn code_behind_constant_conditions_is_unreachable_at_once_whatever_surrounds_it() {
    let source = "struct node { int value; struct node *next; };\n\
        int find(const struct node *list, int key) {\n\
        \x20   int steps = 0, debug = 0;\n\
        \x20   while (list != 0) {\n\
        \x20       if (debug && sizeof(int) == 8) steps = 7;\n\
        \x20       if (list->value == key + 3) return steps;\n\
        \x20       steps++; list = list->next;\n\
        \x20   }\n\
        \x20   return -1;\n}\n";
    let args = ["--no-exec", "--max-paths", "1", "--criterion", "branch", "--criterion", "mcdc"];
    let (_folder, suite, _) = generate_for(source, &args);
    let infeasible = goals_with(&suite, "infeasible");
    for wanted in [
        "debug is true",
        "sizeof(int) == 8 is true",
        "sizeof(int) == 8 is false",
        "debug alone changes the decision (masking MC/DC)",
    ] {
        assert!(texts(&infeasible).iter().any(|text| text == wanted), "{wanted}: {infeasible:#?}");
    }
    assert!(infeasible.iter().all(|goal| goal["method"] == "control-flow"), "{infeasible:#?}");
}
