//! The HTML report in a real browser: clicked through, without an error on the console.
//!
//! Needs Chromium (Debian: `chromium`), which `cargo xtask test` installs.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]
#![expect(clippy::print_stderr, reason = "tests say what they measure or could not check")]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use glassbox_report::times::{FunctionTimes, Point};
use glassbox_report::{data, html, times};
use glassbox_testkit::{Tool, require};
use serde_json::{Value, json};

const BEFORE: &str = include_str!("browser/before.js");
const AFTER: &str = include_str!("browser/after.js");

/// Puts the visitor into the page, opens it and gives back what the visitor wrote.
fn visit(page: &str, folder: &Path, window: &str) -> Option<String> {
    visit_with(page, folder, window, &[])
}

/// The same with more arguments for the browser.
fn visit_with(page: &str, folder: &Path, window: &str, more: &[&str]) -> Option<String> {
    let browser = require(Tool::Program("chromium"))?;
    let visited = page.replacen("<head>", &format!("<head><script>{BEFORE}</script>"), 1).replacen(
        "</body>",
        &format!("<script>{AFTER}</script></body>"),
        1,
    );
    let path = folder.join("visited page ü.html");
    std::fs::write(&path, visited).expect("written");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--window-size={window}"))
        .args(more)
        .arg("--dump-dom")
        .arg(format!("file://{}", path.display()))
        .output()
        .expect("the browser starts");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let printed = dom.split_once("RESULT ").and_then(|(_, rest)| rest.split_once(" END"));
    let plain = |(printed, _): (&str, &str)| {
        printed.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    };
    let printed = printed.map(plain);
    Some(printed.unwrap_or_else(|| panic!("the visitor did not finish:\n{}", tail(&dom))))
}

fn tail(text: &str) -> String {
    let skipped = text.chars().count().saturating_sub(2000);
    text.chars().skip(skipped).collect()
}

fn number(printed: &str, name: &str) -> usize {
    let (_, rest) = printed.split_once(&format!("{name}=")).expect("printed");
    rest.split(' ').next().and_then(|word| word.parse().ok()).expect("a number")
}

/// A suite with every verdict, pointers, MC/DC pairs and `n_goals` goals in all.
fn synthetic(n_goals: usize) -> Value {
    let n_functions = n_goals.div_ceil(500);
    let functions: Vec<Value> =
        (0..n_functions).map(|at| function(at, n_goals / n_functions)).collect();
    let line = "    if (a > b && p->next != 0) x = \"<script>\"; /* größer */\n";
    json!({
        "format": data::FORMAT,
        "tool": { "name": "glassbox", "version": "0.0.0" },
        "command": ["glassbox", "gen", "a file.c"],
        "functions": functions,
        "sources": [{ "path": "a file.c", "text": line.repeat(200) }],
    })
}

