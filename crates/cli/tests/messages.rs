//! What is printed: mistakes in the words of whoever made them, results short and with the open ones first.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::fs;
use std::path::Path;

use glassbox_testkit::command::glassbox;

/// What the command prints in a folder, and its exit code.
fn said(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let output = glassbox().current_dir(folder).args(arguments).output().expect("it starts");
    let printed = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&printed).into_owned(), output.status.code())
}

const DECISION: &str = "int f(int a, int b) { if (a > 10 && b > 10) return 1; return 0; }\n";

/// The folder with `f.c` and another file.
fn with_file(name: &str, content: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("f.c"), DECISION).expect("written");
    fs::write(folder.path().join(name), content).expect("written");
    folder
}

#[test]
fn names_that_do_not_exist_are_corrected() {
    let folder = with_file("glassbox.toml", b"");
    for (arguments, wanted) in [
        (["gen", "f.c", "--criterion", "mdcd"], "did you mean `mcdc`?"),
        (["gen", "f.c", "--criterion", "path:99"], "`path:1` to `path:8`"),
        (["gen", "f.c", "--function", "g"], "no function `g` is defined here\nhelp: there is: f"),
    ] {
        let (printed, code) = said(folder.path(), &arguments);
        assert_eq!(code, Some(2), "{printed}");
        assert!(printed.contains(wanted), "{printed}");
    }
}

#[test]
fn all_mistakes_in_defaults_are_reported_at_once() {
    let folder = with_file("glassbox.toml", b"[gen]\ntimeout = \"soon\"\nseeed = 1\n");
    let (printed, code) = said(folder.path(), &["gen", "f.c"]);
    assert_eq!(code, Some(2), "{printed}");
    for wanted in [
        "glassbox.toml:2:11: error: `timeout` cannot be `soon`",
        "what it can be: a number of seconds",
        "glassbox.toml:3:1: error: `glassbox gen` has no option `--seeed`",
        "did you mean `seed`?",
    ] {
        assert!(printed.contains(wanted), "{wanted}\n{printed}");
    }
}

#[test]
fn mistakes_in_contracts_are_explained_in_their_words() {
    let folder = with_file("glassbox.toml", b"[function.f]\nrequire = [\"y > 3\"]\n");
    let (printed, code) = said(folder.path(), &["gen", "f.c"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("its parameters are `a`, `b`"), "{printed}");
    assert!(!printed.contains("header"), "{printed}");
    let (printed, _) = said(folder.path(), &["--color", "always", "gen", "f.c"]);
    assert!(printed.contains("\x1b[1;31merror:"), "{printed}");
    let folder = with_file("glassbox.toml", b"[function.f]\nrequires = [\"a > 3\"]\n");
    let (printed, _) = said(folder.path(), &["--color", "always", "gen", "f.c"]);
    assert!(printed.contains("\x1b[1;31merror:"), "{printed}");
    let folder = with_file("glassbox.toml", b"[function.f]\nrequire = [\"a > 3\", \"a < 2\"]\n");
    let (printed, _) = said(folder.path(), &["gen", "f.c", "--no-exec"]);
    assert!(printed.contains("warning: no input satisfies the contract"), "{printed}");
}

#[test]
fn a_compiler_is_named_by_an_option_and_reports_are_listed() {
    let folder = with_file("g.c", b"int g(int a, int b) { return a / b; }\n");
    let (printed, code) = said(folder.path(), &["gen", "f.c", "--cc", "no-such-compiler"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("name one with `--cc`"), "{printed}");
    let (printed, _) = said(folder.path(), &["check", "g.c", "--no-exec", "--format", "sarif"]);
    assert!(printed.contains("report: glassbox-out/glassbox.sarif"), "{printed}");
}

#[test]
fn files_that_are_not_c_are_recognized() {
    let wide: Vec<u8> = "\u{feff}int f(int x);".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, content, wanted) in [
        ("x.cpp", &b"int g(int x) { return x; }\n"[..], "x.cpp: error: this is C++"),
        ("x.c", b"class A { int x; };\n", "this looks like C++"),
        ("wide.c", &wide, "this is UTF-16"),
        ("empty.c", b"\n", "no function is defined in empty.c"),
    ] {
        let folder = with_file(name, content);
        let (printed, code) = said(folder.path(), &["gen", name]);
        assert_eq!(code, Some(2), "{printed}");
        assert!(printed.contains(wanted), "{printed}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_the_work() {
    let folder = with_file("taken", b"a file");
    let (printed, code) = said(folder.path(), &["gen", "f.c", "--out", "taken"]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.starts_with("error: taken: "), "{printed}");
    assert!(!printed.contains("goals"), "{printed}");
}

#[test]
fn as_much_is_printed_as_is_wanted() {
    let source = "int f(int a) { if (a > 5) { if (a < 3) return 1; if (a < 4) return 2; if (a < 5) return 3; } return 0; }\n";
    let folder = with_file("g.c", source.as_bytes());
    let (printed, code) = said(folder.path(), &["gen", "g.c", "--no-exec"]);
    assert_eq!(code, Some(0), "{printed}");
    // One line for what is said of several goals.
    assert!(printed.contains("8 goals: 5 covered by"), "{printed}");
    assert!(!printed.contains(" 0 "), "{printed}");
    let (printed, _) = said(folder.path(), &["gen", "g.c", "--no-exec", "-v"]);
    assert!(printed.contains("5 goals are covered\n"), "{printed}");
    let (printed, _) = said(folder.path(), &["gen", "g.c", "-q"]);
    assert!(!printed.contains("goals"), "{printed}");
    let (printed, code) = said(folder.path(), &["check", "g.c", "--no-exec", "-q", "-v"]);
    assert_eq!(code, Some(2), "{printed}");
}

#[test]
fn properties_are_counted() {
    let source = "int f(int a, int b) { if (b == 0) return 0; return a / b + a % b; }\n";
    let folder = with_file("g.c", source.as_bytes());
    let (printed, code) = said(folder.path(), &["check", "g.c", "--no-exec"]);
    assert_eq!(code, Some(3), "{printed}");
    let counts = printed.lines().rev().nth(1).unwrap_or_default();
    assert!(counts.contains(" properties: ") && counts.contains(" violated, "), "{printed}");
    let (quiet, _) = said(folder.path(), &["check", "g.c", "--no-exec", "-q"]);
    assert!(!quiet.contains(": holds") && quiet.contains("VERDICT: false"), "{quiet}");
}

#[test]
fn tests_that_somebody_changed_are_kept() {
    let folder = with_file("g.c", b"int g(int a) { if (a > 5) return 1; return 0; }\n");
    let test = folder.path().join("glassbox-out/tests/test_g.c");
    let read = || fs::read_to_string(&test).expect("a test");
    let (printed, code) = said(folder.path(), &["gen", "g.c"]);
    assert_eq!(code, Some(0), "{printed}");
    let mine = read() + "/* mine */\n";
    fs::write(&test, &mine).expect("written");
    let (printed, code) = said(folder.path(), &["gen", "g.c"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("test_g.c was changed and is kept"), "{printed}");
    assert_eq!(read(), mine);
    // Another function's tests go into the same folder.
    let (printed, _) = said(folder.path(), &["gen", "f.c"]);
    assert!(printed.contains("test_g.c is from an earlier run"), "{printed}");
    assert_eq!(read(), mine);
    let (printed, _) = said(folder.path(), &["gen", "g.c", "--force"]);
    assert!(!printed.contains("kept"), "{printed}");
    assert!(!read().contains("mine"), "{printed}");
}
