//! `glassbox dump --stage search`: who decided which goal when.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::folder;

#[test]
fn every_goal_that_is_decided_has_a_line_with_who_decided_it() {
    let source = "int f(int x) {\n    if (x == 123456789) return 1;\n    if (x * 2 == 7) return 2;\n    \
                  return 0;\n}\n";
    let folder = folder::with_files(&[("a.c", source)]);
    let output = run_glassbox_in(folder.path(), ["dump", "--stage", "search", "a.c"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    let of = |goal: &str| {
        let line = text.lines().find(|line| line.ends_with(goal)).unwrap_or_default();
        line.split_whitespace().take(4).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of("2:9: x == 123456789 is false")[2..], ["seeds", "covered"], "{text}");
    let rare = of("2:9: x == 123456789 is true");
    assert_eq!(rare[3], "covered", "{text}");
    assert!(text.starts_with("f: 4 goals, "), "{text}");
    assert!(text.contains("in all: ") && text.contains("0 unknown"), "{text}");
    let forks = text.split_once("where paths part\n").expect("there are choices").1;
    assert!(forks.lines().any(|line| line.ends_with("f:2 Branch")), "{text}");
    assert!(!folder.path().join("glassbox-out").exists(), "nothing is written");
}
