//! Runs `glassbox gen` on a small source and reads what it left.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]
#![allow(dead_code, reason = "each test program uses some of it")]

use std::path::Path;
use std::process::{Command, Output};

use glassbox_testkit::command::glassbox;
use serde_json::Value;

/// `gen` on a file with this text, into a fresh folder that also holds the file (`mine.c`).
pub(crate) fn generate(source: &str, args: &[&str]) -> (tempfile::TempDir, Value, Output) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.c");
    std::fs::write(&file, source).expect("a file");
    let output = gen_command(&file, folder.path(), args).output().expect("the binary starts");
    let suite = read_suite(folder.path());
    (folder, suite, output)
}

pub(crate) fn gen_command(file: &Path, out: &Path, args: &[&str]) -> Command {
    let mut command = glassbox();
    command.arg("gen").arg(file).args(args).arg("--out").arg(out);
    command
}

/// The suite in a folder; `Null` where there is none.
pub(crate) fn read_suite(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("suite.json")).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

pub(crate) fn goals_with<'a>(suite: &'a Value, verdict: &str) -> Vec<&'a Value> {
    let functions = suite["functions"].as_array().expect("functions");
    functions
        .iter()
        .flat_map(|function| function["goals"].as_array().expect("goals"))
        .filter(|goal| goal["verdict"] == verdict)
        .collect()
}

pub(crate) fn texts(goals: &[&Value]) -> Vec<String> {
    goals.iter().map(|goal| goal["text"].as_str().expect("a text").to_owned()).collect()
}

pub(crate) fn make_passes(folder: &Path) {
    let output = Command::new("make").arg("-C").arg(folder.join("tests")).output();
    let output = output.expect("make should be installed");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
}