fn function(at: usize, n_goals: usize) -> Value {
    let verdicts = ["covered", "infeasible", "infeasible-within", "unknown", "violated", "holds"];
    let goal = |index: usize| {
        let verdict = verdicts[index / 2 % verdicts.len()];
        let mut goal = json!({
            "id": format!("f{at}/branch/{}:9/{index}", index % 150 + 1),
            "kind": if index.is_multiple_of(2) { "branch" } else { "mcdc" },
            "file": "a file.c", "line": index % 150 + 1, "column": 9, "end_line": index % 150 + 1,
            "end_column": 14, "text": format!("a > b is {index} <b>"), "verdict": verdict,
            "at": { "edges": [[0, index % 2]] },
        });
        if !index.is_multiple_of(2) {
            goal["at"] = json!({ "decision": 0, "condition": index / 2 % 2, "flavor": "masking" });
        }
        match verdict {
            "covered" if index.is_multiple_of(2) => goal["test"] = json!("test_one"),
            "covered" => goal["pair"] = json!(["test_one", "test_two"]),
            "violated" => goal["test"] = json!("test_two"),
            "infeasible" | "holds" => {
                goal["proof"] = json!("induction");
                goal["refutations"] = json!([0]);
            }
            "infeasible-within" => goal["bounds"] = json!(["length of memory"]),
            _ => goal["reason"] = json!({ "code": "budget", "text": "2000 paths" }),
        }
        goal["reached_after"] = json!(index + 1);
        goal
    };
    let test = |name: &str| {
        json!({
            "id": name, "covers": [], "path": ["1: a > b is true"],
            "constraints": ["length(p) != 0", "a > b", "p->value == 'a'"], "constraint_lines": [0, 1, 2],
            "source": { "file": "tests/test_f.c", "line": 7, "command": format!("make -C out/tests test_f && out/tests/test_f {name}"),
                "text": format!("/*\n * covers: 1:9: a > b\n */\nstatic void {name}(void)\n{{\n    f(5);\n}}\n") },
            "blocks": [0, 1, 2, 3], "edges": [[0, 0], [1, 0], [2, 1]], "trace": [[0, 0], [1, 0], [2, 1]], "oracles": ["regression"],
            "expected": { "ending": "returned", "result": { "int": "3", "bits": 32 } },
            "replay": { "state": "confirmed", "message": null },
            "inputs": {
                "params": [
                    { "name": "a", "type": "int", "value": "5" },
                    { "name": "p", "type": "struct node *", "value": { "object": 0, "offset": 0 } },
                    { "name": "q", "type": "double *", "value": null },
                    { "name": "s", "type": "char *", "value": { "object": 2, "offset": 0 } },
                    { "name": "n", "type": "int *", "value": { "object": 3, "offset": 4 } },
                ],
                "objects": [
                    { "name": "p_target", "type": "struct node", "length": 2, "elements":
                        [{ "value": "1", "next": { "object": 1, "offset": 8 } }, { "value": "2", "next": null }] },
                    { "name": "next_target", "type": "double", "length": 1,
                      "elements": [{ "hex": "0x1p0", "decimal": "1.0" }] },
                    { "name": "s_target", "type": "char", "length": 1, "elements": ["0"] },
                    { "name": "n_target", "type": "int", "length": 2, "elements": ["41", "42"] },
                ],
                "globals": [{ "name": "g", "type": "int[3]", "value": ["1", "2", "3"] }],
                "stubs": [{ "function": "read_sensor", "result": "7" }],
            },
        })
    };
    json!({
        "name": format!("f{at}"), "file": "a file.c", "line": 1, "result": "int", "params": [],
        "goals": (0..n_goals).map(goal).collect::<Vec<_>>(),
        "tests": [test("test_one"), test("test_two")],
        "decisions": [{ "kind": "if", "line": 1, "column": 9, "formula": "c1 && c2",
            "conditions": [{ "text": "a > b", "line": 1, "column": 9 }, { "text": "p", "line": 1, "column": 18 }],
            "evaluations": [
                { "values": [false, null], "outcome": false, "tests": ["test_one"] },
                { "values": [true, true], "outcome": true, "tests": ["test_two"] },
            ],
            "unseen": [{ "values": [true, false], "outcome": false, "impossible": { "goal": 3, "with": 1 } }],
            "pairs": [{ "condition": 0, "first": 0, "second": 1 }] }],
        "requirements": ["SRS-12"],
        "graph": { "blocks": [
            { "lines": [1], "kind": "branch", "text": "a > b", "edges": [{ "to": 1, "label": "true" }, { "to": 3, "label": "false" }] },
            { "lines": [2], "kind": "jump", "text": null, "edges": [{ "to": 2, "label": null }] },
            { "lines": [2], "kind": "branch", "text": "p", "edges": [{ "to": 0, "label": "true" }, { "to": 3, "label": "false" }] },
            { "lines": [3], "kind": "return", "text": null, "edges": [] },
        ] },
        "refutations": [{ "edge": [0, 1], "core": [{ "text": "n > 10", "line": 1 }, { "text": "n < 8", "line": 2 }] }],
        "assumptions": ["`read_sensor` is a stub"],
        "statistics": { "paths": 3, "runs": 9, "layers":
            [{ "name": "rewrite", "asked": 10, "sat": 4, "unsat": 2, "steps": 10 }] },
    })
}

