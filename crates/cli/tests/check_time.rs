//! `check` and runs or questions without an end: the first are reported, the second are given up.

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::{folder, root};

/// What `check` prints about a file with this text.
fn check(source: &str, args: &[&str]) -> (String, Option<i32>) {
    let folder = folder::with_files(&[("f.c", source)]);
    let output = run_glassbox_in(folder.path(), [&["check", "f.c", "--no-exec"], args].concat());
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn a_run_that_never_ends_is_reported_with_its_input() {
    let path = root().join("corpus/proofs/spec_b_endless.c");
    let source = std::fs::read_to_string(path).expect("readable");
    let (printed, code) = check(&source, &[]);
    assert_eq!(code, Some(0), "{printed}");
    let note = "note: f: a run never ends, because it comes back to a state it had: x = -";
    assert!(printed.contains(note), "{printed}");
    // Euclid's algorithm by subtraction stands still at zero; others come to an end.
    let source = "int gcd(int x, int y) {\n    if (x < 0 || y < 0) return -1;\n    while (x != y) {\n        \
                  if (x > y) x -= y;\n        else y -= x;\n    }\n    return x;\n}\n\
                  int halves(unsigned x) {\n    int n = 0;\n    while (x) { x /= 2; n++; }\n    return n;\n}\n";
    let (printed, _) = check(source, &["--max-paths", "20", "--no-proofs"]);
    assert!(printed.contains("note: gcd: a run never ends"), "{printed}");
    assert!(!printed.contains("note: halves"), "{printed}");
}

#[test]
fn the_time_limit_ends_hard_questions() {
    // Factors of a product of two primes that are not near each other, and products that a loop mixes.
    let source = "#include <assert.h>\n\
                  void factors(unsigned long long x, unsigned long long y) {\n    \
                  if (x > 1 && y > 1 && x < 4294967296 && y < 4294967296)\n        \
                  assert(x * y != 3123456811 * 4012345697ull);\n}\n\
                  unsigned mix(unsigned a, unsigned b, unsigned c) {\n    \
                  for (unsigned i = 0; i < c; i++) { a = a * b + (a >> 7); b = b * a ^ c; }\n    \
                  unsigned long long p = (unsigned long long)a * b, q = (unsigned long long)b * c;\n    \
                  assert(p * 3 + 1 != (q ^ 0x123456789ull) || (a ^ b * c) != 1234567);\n    return a;\n}\n";
    let (printed, code) = check(source, &["--timeout", "2", "--jobs", "2"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.ends_with("VERDICT: unknown\n"), "{printed}");
    // Both questions are far beyond what two seconds decide: the limit ended them, and nothing else did.
    let questions: Vec<&str> = printed.lines().filter(|line| line.contains("assertion")).collect();
    assert_eq!(questions.len(), 2, "{printed}");
    assert!(questions.iter().all(|line| line.contains("time limit")), "{printed}");
}
