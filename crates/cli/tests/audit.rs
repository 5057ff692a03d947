//! `glassbox audit`: honest suites pass, and what is wrong in a suite is noticed.

#![allow(clippy::disallowed_methods, reason = "tests write files")]

use std::fs;
use std::path::Path;

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::{Tool, folder, require, root};

const PROGRAM: &str = "\
int sort(int x, unsigned char y)
{
    if (x > 10 && y < 3)
        return 1;
    if (x == 77777)
        return 2;
    if (y > 255)
        return 3;
    return 0;
}
";

/// Runs the command; its exit code and what it printed.
fn run(folder: impl AsRef<Path>, args: &[&str]) -> (i32, String) {
    let output = run_glassbox_in(folder.as_ref(), args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

/// Replaces text in a file, which must be there.
fn change(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).expect("readable");
    assert!(text.contains(from), "{from} is not in {}", file.display());
    fs::write(file, text.replacen(from, to, 1)).expect("writable");
}

/// Files of a folder of the repository with this ending, in order.
fn files_of(folder: &str, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let names = paths.map(|path| path.to_str().expect("plain names").to_owned());
    let mut files: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
    files.sort();
    assert!(!files.is_empty(), "{folder}");
    files
}

/// Makes a suite and audits it; what the audit printed.
fn audited(file: &str, making: &[&str]) -> String {
    let folder = folder::empty();
    let (code, text) = run(&folder, &[making, &[file, "--out", "o"]].concat());
    assert!(code <= 1 || making[0] == "check" && code == 3, "{file}: {text}");
    let (code, text) = run(&folder, &["audit", "o", "--inputs", "40", "--solver-time", "10"]);
    assert_eq!(code, 0, "{file}: {text}");
    assert!(text.contains("AUDIT: no contradiction"), "{file}: {text}");
    text
}

#[test]
fn honest_suites_are_not_contradicted() {
    let counts_conditions =
        ["clang-19", "llvm-cov-19"].iter().all(|tool| require(Tool::Program(tool)).is_some());
    let criteria =
        ["gen", "--criterion", "branch", "--criterion", "mcdc", "--criterion", "statement"];
    for file in files_of("examples", ".c").into_iter().chain(files_of("corpus/c/papers", ".c")) {
        let text = audited(&file, &criteria);
        assert!(!counts_conditions || !text.contains("not counted again"), "{file}: {text}");
    }
}

#[test]
fn honest_verdicts_are_not_contradicted() {
    let folder = folder::with_files(&[("a.c", PROGRAM)]);
    let (code, _) = run(&folder, &["check", "a.c", "--out", "c"]);
    assert_eq!(code, 0);
    assert_eq!(run(&folder, &["audit", "c"]).0, 0);
    for file in files_of("corpus/check", ".c") {
        audited(&file, &["check", "--budget", "3cpu"]);
    }
    // One in three, for the time that they take.
    for file in files_of("corpus/proofs", ".c").iter().step_by(3) {
        audited(file, &["check", "--no-exec", "--budget", "3cpu"]);
    }
}

#[test]
fn honest_suites_of_java_are_not_contradicted() {
    let Some(_) = require(Tool::Program("javac")) else { return };
    for file in files_of("examples/java", ".java") {
        audited(&file, &["gen", "--budget", "3cpu"]);
    }
}

#[test]
fn a_proof_that_an_input_contradicts_is_noticed() {
    let folder = folder::with_files(&[("a.c", PROGRAM)]);
    assert_eq!(run(&folder, &["gen", "a.c", "--out", "o"]).0, 0);
    let suite = folder.path().join("o/suite.json");
    let text = fs::read_to_string(&suite).expect("readable");
    let mut data: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let goals = data["functions"][0]["goals"].as_array_mut().expect("goals");
    let goal = goals.iter_mut().find(|goal| goal["text"] == "x == 77777 is true").expect("a goal");
    goal["verdict"] = "infeasible".into();
    goal["proof"] = "every path was followed or refuted".into();
    fs::write(&suite, data.to_string()).expect("writable");
    let (code, text) = run(&folder, &["audit", "o"]);
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("CONTRADICTION: nothing reaches sort/branch/5:9/true"), "{text}");
    assert!(text.contains("x = 77777"), "{text}");
}

