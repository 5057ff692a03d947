//! The broken twins of the corpus of proofs: `check` finds a counter-example for every one of them.

use std::path::{Path, PathBuf};

use glassbox_testkit::{command::glassbox, root};

fn programs() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root().join("corpus/proofs"))
        .expect("the corpus is there")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    paths.sort();
    paths
}

/// The lines of `check` on a broken twin.
fn check(path: &Path, options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let output = glassbox()
        .arg("check")
        .arg(path)
        .args(["--function", "f", "--assertions-only", "--out"])
        .arg(folder.path())
        .args(options)
        .args(["--", "-DBROKEN"])
        .output()
        .expect("the binary starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_broken_twin_is_violated() {
    let programs = programs();
    assert!(programs.len() >= 65, "the corpus should be there");
    for path in programs {
        // The interpreter runs every counter-example again.
        let text = check(&path, &["--no-exec", "--jobs", "1"]);
        assert!(text.contains("violated by f"), "{}: {text}", path.display());
        assert!(text.ends_with("VERDICT: false\n"), "{}: {text}", path.display());
    }
}

#[test]
fn counter_examples_stop_the_compiled_program() {
    // One in eight, because compilers are slow.
    for path in programs().iter().skip(1).step_by(8) {
        let text = check(path, &["--jobs", "1"]);
        assert!(text.contains("confirmed: the compiled program aborts"), "{text}");
    }
}

#[test]
fn a_counter_example_of_four_billion_turns_is_found() {
    let path = root().join("corpus/proofs/unsigned_down.c");
    let text = check(&path, &["--no-exec"]);
    assert!(text.contains("n = 4294967295"), "{text}");
}
