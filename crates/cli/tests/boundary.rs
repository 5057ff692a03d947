//! `glassbox gen --criterion boundary`: values on both sides of where a comparison changes.

use glassbox_testkit::suite::{generate_for, goals_with, make_passes, texts};

const SOURCE: &str = "\
int order(int a, int b) { if (a < b) return 1; return 0; }
int equal(long x) { return x == -5; }
int real(double x) { if (x >= 1.5) return 1; return 0; }
int narrow(unsigned char c) { if (c > 255) return 1; if (c <= 0) return 2; return 0; }
int truth(int x) { if (x) return 1; return 0; }
int loop(unsigned char n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
";

#[test]
fn both_sides_of_every_comparison_are_reached_or_excluded() {
    let (folder, suite, output) = generate_for(SOURCE, &["--criterion", "boundary"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let covered = texts(&goals_with(&suite, "covered"));
    for text in [
        "a is one below b, at a < b",
        "a equals b, at a < b",
        "x is one below -5, at x == -5",
        "x equals -5, at x == -5",
        "x is one above -5, at x == -5",
        "x is the next number below 1.5, at x >= 1.5",
        "x equals 1.5, at x >= 1.5",
        "c equals 255, at c > 255",
        "c equals 0, at c <= 0",
        "c is one above 0, at c <= 0",
        "i is one below n, at i < n",
        "i equals n, at i < n",
    ] {
        assert!(covered.iter().any(|found| found == text), "{text}: {covered:#?}");
    }
    // A byte is never 256.
    assert_eq!(texts(&goals_with(&suite, "infeasible")), ["c is one above 255, at c > 255"]);
    assert_eq!(covered.len(), 12);
    make_passes(folder.path());
}

#[test]
fn paths_and_boundaries_do_not_mix() {
    let (_, _, output) =
        generate_for(SOURCE, &["--criterion", "boundary", "--criterion", "path:2", "--no-exec"]);
    assert_eq!(output.status.code(), Some(2));
}

/// Bit-fields, calls with side effects, comparisons of comparisons and mixed signs keep their meaning under the
/// probes that look at operands.
#[test]
fn operands_are_watched_without_changing_the_program() {
    let source = "\
struct bits { unsigned level : 3; int sign : 4; };
static int calls;
static int next(void) { return ++calls; }
int fields(struct bits b) { if (b.level < 5) return 1; if (b.sign >= -2) return 2; return 0; }
int effects(int x) { if (next() == x) return calls; return calls + 100; }
int nested(int a, int b, int c) { return (a < b) + (c <= 7 ? b != c : a > 9); }
int mixed(unsigned u, signed char s, float f) { if (u > 10 && s < -5) return 1; if (f > 0.5f) return 2; return 0; }
";
    let (folder, suite, output) = generate_for(source, &["--criterion", "boundary"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(goals_with(&suite, "unknown").is_empty());
    assert!(goals_with(&suite, "covered").len() >= 20, "{suite:#}");
    make_passes(folder.path());
}
