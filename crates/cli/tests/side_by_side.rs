//! Files of a project that are worked on side by side: what is printed and written is that of one after the other.

#![allow(clippy::disallowed_methods, reason = "tests start programs and read files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use glassbox_testkit::command::glassbox;
use glassbox_testkit::folder;

/// Files of different sizes; one cannot be read, and one warns.
fn project() -> folder::TempDir {
    let mut files = vec![("src/broken.c".to_owned(), "int f( { return 1; }\n".to_owned())];
    for number in 0..9u32 {
        let mut text = String::from("/* glassbox: ignore nothing */\n");
        for function in 0..(number * 5 % 7) + 1 {
            text += &format!(
                "static int same(int x);\nint f{number}_{function}(int x, int y) {{\n  int s = 0;\n  \
                 for (int i = 0; i < (y & 3); i++) s += x ^ {number};\n  if (s == {}) return x / (y - 1);\n  \
                 return x > {function} ? 1 : same(y);\n}}\n",
                number * 31 + function
            );
        }
        text += "static int same(int x) { return x == 3; }\n";
        files.push((format!("src/f{number}.c"), text));
    }
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    folder::with_files(&files)
}

fn run(place: &Path, words: &[&str], jobs: &str) -> Output {
    let mut command = glassbox();
    command.args(words).env("GLASSBOX_JOBS", jobs).env("SOURCE_DATE_EPOCH", "1700000000");
    command.current_dir(place).output().expect("the command starts")
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut new = vec![folder.to_path_buf()];
    while let Some(next) = new.pop() {
        for path in fs::read_dir(&next).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                new.push(path);
            } else {
                found.insert(path.clone(), fs::read(&path).expect("readable"));
            }
        }
    }
    found
}

/// Diagnostics, without the lines of progress.
fn diagnostics(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let is_progress = |line: &&str| line.starts_with("glassbox: ");
    text.lines().filter(|line| !is_progress(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn output_does_not_depend_on_how_many_work() {
    let place = project();
    let place = place.path();
    for words in [
        &["gen", "src", "--out", "o"][..],
        &["check", "src", "--out", "o", "--format", "suite,tests,sarif"],
        &["check", "src", "--out", "o", "--json"],
    ] {
        let mut runs = Vec::new();
        for jobs in ["1", "2", "5"] {
            let output = run(place, words, jobs);
            runs.push((jobs, output, files(&place.join("o"))));
            fs::remove_dir_all(place.join("o")).expect("removed");
        }
        let (_, alone, wanted) = &runs[0];
        let said = diagnostics(alone);
        assert!(said.contains("1 file could not be read: src/broken.c"), "{said}");
        for (jobs, output, left) in &runs[1..] {
            let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(text(output), text(alone), "{words:?} {jobs}");
            assert_eq!(diagnostics(output), said, "{words:?} {jobs}");
            assert_eq!(output.status, alone.status);
            assert_eq!(left.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
            for (path, bytes) in left {
                assert!(*bytes == wanted[path], "{}: {words:?} {jobs}", path.display());
            }
        }
    }
}