#[test]
fn a_test_that_covers_less_than_said_is_noticed() {
    let folder = folder::with_files(&[("a.c", PROGRAM)]);
    assert_eq!(run(&folder, &["gen", "a.c", "--criterion", "statement", "--out", "o"]).0, 0);
    let tests = folder.path().join("o/tests/test_sort.c");
    change(&tests, "= 77777;", "= 5;");
    let (code, text) = run(&folder, &["audit", "o"]);
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("CONTRADICTION"), "{text}");
}

/// What somebody does to a function of a suite.
type Damage<'a> = &'a dyn Fn(&mut serde_json::Value);

#[test]
fn tests_that_do_not_show_a_goal_are_noticed() {
    let folder = folder::with_files(&[(
        "m.c",
        "int f(int a, int b) { if (a > 3 && b < 5) return 1; return 0; }\n",
    )]);
    assert_eq!(run(&folder, &["gen", "m.c", "--criterion", "mcdc", "--out", "o"]).0, 0);
    let suite = folder.path().join("o/suite.json");
    let text = fs::read_to_string(&suite).expect("readable");
    let honest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let audited = |damage: &dyn Fn(&mut serde_json::Value)| {
        let mut data = honest.clone();
        damage(&mut data["functions"][0]);
        fs::write(&suite, data.to_string()).expect("writable");
        run(&folder, &["audit", "o", "--solver-time", "0"])
    };
    assert_eq!(audited(&|_| ()).0, 0);
    // One test twice; a test that says nothing of it; no test.
    let damages: [(Damage<'_>, &str); 3] = [
        (
            &|f| {
                let first = f["goals"][0]["pair"][0].clone();
                f["goals"][0]["pair"][1] = first;
            },
            "is no such pair",
        ),
        (&|f| f["tests"][0]["covers"] = serde_json::json!([]), "does not say that it covers it"),
        (&|f| f["goals"][0]["pair"][1] = "test_none".into(), "there is no test test_none"),
    ];
    for (damage, seen) in damages {
        let (code, text) = audited(damage);
        assert_eq!(code, 3, "{text}");
        assert!(text.contains(seen), "{text}");
    }
}

#[test]
fn a_property_that_fails_is_noticed() {
    let text = "#include <assert.h>\nvoid f(signed char x) { assert(x != 11); assert(x < 128); }\n";
    let folder = folder::with_files(&[("p.c", text)]);
    assert_eq!(run(&folder, &["check", "p.c", "--out", "o"]).0, 3);
    assert_eq!(run(&folder, &["audit", "o"]).0, 0, "one is violated, one holds");
    let suite = folder.path().join("o/suite.json");
    let text = fs::read_to_string(&suite).expect("readable");
    let mut data: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let goals = data["functions"][0]["goals"].as_array_mut().expect("goals");
    let goal = goals.iter_mut().find(|goal| goal["verdict"] == "violated").expect("a violation");
    goal["verdict"] = "holds".into();
    goal["proof"] = "every path was followed or refuted".into();
    fs::write(&suite, data.to_string()).expect("writable");
    let (code, text) = run(&folder, &["audit", "o"]);
    assert_eq!(code, 3, "{text}");
}

#[test]
fn a_suite_of_another_program_is_refused() {
    let folder = folder::with_files(&[("a.c", PROGRAM)]);
    assert_eq!(run(&folder, &["gen", "a.c", "--out", "o"]).0, 0);
    change(&folder.path().join("a.c"), "x > 10", "x > 11");
    let (code, text) = run(&folder, &["audit", "o"]);
    assert_eq!(code, 2);
    assert!(text.contains("has changed since the suite was made"), "{text}");
    let (code, text) = run(&folder, &["audit", "nowhere"]);
    assert_eq!(code, 2, "{text}");
}

#[test]
fn suites_of_several_files_are_not_contradicted() {
    let Some(_) = require(Tool::Program("gcov")) else { return };
    let a = "int fb(int);\nint fa(int x) { return x > 3 ? fb(x) : 0; }\n";
    let b = "int fb(int x) { return x == 9; }\n";
    let folder = folder::with_files(&[("a.c", a), ("b.c", b)]);
    let (_, printed) = run(&folder, &["gen", "a.c", "b.c", "--out", "out"]);
    assert!(printed.contains("covered"), "{printed}");
    let (code, printed) = run(&folder, &["audit", "out"]);
    assert_eq!(code, 0, "{printed}");
}
