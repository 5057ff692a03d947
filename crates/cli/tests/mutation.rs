//! Mutants: killed by a test or proved equivalent, and told so.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use glassbox_testkit::{command::run_glassbox_in, root};
use serde_json::Value;

/// Runs `mutate`; the folder of what it left, mutation.json, what was printed, the exit code.
fn mutate(folder: &Path, args: &[&str]) -> (tempfile::TempDir, Value, String, Option<i32>) {
    let out = tempfile::tempdir().expect("a folder");
    let shown = out.path().display().to_string();
    let output = run_glassbox_in(folder, [&["mutate"], args, &["--out", &shown]].concat());
    let text = std::fs::read_to_string(out.path().join("mutation.json")).unwrap_or_default();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (out, serde_json::from_str(&text).unwrap_or(Value::Null), printed, output.status.code())
}

fn all(report: &Value) -> Vec<&Value> {
    let files = report["files"].as_object().into_iter().flat_map(|files| files.values());
    files.filter_map(|file| file["mutants"].as_array()).flatten().collect()
}

/// How many mutants have each value of a key.
fn count(report: &Value, key: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for mutant in all(report) {
        *counts.entry(mutant[key].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    counts
}

fn counts(pairs: &[(&str, usize)]) -> BTreeMap<String, usize> {
    pairs.iter().map(|&(name, n)| (name.to_owned(), n)).collect()
}

#[test]
fn the_mutants_of_trityp_are_those_of_the_paper_and_all_are_decided() {
    let corpus = root().join("corpus/mutants");
    let args = ["trityp.c", "--operators", "aor,ror,lcr", "--overflow", "wrap"];
    let (out, report, printed, code) = mutate(&corpus, &args);
    assert_eq!(count(&report, "mutatorName"), counts(&[("aor", 36), ("ror", 85), ("lcr", 14)]));
    assert_eq!(count(&report, "status"), counts(&[("Ignored", 3), ("Killed", 132)]), "{printed}");
    assert_eq!(code, Some(0), "{printed}");
    let page = std::fs::read_to_string(out.path().join("mutation.html")).expect("written");
    let n_shown = |kind: &str| page.matches(&format!("<article class=\"{kind}\">")).count();
    assert_eq!((n_shown("killed") + n_shown("timed-out"), n_shown("equivalent")), (132, 3));
    let make = Command::new("make").arg("-C").arg(out.path().join("tests")).output();
    let make = make.expect("make should be installed");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
}

#[test]
fn a_contract_makes_more_mutants_equivalent() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = root().join("corpus/mutants/trityp.c");
    std::fs::copy(source, folder.path().join("trityp.c")).expect("copied");
    let range = "[-126, 126]";
    let contract =
        format!("[function.trityp]\nrange.i = {range}\nrange.j = {range}\nrange.k = {range}\n");
    std::fs::write(folder.path().join("glassbox.toml"), contract).expect("writable");
    let args = ["trityp.c", "--operators", "aor,ror,lcr", "--no-exec"];
    let (_out, report, printed, code) = mutate(folder.path(), &args);
    assert_eq!(count(&report, "status"), counts(&[("Ignored", 7), ("Killed", 128)]), "{printed}");
    assert_eq!(code, Some(0), "{printed}");
}

/// Ten functions of the papers, with all operators.
#[test]
fn every_mutant_of_ten_functions_is_killed_or_proved_equivalent() {
    let corpus = root().join("corpus/c/papers");
    let (_out, report, printed, code) = mutate(&corpus, &["triangles.c", "--no-exec"]);
    assert_eq!(all(&report).len(), 839, "{printed}");
    assert_eq!(code, Some(0), "{printed}");
    let others = ["foo", "while_fragment", "unique", "divide"];
    let others = others.iter().flat_map(|name| ["--function", name]);
    let args: Vec<&str> = ["inka.c", "--no-exec"].into_iter().chain(others).collect();
    let (_out, report, printed, code) = mutate(&corpus, &args);
    assert_eq!(all(&report).len(), 76 + 61 + 57 + 150, "{printed}");
    assert_eq!(code, Some(0), "{printed}");
}

#[test]
fn every_operator_makes_mutants_and_endless_ones_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "int sum;\nint add(const int *a, unsigned n) {\n    int total = 0;\n    unsigned i = 0;\n    \
                  while (i < n) {\n        if (a[i] & 1) break;\n        total += a[i];\n        \
                  i++;\n    }\n    sum = total;\n    return total;\n}\n";
    std::fs::write(folder.path().join("add.c"), source).expect("writable");
    let contract = "[function.add]\nlength.a = 2\nrequire = [\"n <= 2\"]\nrange.\"a[]\" = [0, 9]\n";
    std::fs::write(folder.path().join("glassbox.toml"), contract).expect("writable");
    let (_out, report, printed, _) = mutate(folder.path(), &["add.c", "--no-exec"]);
    let names: Vec<String> = count(&report, "mutatorName").into_keys().collect();
    assert_eq!(names, ["aor", "constant", "deletion", "lcr", "ror", "uoi"], "{printed}");
    let statuses = count(&report, "status");
    assert!(statuses.get("Timeout").is_some_and(|&n| n > 0), "{statuses:?}");
    assert!(statuses.get("Killed").is_some_and(|&n| n > 20), "{statuses:?}");
    assert_eq!(statuses.get("CompileError"), None, "{printed}");
}

