//! Contracts of functions that are called: requirements are checked at every call, promises of undefined
//! functions are believed.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use glassbox_testkit::suite::properties;
use glassbox_testkit::{command::run_glassbox_in, root};
use serde_json::Value;

fn corpus() -> PathBuf {
    root().join("corpus/contracts/calls")
}

/// Runs a command in `folder` with output to a fresh one.
fn glassbox(folder: &Path, args: &[&str]) -> (tempfile::TempDir, Output) {
    let out = tempfile::tempdir().expect("a folder");
    let shown = out.path().display().to_string();
    let output = run_glassbox_in(folder, [args, &["--out", &shown, "--json"]].concat());
    (out, output)
}

/// The properties of one kind that a run reported.
fn found(output: &Output, kind: &str) -> Vec<[String; 5]> {
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    properties(&summary, kind)
}

#[test]
fn requirements_are_properties_of_every_call() {
    let (out, output) = glassbox(&corpus(), &["check", "calls.c"]);
    assert_eq!(output.status.code(), Some(3));
    let calls = found(&output, "precondition");
    let verdicts: Vec<(&str, &str, &str)> = calls
        .iter()
        .map(|[entry, line, verdict, ..]| (entry.as_str(), line.as_str(), verdict.as_str()))
        .collect();
    assert_eq!(
        verdicts,
        [
            ("calls_scaled", "29", "violated"),
            ("calls_scaled", "30", "violated"),
            ("calls_in_a_loop", "38", "holds"),
            ("calls_digits", "47", "holds"),
            ("calls_digits", "49", "violated"),
            ("calls_digits", "51", "violated"),
            ("reads", "60", "holds"),
            ("reads_any", "65", "violated"),
        ]
    );
    for [entry, line, verdict, inputs, confirmed] in &calls {
        assert!(
            verdict != "violated" || confirmed == "confirmed: the compiled program makes the call",
            "{entry} {line}: {confirmed}"
        );
        let numbers = inputs.split(|c: char| !c.is_ascii_digit());
        assert!(numbers.filter_map(|n| n.parse::<i64>().ok()).all(|n| n <= 1000), "{inputs}");
    }
    let tests = out.path().join("tests");
    let make = Command::new("make").arg("-C").arg(&tests).output().expect("make is installed");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stdout));
}

#[test]
fn what_undefined_functions_promise_is_believed() {
    let (_, output) = glassbox(&corpus(), &["check", "calls.c", "--no-exec"]);
    let of = |kind: &str, entry: &str| -> Vec<String> {
        let all = found(&output, kind).into_iter();
        all.filter(|found| found[0] == entry).map(|found| found[2].clone()).collect()
    };
    // Without the promises, zero could be returned, and the difference could overflow.
    assert_eq!(of("division-by-zero", "reads"), ["holds"]);
    let width = of("signed-overflow", "width");
    assert!(width.iter().all(|verdict| verdict.starts_with("holds")), "{width:?}");
    // Tests keep them too.
    let (out, _) = glassbox(&corpus(), &["gen", "calls.c", "--function", "reads"]);
    let suite = std::fs::read_to_string(out.path().join("suite.json")).expect("a suite");
    let suite: Value = serde_json::from_str(&suite).expect("JSON");
    let tests = suite["functions"][0]["tests"].as_array().expect("tests").clone();
    let results: Vec<i64> = tests
        .iter()
        .flat_map(|test| test["inputs"]["stubs"].as_array().expect("stubs").clone())
        .filter_map(|stub| stub["result"].as_str()?.parse().ok())
        .collect();
    assert!(!results.is_empty() && results.iter().all(|result| (1..1024).contains(result)));
}

/// A requirement is the same as an assertion before the call.
#[test]
fn requirements_agree_with_assertions() {
    let folder = tempfile::tempdir().expect("a folder");
    for (number, (requirement, argument)) in [
        ("v > 3 && v < 40", "x & 31"),
        ("v > 3 && v < 40", "(x & 31) + 4"),
        ("v * v <= 100", "x % 12"),
        ("v * v <= 100", "x % 11"),
        ("v % 2 == 0 || v > 9", "(x & 7) * 3"),
        ("v % 2 == 0 || v > 9", "(x & 15) * 2"),
        ("total + v >= 0", "(x & 63) - 65"),
        ("total + v >= 0", "(x & 63) - 64"),
    ]
    .into_iter()
    .enumerate()
    {
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("written");
        };
        let callee = "static int total = 64;\nstatic int g(int v) { return v; }\n";
        write(
            "called.c",
            &format!(
                "{callee}int main(void) {{ extern int nd(void); int x = nd(); return g({argument}); }}\n"
            ),
        );
        let asserted = requirement.replace('v', &format!("({argument})"));
        write(
            "asserted.c",
            &format!(
                "#include <assert.h>\n{callee}int main(void) {{ extern int nd(void); int x = nd(); assert({asserted}); return g({argument}); }}\n"
            ),
        );
        write("called.toml", &format!("[function.g]\nrequire = \"{requirement}\"\n"));
        write("asserted.toml", "");
        let verdict = |name: &str, kind: &str| {
            let (source, config) = (format!("{name}.c"), format!("{name}.toml"));
            let args =
                ["check", &source, "--config", &config, "--function", "main", "--assertions-only"];
            let (_, output) = glassbox(folder.path(), &args);
            let found = found(&output, kind);
            assert_eq!(found.len(), 1, "{}", String::from_utf8_lossy(&output.stderr));
            found[0][2].clone()
        };
        let called = verdict("called", "precondition");
        assert_eq!(called, verdict("asserted", "assertion"), "{requirement} of {argument}");
        assert_eq!(called == "violated", number % 2 == 0, "{requirement} of {argument}");
    }
}

#[test]
fn mistakes_in_contracts_of_undefined_functions_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "int g(int x);\nint f(int y) { return g(y); }\n";
    std::fs::write(folder.path().join("f.c"), source).expect("written");
    std::fs::write(folder.path().join("glassbox.toml"), "[function.g]\nensure = \"result > z\"\n")
        .expect("written");
    let (_, output) = glassbox(folder.path(), &["check", "f.c"]);
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("glassbox.toml:2:20: error: `z` is not declared"), "{printed}");
}
