//! What `gen` and `check` leave, as tests of the command look at it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use crate::command::glassbox;
use crate::folder;

/// Runs `gen` with these arguments into a fresh folder; the suite.
pub fn generate(args: &[&str]) -> (TempDir, Value, Output) {
    let folder = folder::empty();
    let output = glassbox().arg("gen").args(args).arg("--out").arg(folder.path()).output();
    let suite = read_suite(folder.path());
    (folder, suite, output.expect("the command starts"))
}

/// `gen` on a file with this text, into a fresh folder that also holds the file (`mine.c`); the suite.
pub fn generate_for(source: &str, args: &[&str]) -> (TempDir, Value, Output) {
    let folder = folder::with_files(&[("mine.c", source)]);
    let output = gen_command(&folder.path().join("mine.c"), folder.path(), args).output();
    let suite = read_suite(folder.path());
    (folder, suite, output.expect("the command starts"))
}

/// `gen` on a file, into a folder.
pub fn gen_command(file: &Path, out: &Path, args: &[&str]) -> Command {
    let mut command = glassbox();
    command.arg("gen").arg(file).args(args).arg("--out").arg(out);
    command
}

/// Runs `check` with these arguments into a fresh folder; the JSON summary.
pub fn check(args: &[&str]) -> (TempDir, Value, Output) {
    let folder = folder::empty();
    let mut command = glassbox();
    command.arg("check").args(args).arg("--json").arg("--out").arg(folder.path());
    let output = command.output().expect("the command starts");
    let summary = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (folder, summary, output)
}

/// The suite in a folder; `Null` where there is none.
pub fn read_suite(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("suite.json")).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

/// The goals of all functions with this verdict.
pub fn goals_with<'a>(suite: &'a Value, verdict: &str) -> Vec<&'a Value> {
    let functions = suite["functions"].as_array().expect("functions");
    functions
        .iter()
        .flat_map(|function| function["goals"].as_array().expect("goals"))
        .filter(|goal| goal["verdict"] == verdict)
        .collect()
}

/// The texts of goals.
pub fn texts(goals: &[&Value]) -> Vec<String> {
    goals.iter().map(|goal| goal["text"].as_str().expect("a text").to_owned()).collect()
}

/// (function under test, line, verdict, inputs, what confirmed it) of one kind of property in the summary of
/// `check`.
pub fn properties(summary: &Value, kind: &str) -> Vec<[String; 5]> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut found = Vec::new();
    for function in summary["functions"].as_array().expect("functions") {
        for property in function["properties"].as_array().expect("properties") {
            if property["kind"] == kind {
                let parts = ["line", "verdict", "inputs", "confirmed"];
                let [line, verdict, inputs, confirmed] = parts.map(|part| text(&property[part]));
                found.push([text(&function["entry"]), line, verdict, inputs, confirmed]);
            }
        }
    }
    found
}

/// Builds and runs the tests in `tests/` of a folder.
pub fn make_passes(folder: &Path) {
    let output = Command::new("make").arg("-C").arg(folder.join("tests")).output();
    let output = output.expect("make should be installed");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}