#[test]
fn what_has_no_mutants_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = "function f(x: int): int { <all> true => x; }\n";
    std::fs::write(folder.path().join("a.rules"), rules).expect("writable");
    let (_out, _, printed, code) = mutate(folder.path(), &["a.rules"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("mutants are made of C functions and Java methods"), "{printed}");
}

const SUITE: &str = "#include <stdlib.h>\nint clamp(int, int);\nint main(void) { return clamp(3, 5) == 3 ? 0 : 1; }\n";
const CLAMP: &str =
    "int clamp(int x, int high) {\n    if (x > high) return high;\n    return x;\n}\n";
const MAKEFILE: &str =
    "check: suite\n\t./suite\nsuite: suite.c clamp.c\n\t$(CC) -o suite suite.c clamp.c\n";

/// A folder with a program, its tests and a Makefile.
fn project(suite: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("clamp.c", CLAMP), ("suite.c", suite), ("Makefile", MAKEFILE)] {
        std::fs::write(folder.path().join(name), text).expect("writable");
    }
    folder
}

fn mutated(folder: &std::path::Path, tests: &str) -> (String, Option<i32>) {
    let args = ["mutate", "clamp.c", "--operators", "ror", "--tests", tests, "--verbose"];
    let output = glassbox_testkit::command::run_glassbox_in(folder, args);
    let (out, err) = (&output.stdout, &output.stderr);
    let text = format!("{}{}", String::from_utf8_lossy(out), String::from_utf8_lossy(err));
    (text, output.status.code())
}

#[test]
fn tests_of_the_user_are_judged_and_what_they_miss_is_killed() {
    let folder = project(SUITE);
    let (text, code) = mutated(folder.path(), "make check");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("the given tests kill 3 of 4 that are not equivalent"), "{text}");
    assert!(text.contains("killed by the given tests"), "{text}");
    assert!(text.contains("5 mutants: 4 killed, 1 proved equivalent"), "{text}");
    // The user's folder is as it was, but for the reports.
    assert!(!folder.path().join("suite").exists());
    assert_eq!(std::fs::read_to_string(folder.path().join("clamp.c")).expect("there"), CLAMP);
}

#[test]
fn tests_that_fail_before_any_mutant_are_refused() {
    let folder = project(&SUITE.replace("== 3", "== 4"));
    let (text, code) = mutated(folder.path(), "make check");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("the tests fail before any mutant is made: `make check`"), "{text}");
}

#[test]
fn a_mutant_with_which_the_users_tests_never_end_is_killed_by_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let loops = "int clamp(int x, int high) {\n    int n = 0;\n    while (x > high) { x--; n++; }\n    return n;\n}\n";
    let suite = SUITE.replace("== 3", "== 0");
    for (name, text) in [("clamp.c", loops), ("suite.c", &*suite), ("Makefile", MAKEFILE)] {
        std::fs::write(folder.path().join(name), text).expect("writable");
    }
    let (text, _) = mutated(folder.path(), "make check");
    assert!(
        text.contains("it does not end") || text.contains("killed by the given tests"),
        "{text}"
    );
}

const LIMITED: &str = "int clamp(int x, int low, int high) {\n    if (x < low) return low;\n    if (x > high) return high;\n    return x;\n}\n";

