//! Findings that do not count: comments, baselines, one cause that shows in several places; and where runs start.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::fs;
use std::path::Path;

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::folder;
use serde_json::Value;

const SOURCE: &str = "struct n { struct n *next; int v; };\n\
    static int get(struct n *p) { return p->v; }\n\
    int twice(struct n *p, int x) { if (x) return p->v; return p->v ? 2 : 3; }\n\
    int safe(struct n *p) { return p ? get(p) : 0; }\n\
    unsigned part(unsigned x) { return 10 / x; /* glassbox: ignore division-by-zero weeks have days */ }\n";

/// What is printed, and the exit code.
fn check(folder: &Path, more: &[&str]) -> (String, Option<i32>) {
    let mut args = vec!["check", "a.c", "--out", "o", "--format", "sarif"];
    args.extend(more);
    let output = run_glassbox_in(folder, args);
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (text, output.status.code())
}

fn sarif(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("o/glassbox.sarif")).expect("a log");
    let log: Value = serde_json::from_str(&text).expect("JSON");
    log["runs"][0]["results"].as_array().expect("results").clone()
}

fn violated(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| line.contains("): violated"));
    lines.map(|line| line.split(": ").next().unwrap_or_default()).collect()
}

#[test]
fn comments_and_causes_take_findings_out_and_sarif_has_them_as_suppressed() {
    let folder = folder::with_files(&[("a.c", SOURCE)]);
    let (text, code) = check(folder.path(), &["--entries", "public"]);
    assert_eq!(violated(&text), ["a.c:3:47"], "{text}");
    assert!(text.contains("not counted: 1 ignored, 1 same-cause"), "{text}");
    assert_eq!(code, Some(3));
    let results = sarif(folder.path());
    let ignored: Vec<&Value> =
        results.iter().filter(|result| result["suppressions"].is_array()).collect();
    assert_eq!(ignored.len(), 1, "{results:?}");
    assert_eq!(ignored[0]["suppressions"][0]["kind"], "inSource");
    assert_eq!(ignored[0]["suppressions"][0]["justification"], "weeks have days");
    // Every finding is there with `-v`.
    let (text, _) = check(folder.path(), &["--entries", "public", "-v"]);
    assert_eq!(violated(&text).len(), 3, "{text}");
}

#[test]
fn what_the_baseline_has_is_not_reported_again_wherever_it_moves() {
    let folder = folder::with_files(&[("a.c", SOURCE)]);
    let (text, code) = check(folder.path(), &["--baseline", "known.json"]);
    assert!(text.contains("known.json") && text.contains("--write-baseline"), "{text}");
    assert_eq!(code, Some(2));
    check(folder.path(), &["--baseline", "known.json", "--write-baseline"]);
    let (text, code) = check(folder.path(), &["--baseline", "known.json", "--accept-bounds"]);
    assert_eq!(violated(&text), [""; 0], "{text}");
    assert!(text.contains("VERDICT: true (provided that line "), "{text}");
    assert!(text.contains("; not counted: 1 ignored, 3 known)"), "{text}");
    assert_eq!(code, Some(0));
    assert!(sarif(folder.path()).iter().any(|it| it["baselineState"] == "unchanged"));
    let moved = format!("/* more */\n\n{SOURCE}int fresh(int x) {{ return x + 1; }}\n");
    fs::write(folder.path().join("a.c"), moved).expect("a source file");
    let (text, code) = check(folder.path(), &["--baseline", "known.json"]);
    assert_eq!(violated(&text), ["a.c:8:27"], "{text}");
    assert_eq!(code, Some(3));
    fs::write(folder.path().join("known.json"), "{}").expect("a file");
    let (text, code) = check(folder.path(), &["--baseline", "known.json"]);
    assert!(text.contains("no baseline of glassbox"), "{text}");
    assert_eq!(code, Some(2));
}

#[test]
fn helpers_are_looked_at_with_what_their_callers_pass_and_nothing_is_left_out() {
    let source = "static int at(const int *p, int i) { return p[i]; }\n\
        static int lost(int a, int b) { return a / b; }\n\
        int first(const int p[static 2]) { return at(p, 0); }\n\
        int sum(const int p[static 2]) { return first(p) & at(p, 1); }\n";
    let folder = folder::with_files(&[("a.c", source)]);
    let entries = |which: &str| {
        let output = run_glassbox_in(
            folder.path(),
            ["check", "a.c", "--out", "o", "--json", "--format", "suite", "--entries", which],
        );
        let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let functions = summary["functions"].as_array().expect("functions").clone();
        let name = |function: &Value| function["entry"].as_str().unwrap_or_default().to_owned();
        let n_violated = |function: &Value| {
            let properties = function["properties"].as_array().expect("properties");
            properties.iter().filter(|property| property["verdict"] == "violated").count()
        };
        functions.iter().map(|it| (name(it), n_violated(it) > 0)).collect::<Vec<_>>()
    };
    let owned = |pairs: &[(&str, bool)]| {
        pairs.iter().map(|(name, fails)| ((*name).to_owned(), *fails)).collect::<Vec<_>>()
    };
    // Nothing calls `lost`, so it has to be an entry itself.
    assert_eq!(
        entries("all"),
        owned(&[("at", true), ("lost", true), ("first", false), ("sum", false)])
    );
    assert_eq!(entries("public"), owned(&[("lost", true), ("first", false), ("sum", false)]));
    assert_eq!(entries("roots"), owned(&[("lost", true), ("sum", false)]));
}

#[test]
fn marks_that_say_nothing_are_reported() {
    let source = "int f(int x) { return x + 1; } // glassbox: ignore\n\
        int g(int x) { return x + 1; } // glassbox: ignore overflow small\n";
    let folder = folder::with_files(&[("a.c", source)]);
    let (text, code) = check(folder.path(), &[]);
    assert!(text.contains("a.c:1: warning: nothing is ignored"), "{text}");
    assert!(
        text.contains("a.c:2: warning: nothing is ignored: there is no property `overflow`"),
        "{text}"
    );
    assert_eq!(violated(&text).len(), 2, "{text}");
    assert_eq!(code, Some(3));
}
