//! What variables hold along the way of a test is what they hold in the program.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::collections::BTreeMap;

use glassbox_testkit::run_glassbox;
use serde_json::Value;

/// Copies of variables, a loop, an inner scope and memory behind a pointer: where names are easily mistaken.
const SOURCE: &str = "int walk(int x, int n, int *out)
{
    int y = 0, old = 5;
    if (x > 3) { old = y; y = x; }
    for (int i = 0; i < n && i < 3; i++) { int x = y; y += i; *out = x; }
    if (y == old) return 1;
    if (out[0] > 100) return 2;
    return y;
}
";

type Held = BTreeMap<String, i64>;

/// The conditions that a call evaluates, each with what variables hold then; out[0] at the end.
fn walk(x: i64, n: i64, mut out: i64) -> (Vec<(&'static str, Held)>, i64) {
    let mut seen = Vec::new();
    let (mut y, mut old) = (0, 5);
    let held = |y: i64, old: i64, i: Option<i64>| {
        let named = [("x", Some(x)), ("n", Some(n)), ("y", Some(y)), ("old", Some(old)), ("i", i)];
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    };
    seen.push(("x > 3", held(y, old, None)));
    if x > 3 {
        (old, y) = (y, x);
    }
    let mut i = 0;
    loop {
        seen.push(("i < n", held(y, old, Some(i))));
        if i >= n {
            break;
        }
        seen.push(("i < 3", held(y, old, Some(i))));
        if i >= 3 {
            break;
        }
        out = y;
        y += i;
        i += 1;
    }
    seen.push(("y == old", held(y, old, None)));
    if y != old {
        seen.push(("out[0] > 100", held(y, old, None)));
    }
    (seen, out)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn number(value: &Value) -> Option<i64> {
    value.as_str()?.parse().ok()
}

#[test]
fn variables_hold_what_they_hold_in_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("walk.c");
    std::fs::write(&source, SOURCE).expect("written");
    let (source, out) = (source.display().to_string(), folder.path().join("out"));
    let output = run_glassbox(["gen", &source, "--out", &out.display().to_string()]);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    let text = std::fs::read_to_string(out.join("suite.json")).expect("written");
    let suite: Value = serde_json::from_str(&text).expect("JSON");
    let function = &suite["functions"][0];
    let tests = list(&function["tests"]);
    assert!(tests.len() > 2, "{function}");
    for test in tests {
        let params = list(&test["inputs"]["params"]);
        let param = |at: usize| number(&params[at]["value"]);
        let before = number(&test["inputs"]["objects"][0]["elements"][0]).unwrap_or_default();
        let (expected, after) = walk(param(0).expect("x"), param(1).expect("n"), before);
        let (mut held, mut memory) = (Held::new(), before);
        let mut seen = Vec::new();
        for moment in list(&test["moments"]) {
            for gone in list(&moment["gone"]).iter().filter_map(Value::as_str) {
                held.remove(gone);
            }
            for own in list(&moment["variables"]) {
                let name = own["name"].as_str().expect("a name").to_owned();
                held.extend(number(&own["value"]).map(|value| (name, value)));
            }
            for object in list(&moment["objects"]) {
                memory = number(&object["elements"][0]).expect("a number");
            }
            if let Some(at) = moment["at"].as_u64() {
                let at = usize::try_from(at).expect("small");
                let block = test["trace"][at][0].as_u64().expect("a block");
                let block = usize::try_from(block).expect("small");
                let text =
                    function["graph"]["blocks"][block]["text"].as_str().expect("a condition");
                seen.push((text, held.clone()));
            }
        }
        assert_eq!(seen, expected, "{test}");
        // A null pointer has no memory.
        if params[2]["value"].is_object() {
            assert_eq!(memory, after, "{test}");
        }
    }
}

#[test]
fn a_counter_example_shows_the_values_that_break_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("find.c");
    let text = "int find(const int *a, int n) {\n    int i = 0;\n    while (i < n) i++;\n    return a[i];\n}\n";
    std::fs::write(&source, text).expect("written");
    let (source, out) = (source.display().to_string(), folder.path().join("out"));
    let output = run_glassbox(["check", &source, "--out", &out.display().to_string()]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = std::fs::read_to_string(out.join("suite.json")).expect("written");
    let suite: Value = serde_json::from_str(&text).expect("JSON");
    let tests = list(&suite["functions"][0]["tests"]);
    let moments: Vec<&Value> = tests.iter().flat_map(|test| list(&test["moments"])).collect();
    assert!(!moments.is_empty(), "{suite}");
    let names = moments.iter().flat_map(|moment| list(&moment["variables"]));
    let names: Vec<&str> = names.filter_map(|own| own["name"].as_str()).collect();
    assert!(names.contains(&"i") && names.contains(&"n") && names.contains(&"a"), "{names:?}");
}
