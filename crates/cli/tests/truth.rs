//! Programs that once got a wrong verdict, with gcc as judge.
//!
//! The head of each program in `corpus/truth` says which `command` reads it, what must `never` be said of it
//! (`*` stands for anything; a verdict within bounds does not count), and with which flags gcc or clang makes a program
//! of it that aborts, which shows that the verdict would be wrong.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::Path;
use std::process::{Command, Stdio};

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::{Tool, folder, require, root};

/// What follows a word in the head of a program.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let head = text.split("*/").next()?;
    head.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':')).map(str::trim)
}

/// Whether a line contains the pattern, and not as a verdict within bounds.
fn says(line: &str, pattern: &str) -> bool {
    let pattern = pattern.replace("\\*", "\u{1}");
    let mut rest = line;
    for part in pattern.split('*') {
        let part = part.replace('\u{1}', "*");
        let Some(at) = rest.find(&part) else { return false };
        rest = &rest[at + part.len()..];
    }
    !rest.starts_with("-within") && !rest.starts_with(" within")
}

/// The compiler that judges, with its flags; `None` where it is not installed.
fn compiler_and_flags(judge: &str) -> Option<(&'static str, &str)> {
    let build = judge.strip_suffix(", and the program aborts").expect("a judge's program aborts");
    let compiler = ["gcc", "clang-19"].into_iter().find(|name| build.starts_with(name));
    let compiler = compiler.expect("a judge is gcc or clang with flags");
    require(Tool::Program(compiler))?;
    Some((compiler, &build[compiler.len()..]))
}

/// The first wrong thing that is said about a program.
fn complaint(file: &Path) -> Option<String> {
    let name = file.file_name().expect("a file").to_str().expect("plain names");
    let text = std::fs::read_to_string(file).expect("readable");
    let folder = folder::with_files(&[(name, &text)]);
    if let Some(judge) = field(&text, "judge")
        && let Some((compiler, flags)) = compiler_and_flags(judge)
    {
        let built = Command::new(compiler)
            .args(flags.split_whitespace())
            .arg(name)
            .current_dir(&folder)
            .output();
        assert!(built.is_ok_and(|output| output.status.success()), "{name}: {compiler} refuses it");
        let ran = Command::new(folder.path().join("a.out"))
            .stdin(Stdio::null())
            .output()
            .expect("it starts");
        if ran.status.success() {
            return Some(format!(
                "{name}: the compiled program does not abort: the case itself is wrong"
            ));
        }
    }
    let command = field(&text, "command").expect("a command");
    let args: Vec<&str> =
        command.split_whitespace().map(|word| if word == "FILE" { name } else { word }).collect();
    let never = field(&text, "never").expect("what must not be said");
    let output = run_glassbox_in(folder.path(), args);
    let printed = String::from_utf8_lossy(&output.stdout);
    let line = printed.lines().find(|line| says(line, never))?;
    Some(format!("{name}: {line}"))
}

#[test]
fn what_gcc_contradicts_is_not_said() {
    let Some(_) = require(Tool::Program("gcc")) else { return };
    let entries = std::fs::read_dir(root().join("corpus/truth")).expect("the corpus is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(files.len() >= 41, "{}", files.len());
    let complaints: Vec<String> = files.iter().filter_map(|file| complaint(file)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn patterns_find_what_is_said_without_bounds() {
    assert!(says(
        "f.c:3:5: assertion (*p == 5): holds: every path",
        "assertion (\\*p == 5): holds"
    ));
    assert!(!says("f.c:3:5: assertion (x): holds-within: lengths", "assertion (x): holds"));
    assert!(says("a null-dereference of p: violated by f", "null-dereference *: violated by f"));
    assert!(!says("a null-dereference of p: holds", "null-dereference *: violated by f"));
}
