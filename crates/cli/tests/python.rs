//! The Python package and the files of `packaging/`: their tests are written in Python, and are started here.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::process::Command;

use glassbox_testkit::command::glassbox;
use glassbox_testkit::{Tool, require, root};

/// Runs Python in a folder of the repository; what it says is shown where it fails.
fn python(folder: &str, words: &[&str]) {
    let Some(python) = require(Tool::Python) else { return };
    let programs = python.parent().expect("a program is in a folder");
    let mut path = vec![programs.to_owned()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let output = Command::new(&python)
        .args(words)
        .current_dir(root().join(folder))
        .env("PATH", std::env::join_paths(path).expect("folders without colons"))
        .env("GLASSBOX", glassbox().get_program())
        .env("PYTHONPATH", root().join("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}:\n{said}{errors}");
}

#[test]
fn the_package_does_what_it_says() {
    python("python", &["-m", "pytest", "-p", "no:cacheprovider", "tests"]);
}

#[test]
fn the_package_is_typed_and_tidy() {
    python("python", &["-m", "mypy", "--no-incremental", "--cache-dir=/dev/null"]);
    let tidy = ["--no-cache", "--config", "pyproject.toml", ".", "../packaging/tests"];
    python("python", &[&["-m", "ruff", "check"], &tidy[..]].concat());
    python("python", &[&["-m", "ruff", "format", "--check"], &tidy[..]].concat());
}

#[test]
fn files_for_other_tools_work_with_them() {
    python("packaging", &["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]);
}
