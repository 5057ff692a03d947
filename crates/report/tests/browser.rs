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
use glassbox_testkit::browser::{browser, opens};
use glassbox_testkit::{Tool, require};
use serde_json::{Value, json};

const BEFORE: &str = include_str!("browser/before.js");
const AFTER: &str = include_str!("browser/after.js");
const AXE: &str = include_str!("browser/axe.js");

/// Puts the visitor into the page, opens it and gives back what the visitor wrote.
fn visit(page: &str, folder: &Path, window: &str) -> Option<String> {
    visit_with(page, folder, window, &[])
}

/// The same with more arguments for the browser.
fn visit_with(page: &str, folder: &Path, window: &str, more: &[&str]) -> Option<String> {
    visit_by(AFTER, page, folder, window, more)
}

/// The same with a visitor of its own.
fn visit_by(
    visitor: &str,
    page: &str,
    folder: &Path,
    window: &str,
    more: &[&str],
) -> Option<String> {
    let mut browser = browser(folder)?;
    let (start, end) = page.rsplit_once("</body>").expect("a page has an end");
    let start = start.replacen("<head>", &format!("<head><script>{BEFORE}</script>"), 1);
    let visited = format!("{start}<script>{visitor}</script></body>{end}");
    let path = folder.join("visited page ü.html");
    std::fs::write(&path, visited).expect("written");
    browser.arg("--virtual-time-budget=60000").args(more).arg("--dump-dom");
    opens(&mut browser, &path, "", window);
    let output = browser.output().expect("the browser starts");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    // The visitor itself has the word, too.
    let printed = dom.rsplit_once("RESULT ").and_then(|(_, rest)| rest.split_once(" END"));
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
            "blocks": [0, 1, 2, 3], "edges": [[0, 0], [1, 0], [2, 1]], "trace": [[0, 0], [1, 0], [2, 1]],
            "moments": [
                { "at": 0, "variables": [{ "name": "a", "type": "int", "value": "5" },
                    { "name": "p", "type": "struct node *", "value": { "object": 0, "offset": 0 } }] },
                { "at": 1, "variables": [{ "name": "a", "type": "int", "value": "6" }] },
                { "at": 2 },
                { "gone": ["p"], "objects": [{ "name": "n_target", "elements": ["41", "7"] }] },
            ],
            "oracles": ["regression"],
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
        "name": format!("f{at}"), "file": "a file.c", "line": 1, "result": "int",
        "params": [{ "name": "a", "type": "int" }, { "name": "p", "type": "struct node *" }],
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
            [{ "name": "rewrite", "asked": 10, "sat": 4, "unsat": 2, "steps": 10 },
             { "name": "blast", "asked": 4, "sat": 1, "unsat": 0, "steps": 9 }] },
        "limits": [{ "name": "max-paths", "value": "2000" }, { "name": "timeout", "value": "10" }],
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
        processor: Duration::from_millis(4),
        replay: Duration::from_millis(40),
        points: points.clone(),
        layers: layers.clone(),
    };
    let measured: Vec<FunctionTimes> = data.functions.iter().map(measured).collect();
    let times = times::times(&data.digest(), &measured);
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

/// The book of evidence on paper: its text, and its first pages as pictures (portable pixmaps).
fn printed_book(suite: &Value, folder: &Path) -> Option<(String, Vec<Vec<u8>>)> {
    let (mut browser, text) = (browser(folder)?, require(Tool::Program("pdftotext"))?);
    let (path, paper) = (folder.join("page.html"), folder.join("book.pdf"));
    std::fs::write(&path, page(suite)).expect("written");
    let output = browser
        .arg("--virtual-time-budget=20000")
        .arg("--no-pdf-header-footer")
        .arg(format!("--print-to-pdf={}", paper.display()))
        .arg(format!("file://{}#/evidence", path.display()))
        .output()
        .expect("the browser starts");
    assert!(paper.is_file(), "{output:?}");
    let run = |program: &Path, args: &[&str]| {
        Command::new(program).args(args).current_dir(folder).output().expect("it starts").stdout
    };
    let text = run(&text, &["-layout", "book.pdf", "-"]);
    let pixmaps = text.split(|&byte| byte == b'\x0c').count().min(3);
    let pictures = (1..=pixmaps).map(|number| {
        let number = number.to_string();
        run(Path::new("pdftoppm"), &["-r", "40", "-f", &number, "-l", &number, "book.pdf"])
    });
    let pictures = pictures.collect();
    Some((String::from_utf8_lossy(&text).into_owned(), pictures))
}

/// Pixels that are clearly red, green or blue.
fn n_colored(pixmap: &[u8]) -> usize {
    let is_colored = |pixel: &&[u8]| {
        let (low, high) = (pixel.iter().min(), pixel.iter().max());
        low.zip(high).is_some_and(|(low, high)| high - low > 40)
    };
    // The header is shorter than three lines of this length.
    pixmap.get(15..).unwrap_or_default().chunks_exact(3).filter(is_colored).count()
}

#[test]
fn the_book_on_paper_has_everything_and_keeps_its_colors() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((text, pictures)) = printed_book(&synthetic(1000), folder.path()) else { return };
    // A chapter for each of the two functions, with the whole table and the tests.
    assert!(text.matches('\x0c').count() >= 3, "{text}");
    for expected in ["f0", "f1", "c1 && c2", "impossible", "test_two", "SRS-12", "SHA-256"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(text.contains("Table A-7") && text.contains("ISO 26262-6"), "{text}");
    // Every goal that is open, not only those of a first screen.
    let n_open = text.matches("2000 paths").count();
    assert_eq!(n_open, 168, "{text}");
    assert!(pictures.iter().any(|picture| n_colored(picture) > 50), "paper should be colored");
}