fn page(value: &Value) -> String {
    let data = read(value);
    let layers = vec![("blast".to_owned(), Duration::from_millis(3))];
    let points = vec![
        Point { after: Duration::from_micros(80), reached: 2, refuted: 0 },
        Point { after: Duration::from_millis(4), reached: 9, refuted: 3 },
    ];
    let measured = |function: &data::Function| FunctionTimes {
        name: function.name.clone(),
        search: Duration::from_millis(5),
        replay: Duration::from_millis(40),
        points: points.clone(),
        layers: layers.clone(),
    };
    let measured: Vec<FunctionTimes> = data.functions.iter().map(measured).collect();
    let times = times::times(&data, &measured);
    html::page(&data, Some(&times))
}

fn read(value: &Value) -> data::SuiteData {
    data::read(&value.to_string()).expect("a suite")
}

const WIDE: &str = "1280,900";

#[test]
fn every_view_opens_without_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(printed) = visit(&page(&synthetic(120)), folder.path(), WIDE) else { return };
    assert!(printed.contains("PROBLEMS 0:"), "{printed}");
    assert!(number(&printed, "visited") > 20, "{printed}");
    assert_eq!(number(&printed, "plots"), 3, "{printed}");
    assert!(printed.contains("n points to n_target: int[2]"), "{printed}");
    assert!(printed.contains("[0] '\\0'"), "characters are characters: {printed}");
    assert!(printed.contains("No value of n is in all of: n > 10; n < 8"), "{printed}");
    assert!(printed.contains("n_target: int[2]: [0] 41, [1] 42"), "{printed}");
}

#[test]
fn the_way_of_a_test_is_told_step_by_step_with_its_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(printed) = visit(&page(&synthetic(24)), folder.path(), WIDE) else { return };
    assert!(printed.contains("PROBLEMS 0:"), "{printed}");
    for expected in [
        "steps=line 1: a > b is true input: length(p) != 0 adds a > b",
        "now=Step 3 of 4: line 2, p is false, adds p->value == 'a'",
        "marked=2 node=2",
        "back=2 played=yes copied=static void test_one(void)",
        "alone=make -C out/tests test_f && out/tests/test_f test_one",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

#[test]
fn the_book_has_every_row_with_its_evidence() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(printed) = visit(&page(&synthetic(24)), folder.path(), WIDE) else { return };
    for expected in [
        "row=1 F · F 2 test 1",
        "row=2 T T T 1 test 2",
        "row=3 T F F impossible: with row 2 it would be a pair, which is infeasible",
        "SRS-12",
        "DO-178C",
        "ISO 26262",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

#[test]
fn text_can_be_read_in_both_color_schemes() {
    let folder = tempfile::tempdir().expect("a folder");
    for scheme in
        ["--blink-settings=preferredColorScheme=1", "--blink-settings=preferredColorScheme=0"]
    {
        let page = page(&synthetic(24));
        let Some(printed) = visit_with(&page, folder.path(), WIDE, &[scheme]) else { return };
        assert!(printed.contains("PROBLEMS 0:"), "{scheme}: {printed}");
        let is_dark = printed.contains("scheme=dark");
        assert_eq!(is_dark, scheme.ends_with('0'), "{printed}");
    }
}

#[test]
fn the_book_can_be_printed() {
    let Some(browser) = require(Tool::Program("chromium")) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (path, paper) = (folder.path().join("page.html"), folder.path().join("book.pdf"));
    std::fs::write(&path, page(&synthetic(1000))).expect("written");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--print-to-pdf={}", paper.display()))
        .arg(format!("file://{}#/evidence", path.display()))
        .output()
        .expect("the browser starts");
    let bytes = std::fs::read(&paper).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert!(bytes.starts_with(b"%PDF-"));
    // One chapter for each of the two functions begins a page of its own.
    let n_pages = bytes.windows(11).filter(|part| part == b"/Type /Page").count();
    let n_lists = bytes.windows(12).filter(|part| part == b"/Type /Pages").count();
    assert!(n_pages - n_lists >= 3, "{n_pages} {n_lists}");
}

#[test]
fn a_part_that_cannot_be_drawn_says_so_and_the_rest_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = page(&synthetic(24));
    let broken = page.replace("\"inputs\":{\"params\":[", "\"inputs\":{\"params\":5,\"rest\":[");
    assert_ne!(broken, page);
    let Some(printed) = visit(&broken, folder.path(), WIDE) else { return };
    assert!(printed.contains("failed=The picture of the inputs cannot be shown"), "{printed}");
    assert!(!printed.contains("expected:"), "goals and their tests should be shown: {printed}");
}

#[test]
fn a_narrow_window_needs_no_scrolling_sideways() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(printed) = visit(&page(&synthetic(60)), folder.path(), "500,900") else { return };
    assert!(printed.contains("PROBLEMS 0:"), "{printed}");
    assert!(number(&printed, "width") <= 500, "{printed}");
}

