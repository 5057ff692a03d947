//! Tests that are there already: what is kept of them when the code has changed, and what is said of the rest.

#![allow(clippy::disallowed_methods, reason = "tests start programs and change files")]

use std::fs;
use std::path::Path;
use std::process::Output;

use glassbox_testkit::command::glassbox;
use glassbox_testkit::folder;
use serde_json::Value;

const BEFORE: &str = "struct pair { short a; unsigned b : 3; };\n\
    int over(int x, const struct pair *p) { if (x > 5 && p->a == 77) return p->b; return -1; }\n\
    double same(double d) { if (d > 0.1) return d; return 1.0; }\n";

fn gen_in(place: &Path, more: &[&str]) -> Output {
    let mut command = glassbox();
    command.args(["gen", "a.c", "--out", "o", "--no-exec"]).args(more);
    command.current_dir(place).env("SOURCE_DATE_EPOCH", "1700000000");
    command.output().expect("the command starts")
}

fn suite(place: &Path) -> Value {
    let text = fs::read_to_string(place.join("o/suite.json")).expect("a suite");
    serde_json::from_str(&text).expect("JSON")
}

fn inputs(function: &Value) -> Vec<&Value> {
    let tests = function["tests"].as_array().expect("tests");
    tests.iter().map(|test| &test["inputs"]).collect()
}

#[test]
fn earlier_tests_come_first_and_what_they_lose_is_said() {
    let place = folder::with_files(&[("a.c", BEFORE)]);
    let place = place.path();
    gen_in(place, &[]);
    let first = suite(place);
    let after = BEFORE.replace("x > 5", "x > 2000000");
    fs::write(place.join("a.c"), after).expect("written");
    let second = gen_in(place, &[]);
    let text = String::from_utf8_lossy(&second.stdout).into_owned();
    let note = text.lines().find(|line| line.contains("note: the earlier test")).expect("a note");
    assert!(note.contains("no longer reaches `p->a == 77 is true`: returns "), "{note}");
    assert!(note.contains(" before, returns -1 now"), "{note}");
    let now = suite(place);
    let (before, changed) = (&first["functions"][0], &now["functions"][0]);
    assert_eq!(changed["seeds"].as_array().expect("seeds").len(), inputs(before).len());
    let kept = inputs(changed);
    assert!(inputs(before).iter().any(|input| kept.contains(input)), "{kept:?}");
    let is_covered = |goal: &Value| goal["verdict"] == "covered";
    assert!(changed["goals"].as_array().expect("goals").iter().all(is_covered), "{changed:#}");
    // What is as it was begins as it did.
    assert!(now["functions"][1].get("seeds").is_none());
    assert_eq!(first["functions"][1]["tests"], now["functions"][1]["tests"]);
    for more in [&[][..], &["--jobs", "1"]] {
        let again = gen_in(place, more);
        let said = String::from_utf8_lossy(&again.stdout).into_owned();
        assert!(!said.contains("earlier test"), "{said}");
        let mut later = suite(place);
        later["command"] = now["command"].clone();
        assert_eq!(later, now);
    }
}

#[test]
fn a_test_that_does_not_fit_any_more_is_named() {
    let place = folder::with_files(&[("a.c", "int f(int x) { return x == 12; }\n")]);
    gen_in(place.path(), &[]);
    let other = "int f(int x, int y) { if (y > x) return 1; return 2; }\n";
    fs::write(place.path().join("a.c"), other).expect("written");
    let text = String::from_utf8_lossy(&gen_in(place.path(), &[]).stdout).into_owned();
    assert!(text.contains("does not fit the function any more"), "{text}");
    assert!(text.contains("2 covered"), "{text}");
}

#[test]
fn variable_arguments_of_earlier_tests_are_read() {
    let source = "#include <stdarg.h>\n\
        int sum(int n, ...) {\n  va_list ap;\n  int all = 0;\n  va_start(ap, n);\n  \
        if (n == 2) all = va_arg(ap, int) + va_arg(ap, int);\n  va_end(ap);\n  return all == 7 ? 1 : 0;\n}\n";
    let place = folder::with_files(&[("a.c", source)]);
    let place = place.path();
    gen_in(place, &[]);
    let first = suite(place);
    fs::write(place.join("a.c"), source.replace("? 1 : 0", "? 2 : 0")).expect("written");
    let text = String::from_utf8_lossy(&gen_in(place, &[]).stdout).into_owned();
    assert!(!text.contains("does not fit"), "{text}");
    let now = suite(place);
    let (before, changed) = (&first["functions"][0], &now["functions"][0]);
    let n_most = |function| {
        inputs(function).iter().map(|it| it["params"].as_array().map_or(0, Vec::len)).max()
    };
    assert_eq!((n_most(before), n_most(changed)), (Some(3), Some(3)), "{before:#}");
    assert_eq!(changed["seeds"].as_array().expect("seeds").len(), inputs(before).len());
}