#[test]
fn nothing_keeps_people_from_using_the_page() {
    let Some(axe) = require(Tool::Axe) else { return };
    let visitor = format!("{}\n{AXE}", std::fs::read_to_string(axe).expect("readable"));
    let folder = tempfile::tempdir().expect("a folder");
    for (window, scheme) in [("1400,900", 1), ("390,900", 0)] {
        let scheme = format!("--blink-settings=preferredColorScheme={scheme}");
        let page = page(&synthetic(24));
        let printed = visit_by(&visitor, &page, folder.path(), window, &[&scheme]);
        let Some(printed) = printed else { return };
        assert!(number(&printed, "views") > 10, "{printed}");
        assert!(printed.contains("PROBLEMS 0:"), "{window}: {printed}");
    }
}

#[test]
fn steps_show_what_variables_and_memory_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(printed) = visit(&page(&synthetic(24)), folder.path(), WIDE) else { return };
    for expected in [
        // What changed is marked; what went out of scope is gone.
        "held=1: a 5 int / p → p_target struct node *",
        "held=2: a 6 (changed) int / p → p_target struct node *",
        "held=4: a 6 int / n_target {41, 7} (changed) memory of int",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

#[test]
fn steps_between_choices_show_what_the_last_choice_saw_and_pointers_say_where_they_lead() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut suite = synthetic(24);
    let function = &mut suite["functions"][0];
    function["refutations"][0]["core"] =
        json!([{ "text": "low < high", "line": 1 }, { "text": "high <= low", "line": 2 }]);
    for test in function["tests"].as_array_mut().expect("tests") {
        test["moments"].as_array_mut().expect("moments").remove(1);
        test["expected"]["result"] = json!({ "object": 0, "offset": 0 });
    }
    let Some(printed) = visit(&page(&suite), folder.path(), WIDE) else { return };
    for expected in [
        "held=2: a 5 int / p → p_target struct node *",
        "ends: returned → p_target",
        // The difference of two variables is on one axis, too.
        "No value of high − low is in all of: low < high; high <= low",
        "keys=Step 1 / 4 step touched=Step 1 / Step 1",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

#[test]
fn a_call_of_the_library_that_fails_is_titled_by_what_goes_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut suite = synthetic(24);
    suite["task"] = json!("check");
    let function = &mut suite["functions"][0];
    for goal in function["goals"].as_array_mut().expect("goals") {
        goal["kind"] = json!("library-call");
        goal["text"] = json!("`strcpy(to, from)`: the library can take the arguments");
    }
    for test in function["tests"].as_array_mut().expect("tests") {
        test["expected"] = json!({ "ending": { "failed": "null-dereference" }, "result": null });
    }
    let Some(printed) = visit(&page(&suite), folder.path(), WIDE) else { return };
    assert!(printed.contains("Null dereference in strcpy(to, from)"), "{printed}");
    assert!(!printed.contains("Library call in"), "{printed}");
}

#[test]
fn goals_that_are_not_decided_say_how_near_a_test_came_and_what_to_try() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(printed) = visit(&page(&synthetic(24)), folder.path(), WIDE) else { return };
    for expected in [
        "Nearest run: test 1 comes to line 1, a > b with a = 5, which is true there.",
        "its last layer, blast, gave up on 3 of 4 questions about this function",
        "glassbox gen 'a file.c' --timeout 20 --max-paths 8000 --function f0",
        "[function.f0]",
        "range.a = [0, 100]",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

#[test]
fn folders_and_files_have_views_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut suite = synthetic(2000);
    let places = ["src/net/a.c", "src/net/b.c", "src/main.c", "tools/x.c"];
    for (function, place) in
        suite["functions"].as_array_mut().expect("functions").iter_mut().zip(places)
    {
        function["file"] = json!(place);
    }
    let Some(printed) = visit(&page(&suite), folder.path(), WIDE) else { return };
    assert!(printed.contains("PROBLEMS 0:"), "{printed}");
    for expected in [
        "files=src/ 3 1500 / tools/ 1 500",
        "inside=src/net/ 2 1000 / src/main.c 1 500",
        "crumbs=All functions › src/",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
}

#[test]
fn tests_that_were_not_run_are_not_shown_as_confirmed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut suite = synthetic(24);
    for test in suite["functions"][0]["tests"].as_array_mut().expect("tests") {
        test["replay"] = json!({ "state": "not-run", "message": null });
    }
    let Some(printed) = visit(&page(&suite), folder.path(), WIDE) else { return };
    assert!(printed.contains("No test was run on the real program."), "{printed}");
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
    let long = "test_two_".to_owned() + &"and_what_it_covers_".repeat(4);
    let page = page(&synthetic(60)).replace("test_two", &long);
    let Some(printed) = visit(&page, folder.path(), "390,900") else { return };
    assert!(printed.contains("PROBLEMS 0:"), "{printed}");
    assert_eq!(number(&printed, "window"), 390, "{printed}");
    assert!(number(&printed, "width") <= 390, "{printed}");
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
fn ten_thousand_goals_are_drawn_a_page_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(printed) = visit(&page(&synthetic(10_000)), folder.path(), WIDE) else { return };
    eprintln!("{printed}");
    assert!(printed.contains("PROBLEMS 0:"), "{printed}");
    assert_eq!(number(&printed, "goals"), 10_000);
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