/// Runs `gen` on a file; the verdicts of goals by id, and what was printed.
fn generated(source: &str, args: &[&str]) -> (BTreeMap<String, String>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.c"), source).expect("writable");
    let output = run_glassbox_in(folder.path(), [&["gen", "f.c", "--out", "out"], args].concat());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    let text = std::fs::read_to_string(folder.path().join("out/suite.json")).unwrap_or_default();
    let suite: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let goals = suite["functions"][0]["goals"].as_array().cloned().unwrap_or_default();
    let word = |goal: &Value, key: &str| goal[key].as_str().unwrap_or_default().to_owned();
    let verdict = |goal: &Value| match goal["verdict"].as_str() {
        Some(verdict) => verdict.to_owned(),
        None => word(&goal["verdict"], "kind"),
    };
    (goals.iter().map(|goal| (word(goal, "id"), verdict(goal))).collect(), printed)
}

#[test]
fn mutants_are_goals_that_tests_kill_or_proofs_exclude() {
    let (verdicts, printed) =
        generated(LIMITED, &["--criterion", "mutation", "--criterion", "branch"]);
    let strong = verdicts.iter().filter(|(id, _)| id.starts_with("clamp/mutation/"));
    let strong: Vec<(&String, &String)> = strong.collect();
    let of = |verdict: &str| strong.iter().filter(|(_, own)| *own == verdict).count();
    assert!(strong.len() > 10, "{verdicts:?} {printed}");
    assert_eq!(of("covered") + of("infeasible"), strong.len(), "{verdicts:?} {printed}");
    // `x > high` and `x >= high` return the same.
    let equivalent = |id: &&String| id.starts_with("clamp/mutation/3:9/ror");
    let proved = strong.iter().filter(|(id, own)| equivalent(id) && *own == "infeasible");
    assert_eq!(proved.count(), 1, "{verdicts:?}");
    assert_eq!(verdicts.iter().filter(|(id, _)| id.contains("/branch/")).count(), 4);
}

#[test]
fn weak_mutants_are_values_that_differ() {
    let source = "int f(unsigned a, unsigned b) {\n    if (a == b) return 1;\n    return (int)(a & 7u) * 0;\n}\n";
    let (verdicts, printed) = generated(source, &["--criterion", "mutation:weak"]);
    let of = |label: &str| {
        let found = verdicts.iter().find(|(id, _)| id.ends_with(label));
        found.map_or("", |(_, verdict)| verdict.as_str())
    };
    assert_eq!(of("/ror-other"), "covered", "{verdicts:?} {printed}");
    assert_eq!(of("/ror-less"), "covered", "{verdicts:?} {printed}");
    assert_eq!(of("/lcr-or"), "covered", "{verdicts:?} {printed}");
    // A product with zero is zero, the sum is not.
    assert_eq!(of("/aor-add"), "covered", "{verdicts:?} {printed}");
    let same = "int g(int a) {\n    if (a > 5) { if (a >= 5) return 1; }\n    return 0;\n}\n";
    let (verdicts, printed) = generated(same, &["--criterion", "mutation:weak"]);
    let inner: Vec<&String> = verdicts
        .iter()
        .filter(|(id, _)| id.starts_with("g/mutation:weak/2:2") && id.ends_with("ror-greater"))
        .map(|(_, verdict)| verdict)
        .collect();
    assert_eq!(inner, ["infeasible"], "{verdicts:?} {printed}");
}

#[test]
fn criteria_that_count_each_others_branches_are_refused() {
    let (_, printed) =
        generated(LIMITED, &["--criterion", "mutation:weak", "--criterion", "boundary"]);
    assert!(printed.contains("`boundary` and `mutation:weak` do not go together"), "{printed}");
}

#[test]
fn a_change_that_makes_no_program_costs_no_other_mutant() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "int f(int x) {\n    switch (x) {\n    case 1: return 4;\n    case 2: return 5;\n    }\n    return 0;\n}\n";
    std::fs::write(folder.path().join("f.c"), source).expect("writable");
    let (_out, report, printed, code) =
        mutate(folder.path(), &["f.c", "--operators", "constant", "--no-exec"]);
    // Two cases with the same number.
    let statuses = count(&report, "status");
    assert_eq!(statuses.get("CompileError"), Some(&2), "{printed}");
    assert_eq!(statuses.get("Survived"), None, "{printed}");
    assert!(printed.contains("not-compiled: the change makes no program"), "{printed}");
    assert_eq!(code, Some(0), "{printed}");
}

