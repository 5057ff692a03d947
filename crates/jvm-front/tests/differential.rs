//! The interpreter and the real JVM agree on the corpus and on random programs.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

mod kit;

use glassbox_testkit::Random;
use glassbox_testkit::programs::java as java_classes;
use std::path::{Path, PathBuf};

fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/java");
    let entries = std::fs::read_dir(folder).expect("the corpus should be there");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "java"));
    files.sort();
    files
}

#[test]
fn corpus_methods_end_as_on_the_jvm() {
    let files = corpus();
    let folder = tempfile::tempdir().expect("a folder");
    kit::compile(&files, folder.path());
    let mut random = Random::new(1);
    let mut cases = Vec::new();
    let mut n_methods = 0;
    for file in &files {
        let class = file.file_stem().expect("a name").to_string_lossy();
        let java = kit::translate_class(folder.path(), &class);
        n_methods += java.entries.len();
        cases.extend(kit::run_class(&java, &class, 12, &mut random));
    }
    assert!(n_methods >= 150, "{n_methods} methods");
    let complaints = kit::compare(folder.path(), &cases);
    assert!(
        complaints.is_empty(),
        "{} of {}:\n{}",
        complaints.len(),
        cases.len(),
        complaints.join("\n")
    );
}

/// Where `javac` on the path is of Java 21 or newer.
#[test]
fn newest_java_ends_as_on_the_jvm() {
    let release = std::fs::read_to_string(kit::jdk_home().join("release")).unwrap_or_default();
    let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""));
    let major = version.and_then(|version| version.split(['.', '"']).next()?.parse().ok());
    if major.is_none_or(|major: u32| major < 21) {
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/java/newest");
    let file = file.join("Patterns21.java");
    let folder = tempfile::tempdir().expect("a folder");
    kit::compile(&[file], folder.path());
    let java = kit::translate_class(folder.path(), "Patterns21");
    let cases = kit::run_class(&java, "Patterns21", 30, &mut Random::new(3));
    let complaints = kit::compare(folder.path(), &cases);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn random_programs_end_as_on_the_jvm() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random::new(7);
    let mut files = Vec::new();
    for index in 0..2 {
        let file = folder.path().join(format!("R{index}.java"));
        let source = java_classes::random_class(&format!("R{index}"), 12, &mut random);
        std::fs::write(&file, source).expect("the folder is writable");
        files.push(file);
    }
    kit::compile(&files, folder.path());
    let mut cases = Vec::new();
    for index in 0..2 {
        let class = format!("R{index}");
        let java = kit::translate_class(folder.path(), &class);
        cases.extend(kit::run_class(&java, &class, 20, &mut random));
    }
    let complaints = kit::compare(folder.path(), &cases);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
