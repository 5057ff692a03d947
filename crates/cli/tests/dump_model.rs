//! `glassbox dump --stage model`: what holds at each line, as printed.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use glassbox_testkit::command::glassbox;

/// The lines that are printed for one source line of a function.
fn facts(source: &str, line: u32) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("unit.c");
    std::fs::write(&file, source).expect("written");
    let output = glassbox()
        .args(["dump", "--stage", "model", "--function", "f"])
        .arg(&file)
        .output()
        .expect("the binary starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mark = format!("line {line}: ");
    text.lines().filter_map(|line| line.trim().strip_prefix(&mark).map(str::to_owned)).collect()
}

/// docs/papers/calls.md, rule 1.8: domains of -1000..1000, and after both conditionals the weak join.
#[test]
fn branches_that_meet_are_joined_by_their_slopes() {
    let source = "\
int f(int x, int y) {
    int u;
    if (x < -1000 || x > 1000 || y < -1000 || y > 1000) return 0;
    if (x * y < 4) u = 5; else u = 100;
    if (u <= 8) y = x + u; else y = x - u;
    return y;
}
";
    let found = facts(source, 6);
    assert_eq!(found.len(), 1, "{found:?}");
    for expected in ["5 <= u <= 100", "x <= y + 100", "y <= x + 5"] {
        assert!(found[0].split("; ").any(|fact| fact.starts_with(expected)), "{found:?}");
    }
}

/// Not equal to a bound that is never passed is less than it.
#[test]
fn what_is_not_the_bound_is_below_it() {
    let source = "\
int f(int c, int n) {
    if (c > n) return 0;
    if (c == n) return 1;
    int d = c;
    while (d != n) d++;
    return d;
}
";
    let found = facts(source, 5);
    assert!(found.iter().any(|fact| fact.contains("d <= n")), "{found:?}");
}