/// What a change takes away counts, too: a call that ends the program, a loop without end, an assertion.
#[test]
fn endings_that_a_mutant_loses_are_no_proof() {
    let source = "#include <assert.h>\n#include <errno.h>\n#include <stdlib.h>\n\
                  int leaves(int x) { if (x == 4) exit(2); return 0; }\n\
                  int stays(int x) { if (x == 3) for (;;); return x; }\n\
                  int asserts(int x) { assert(x != 3); return x; }\n\
                  void sets(int x) { errno = x + 1; }\n";
    for function in ["leaves", "stays", "asserts", "sets"] {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("f.c"), source).expect("writable");
        let args = ["f.c", "--function", function, "--operators", "deletion", "--no-exec", "-v"];
        let (_out, _, printed, _) = mutate(folder.path(), &args);
        assert!(printed.contains(&format!("{function}: ")), "{printed}");
        assert!(!printed.contains("equivalent: proved"), "{printed}");
    }
}

/// A mutant that comes back to itself is compared with the function inside: what never ends is not excluded.
#[test]
fn mutants_that_call_themselves_may_never_end() {
    let source = "int again(int n) {\n    n &= 3;\n    if (n == 0) return 0;\n    return again(n - 1);\n}\n\
                  int other(int n);\nint mutual(int n) {\n    n &= 3;\n    if (n == 0) return 0;\n    return other(n);\n}\n\
                  int other(int n) { if (n == 0) return 0; return mutual(n - 1); }\n";
    for function in ["again", "mutual"] {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("f.c"), source).expect("writable");
        let args = ["f.c", "--function", function, "--operators", "deletion", "--no-exec", "-v"];
        let (_out, _, printed, _) = mutate(folder.path(), &args);
        assert!(printed.contains(&format!("{function}: ")), "{printed}");
        let ends = "if (n == 0) return 0;";
        let line = printed.lines().find(|line| line.contains(ends)).unwrap_or_default();
        assert!(!line.is_empty() && !line.contains("equivalent: proved"), "{printed}");
    }
}

/// A path that ends where another one has been in the same state has not come to the end of a run.
#[test]
fn mutants_that_go_from_state_to_state_may_never_end() {
    let source = "int a[8];\nint f(unsigned x)\n{\n    unsigned s = 0;\n    if (x == 123456789u) {\n        while (s < 4u) {\n            \
                  if (a[s & 7u] == 77777) s = s + 2u; else s = s + 1u;\n        }\n    }\n    return 0;\n}\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.c"), source).expect("writable");
    let args = ["f.c", "--function", "f", "--operators", "uoi", "--no-exec", "-v"];
    let (_out, _, printed, _) = mutate(folder.path(), &args);
    let goes_back = |line: &&str| line.starts_with("f.c:7:41:") || line.starts_with("f.c:7:58:");
    let lines: Vec<&str> = printed.lines().filter(goes_back).collect();
    assert_eq!(lines.len(), 2, "{printed}");
    assert!(lines.iter().all(|line| !line.contains("equivalent: proved")), "{printed}");
}

/// What no assertion of a test and no sanitizer sees kills nothing, and the reason is said.
#[test]
fn differences_that_do_not_show_in_a_test_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let judged = |source: &str, contract: &str, args: &[&str]| {
        std::fs::write(folder.path().join("f.c"), source).expect("writable");
        std::fs::write(folder.path().join("glassbox.toml"), contract).expect("writable");
        mutate(folder.path(), &[&["f.c", "--no-exec"], args].concat())
    };
    let union = "union u { int i; char c[4]; };\nvoid f(union u *p) { p->c[0] = 3; }\n";
    let lengths = "[function.f]\nlength.p = 1\n";
    let (_out, _, printed, _) = judged(union, lengths, &["--operators", "deletion"]);
    assert!(printed.contains("f: 1 mutants: 0 killed, 1 unknown"), "{printed}");
    let unset = "int f(int x) {\n    int r;\n    r = 6;\n    return (r & 0) + (x > 3);\n}\n";
    let (_out, _, printed, _) = judged(unset, "", &["--operators", "deletion", "-v"]);
    let how = "uninitialized at line 4, which Valgrind and MemorySanitizer show";
    assert!(printed.contains(how), "{printed}");
    let formed = "int f(int x) {\n    int a[4];\n    a[0] = x;\n    int *p = a + 3 + 1;\n    return p - a + a[0] * 0;\n}\n";
    let (_out, _, printed, _) =
        judged(formed, "", &["--operators", "constant", "--overflow", "wrap"]);
    let why = "unknown: it goes wrong (pointer-overflow at line 4), which no test shows";
    assert!(printed.contains(why), "{printed}");
}
