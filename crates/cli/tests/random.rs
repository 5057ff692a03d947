//! Random inputs that are uniform among those of a path, as tests.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::process::Output;

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::folder;

const TRIANGLE: &str = "int triangle(signed char x, signed char y) {\n    if (x >= 1 && y < x) return x - y;\n    return 0;\n}\n";

fn generated(source: &str, args: &[&str]) -> (tempfile::TempDir, Output, String) {
    let place = folder::with_files(&[("f.c", source)]);
    let output = run_glassbox_in(place.path(), [&["gen", "f.c", "--out", "out"], args].concat());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (place, output, printed)
}

/// The written test files.
fn tests(place: &tempfile::TempDir) -> String {
    std::fs::read_to_string(place.path().join("out/tests/test_triangle.c")).unwrap_or_default()
}

#[test]
fn draws_become_tests_that_pass_and_paths_are_counted() {
    let (place, output, printed) = generated(TRIANGLE, &["--random", "60"]);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains("60 random inputs of 3 paths (all): "), "{printed}");
    // x >= 1 and y < x; x >= 1 and y >= x; x < 1 and any y.
    for count in [127 * 128 / 2 + 127 * 128, 127 * 128 / 2, 129 * 256] {
        assert!(printed.contains(&format!(": {count} inputs, ")), "{count} in {printed}");
    }
    let first = tests(&place);
    assert!(first.matches("random").count() >= 40, "{first}");
    // The same seed gives the same draws, another one others.
    let (again, ..) = generated(TRIANGLE, &["--random", "60", "--uniform", "path"]);
    assert_eq!(tests(&again), first);
    let (other, ..) = generated(TRIANGLE, &["--random", "60", "--seed", "5"]);
    assert_ne!(tests(&other), first);
}

#[test]
fn inputs_that_are_computed_or_rare_are_drawn_or_named() {
    let source = "int same(int x, int y) {\n    if (x == y + 3) return 1;\n    return 0;\n}\n";
    let (_place, output, printed) = generated(source, &["--random", "20", "--overflow", "wrap"]);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains(": 4294967296 inputs, "), "{printed}");
    let rare = "int rare(unsigned long x, unsigned long y) {\n    if (x * y == 1311768467463790321ul) return 1;\n    return 0;\n}\n";
    let (_place, _output, printed) = generated(rare, &["--random", "20", "--no-exec"]);
    assert!(
        printed.contains("its inputs are too rare among those that propagation leaves, 0 of"),
        "{printed}"
    );
}

/// Counts are of what runs read: the rest is named.
#[test]
fn parts_that_no_run_reads_are_named() {
    let source = "struct pair { signed char a, b; };\nint first(struct pair p) { if (p.a > 3) return 1; return 0; }\n";
    let (_place, _output, printed) = generated(source, &["--random", "6", "--no-exec"]);
    assert!(printed.contains("(p.a > 3): 124 inputs"), "{printed}");
    let named =
        "fields of records and elements of arrays that no run reads are not drawn and not counted";
    assert!(printed.contains(named), "{printed}");
    let (_place, _output, printed) = generated(TRIANGLE, &["--random", "6", "--no-exec"]);
    assert!(!printed.contains(named), "{printed}");
}

#[test]
fn contracts_narrow_what_is_drawn() {
    let place = folder::with_files(&[
        ("f.c", "int f(int x) { return x / 2; }\n"),
        ("glassbox.toml", "[function.f]\nrange.x = [10, 19]\n"),
    ]);
    let output = run_glassbox_in(place.path(), ["gen", "f.c", "--out", "out", "--random", "50"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains(": 10 inputs, 50 of 50 draws"), "{printed}");
}

#[test]
fn uniform_without_random_is_refused() {
    let (_place, output, printed) = generated(TRIANGLE, &["--uniform", "path"]);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains("--random <N>"), "{printed}");
}