#[test]
fn suites_of_check_and_of_java_open_without_an_error_and_without_times() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut check = synthetic(24);
    check["command"] = json!(["glassbox", "--color", "never", "check", "a file.c"]);
    check["task"] = json!("check");
    let mut java = synthetic(24);
    java["language"] = json!("java");
    java["sources"][0]["path"] = json!("Bank.java");
    for function in java["functions"].as_array_mut().expect("functions") {
        function["title"] = json!("Bank.pay(String, int[])");
        function["file"] = json!("Bank.java");
        for goal in function["goals"].as_array_mut().expect("goals") {
            goal["file"] = json!("Bank.java");
        }
        for test in function["tests"].as_array_mut().expect("tests") {
            test["inputs"] = java_inputs();
        }
    }
    for (suite, expected) in [(check, "Unreachable"), (java, "text \"hi\"")] {
        let page = html::page(&read(&suite), None);
        let Some(printed) = visit(&page, folder.path(), WIDE) else { return };
        assert!(printed.contains("PROBLEMS 0:"), "{printed}");
        assert_eq!(number(&printed, "plots"), 3, "{printed}");
        assert!(printed.contains(expected), "{expected} should be shown: {printed}");
    }
}

/// A string and an array, as Java inputs come.
fn java_inputs() -> Value {
    json!({
        "params": [
            { "name": "text", "type": "java.lang.String", "value": { "object": 0, "offset": 0 } },
            { "name": "list", "type": "int[]", "value": { "object": 2, "offset": 0 } },
        ],
        "objects": [
            { "name": "text", "type": "struct java.lang.String", "length": 1, "elements":
                [{ "class number": "1", "value": { "object": 1, "offset": 0 }, "coder": "0" }] },
            { "name": "text#chars", "type": "struct [B", "length": 1, "elements":
                [{ "class number": "2", "length": "2", "elements": ["104", "105"] }] },
            { "name": "list", "type": "struct [I", "length": 1, "elements":
                [{ "class number": "3", "length": "1", "elements": ["7"] }] },
        ],
    })
}

#[test]
fn five_thousand_goals_are_drawn_a_page_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(printed) = visit(&page(&synthetic(5000)), folder.path(), WIDE) else { return };
    eprintln!("{printed}");
    assert!(printed.contains("PROBLEMS 0:"), "{printed}");
    assert_eq!(number(&printed, "goals"), 5000);
    assert!(number(&printed, "rows") < 700, "{printed}");
}

#[test]
fn the_page_needs_nothing_from_outside_and_is_the_same_every_time() {
    let first = page(&synthetic(60));
    assert_eq!(first, page(&synthetic(60)));
    for word in ["http://", "https://", "src=", "@import", "url("] {
        let outside = first.match_indices(word).filter(|(at, _)| {
            let rest = &first[*at..];
            // Names of namespaces and references inside the page load nothing.
            !rest.starts_with("http://www.w3.org/2000/svg") && !rest.starts_with("url(#")
        });
        assert_eq!(outside.count(), 0, "{word}");
    }
}
