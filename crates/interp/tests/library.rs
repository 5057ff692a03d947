//! The native models of the C library against the library that gcc's programs use: the same C program,
//! the same output.

#[path = "c/mod.rs"]
mod c;

use std::path::Path;
use std::time::Duration;

#[track_caller]
fn same(name: &str, stdin: &[u8]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library").join(name);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = directory.path().join("program");
    glassbox_testkit::gcc::compile(
        std::slice::from_ref(&source),
        &["-O0", "-fno-builtin"],
        &program,
    )
    .expect("gcc compiles it");
    let compiled = c::compile_files(&[source], &[]).expect("no diagnostic");
    let ours = c::interpret(&compiled, stdin, &["program", "one", ""], 1 << 30);
    let theirs = c::execute(&program, stdin, &["one", ""], Duration::from_secs(20));
    let ours_text = String::from_utf8_lossy(&ours.stdout);
    let theirs_text = String::from_utf8_lossy(&theirs.stdout);
    for (number, (our, their)) in ours_text.lines().zip(theirs_text.lines()).enumerate() {
        assert_eq!(our, their, "{name}: line {} of the output (ours, gcc's)", number + 1);
    }
    assert_eq!(ours.end, theirs.end, "{name}");
    assert_eq!(ours_text.len(), theirs_text.len(), "{name}: length of the output");
}

#[test]
fn integers_and_strings_are_printed_alike() {
    same("print_integers.c", b"");
}

#[test]
fn floats_are_printed_alike() {
    same("print_floats.c", b"");
}

#[test]
fn numbers_are_read_alike() {
    same("read_numbers.c", b"  12 -7 0x1f 017 3.5e2 word,rest\nline two\n\n99999999999999999999 7");
}

#[test]
fn streams_behave_alike() {
    same("streams.c", b"first line\nsecond\nno newline at the end");
}

#[test]
fn mathematics_agrees_to_the_last_bit() {
    same("mathematics.c", b"");
}

#[test]
fn the_process_ends_alike() {
    same("process.c", b"");
}
