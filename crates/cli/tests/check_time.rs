//! `check` and time: runs that never end are told, and the time limit is kept inside long questions too.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

fn check(source: &str, args: &[&str]) -> (Output, Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.c"), source).expect("written");
    let started = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(["check", "f.c", "--no-exec"])
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("the binary starts");
    (output, started.elapsed())
}

#[test]
fn a_run_that_never_ends_is_told_with_its_input() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/proofs/spec_b_endless.c");
    let source = std::fs::read_to_string(path).expect("readable");
    let (output, _) = check(&source, &[]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{told}");
    let note = "note: f: a run never ends, because it comes back to a state it had: x = -";
    assert!(told.contains(note), "{told}");
    // Euclid's algorithm by subtraction stands still at zero; others come to an end.
    let source = "int gcd(int x, int y) {\n    if (x < 0 || y < 0) return -1;\n    while (x != y) {\n        \
                  if (x > y) x -= y;\n        else y -= x;\n    }\n    return x;\n}\n\
                  int halves(unsigned x) {\n    int n = 0;\n    while (x) { x /= 2; n++; }\n    return n;\n}\n";
    let (output, _) = check(source, &["--max-paths", "20", "--no-proofs"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("note: gcd: a run never ends"), "{told}");
    assert!(!told.contains("note: halves"), "{told}");
}

#[test]
fn the_time_limit_holds_inside_hard_questions() {
    // Factors of a product of two primes that are not near each other, and products that a loop mixes.
    let source = "#include <assert.h>\n\
                  void factors(unsigned long long x, unsigned long long y) {\n    \
                  if (x > 1 && y > 1 && x < 4294967296 && y < 4294967296)\n        \
                  assert(x * y != 3123456811 * 4012345697ull);\n}\n\
                  unsigned mix(unsigned a, unsigned b, unsigned c) {\n    \
                  for (unsigned i = 0; i < c; i++) { a = a * b + (a >> 7); b = b * a ^ c; }\n    \
                  unsigned long long p = (unsigned long long)a * b, q = (unsigned long long)b * c;\n    \
                  assert(p * 3 + 1 != (q ^ 0x123456789ull) || (a ^ b * c) != 1234567);\n    return a;\n}\n";
    let (output, elapsed) = check(source, &["--timeout", "2", "--jobs", "2"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("VERDICT"), "{told}");
    assert!(elapsed < Duration::from_secs(8), "{elapsed:?}\n{told}");
}
