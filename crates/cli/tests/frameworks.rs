//! `glassbox gen --framework`: tests build with the framework, pass, and fail when the program changes.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::Path;
use std::process::{Command, Output};

use glassbox_testkit::command::glassbox;
use glassbox_testkit::{Tool, require};

/// A function that exits, one with floats, one with memory and a parameter called `state`, one whose allocation may fail.
const SOURCE: &str = r#"#include <stdlib.h>
int leave(int x) { if (x > 3) exit(7); return x + 1; }
double half(double x) { return x > 1.0 ? x / 2 : 0.25; }
static int bump(int *state) { if (!state) return -1; *state += 1; return 0; }
int use(int *p) { return bump(p); }
int grab(void) { void *p = malloc(8); if (!p) return -9; free(p); return 4; }
"#;

/// The tests of a framework in a fresh folder, for the triangle and for `SOURCE`.
fn generate(framework: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let triangle = glassbox_testkit::root().join("examples/triangle.c");
    let source = folder.path().join("mine.c");
    std::fs::write(&source, SOURCE).expect("a file");
    for (file, out) in [(triangle, "triangle"), (source, "mine")] {
        let output = glassbox()
            .args(["gen", "--framework", framework, "--out"])
            .arg(folder.path().join(out))
            .arg(&file)
            .output()
            .expect("the binary starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    folder
}

fn make(tests: &Path, args: &[&str]) -> Output {
    Command::new("make").arg("-C").arg(tests).args(args).output().expect("make is installed")
}

/// The tests pass; once the source is another, they fail.
#[track_caller]
fn check(framework: &str, args: &[&str]) {
    let folder = generate(framework);
    for out in ["triangle", "mine"] {
        let output = make(&folder.path().join(out).join("tests"), args);
        assert!(output.status.success(), "{output:?}");
    }
    let mine = folder.path().join("mine/tests");
    let changes = [
        ("x + 1", "x + 2"),
        ("exit(7)", "exit(8)"),
        ("0.25", "0.125"),
        ("+= 1", "+= 3"),
        ("-9", "-8"),
    ];
    for (old, new) in changes {
        std::fs::write(folder.path().join("mine.c"), SOURCE.replace(old, new)).expect("a file");
        assert!(make(&mine, &["clean"]).status.success());
        let output = make(&mine, args);
        assert!(!output.status.success(), "{old} became {new}: {output:?}");
        // It was built: a program that does not compile would say nothing.
        assert!(mine.join("test_leave").exists() && mine.join("test_bump").exists(), "{output:?}");
    }
}

#[test]
fn plain_tests_are_the_default() {
    let folder = generate("plain");
    let tests = folder.path().join("triangle/tests");
    assert!(make(&tests, &[]).status.success());
}

#[test]
fn cmocka_tests_pass_and_notice_changes() {
    if require(Tool::File("/usr/include/cmocka.h")).is_some() {
        check("cmocka", &[]);
    }
}

#[test]
fn check_tests_pass_and_notice_changes() {
    if require(Tool::File("/usr/include/check.h")).is_some() {
        check("check", &[]);
    }
}

#[test]
fn unity_tests_run_every_test() {
    if let Some(unity) = require(Tool::Unity) {
        check("unity", &[&format!("UNITY={}", unity.display())]);
    }
    let folder = generate("unity");
    let text = std::fs::read_to_string(folder.path().join("mine/tests/test_leave.c"));
    let text = text.expect("a test file");
    let n_run = text.matches("    RUN_TEST(test_leave").count();
    assert!(n_run >= 2, "{text}");
    assert_eq!(text.matches(" * oracle: ").count(), n_run, "{text}");
    assert!(text.contains("_in_child) == 7);"), "{text}");
    assert!(text.contains("UNITY_BEGIN();") && text.contains("return UNITY_END();"), "{text}");
}

#[test]
fn gtest_cases_call_every_test() {
    if require(Tool::File("/usr/include/gtest/gtest.h")).is_some() {
        check("gtest", &[]);
    }
    let folder = generate("gtest");
    let read = |name: &str| {
        let path = folder.path().join("mine/tests").join(name);
        std::fs::read_to_string(path).expect("a test file")
    };
    let (tests, cases) = (read("test_leave.c"), read("test_leave_gtest.cpp"));
    let n_cases = cases.matches("\nTEST(leave, test_leave").count();
    assert!(n_cases >= 2, "{cases}");
    assert_eq!(tests.matches("\nvoid test_leave").count(), n_cases, "{tests}");
}

/// Tests that share a process do not see what others left in globals.
#[test]
fn tests_of_one_process_begin_with_the_same_globals() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "static int count = 1;\nstatic int seen[2];\n\
                  int bump(int n) { count += n; seen[1] = count; if (count > 10) return 1; return 0; }\n";
    std::fs::write(folder.path().join("mine.c"), source).expect("a file");
    let tests_for = |framework: &str| {
        let output = glassbox()
            .current_dir(folder.path())
            .args(["gen", "--framework", framework, "--out", framework, "mine.c"])
            .output()
            .expect("the binary starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        folder.path().join(framework).join("tests")
    };
    let text =
        std::fs::read_to_string(tests_for("unity").join("test_bump.c")).expect("a test file");
    let n_tests = text.matches(" * oracle: ").count();
    assert_eq!(text.matches("    glassbox_start();\n").count(), n_tests, "{text}");
    assert!(text.contains("static char count_kept[sizeof count];"), "{text}");
    if require(Tool::File("/usr/include/cmocka.h")).is_some() {
        let output = make(&tests_for("cmocka"), &[]);
        assert!(output.status.success(), "{output:?}");
    }
}
