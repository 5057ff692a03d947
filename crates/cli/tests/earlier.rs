//! Tests that are there already: what is kept of them when the code has changed, and what is said of the rest.

#![allow(clippy::disallowed_methods, reason = "tests start programs and change files")]

use std::fs;
use std::path::Path;
use std::process::Output;

use glassbox_testkit::command::glassbox;
use glassbox_testkit::{Tool, folder, require};
use serde_json::Value;

const BEFORE: &str = "struct pair { short a; unsigned b : 3; };\n\
    int over(int x, const struct pair *p) { if (x > 5 && p->a == 77) return p->b; return -1; }\n\
    double same(double d) { if (d > 0.1) return d; return 1.0; }\n";

fn gen_in(place: &Path, more: &[&str]) -> Output {
    gen_of("a.c", place, more)
}

fn gen_of(file: &str, place: &Path, more: &[&str]) -> Output {
    let mut command = glassbox();
    command.args(["gen", file, "--out", "o", "--no-exec"]).args(more);
    command.current_dir(place).env("SOURCE_DATE_EPOCH", "1700000000");
    command.output().expect("the command starts")
}

fn suite(place: &Path) -> Value {
    let text = fs::read_to_string(place.join("o/suite.json")).expect("a suite");
    serde_json::from_str(&text).expect("JSON")
}

fn inputs(function: &Value) -> Vec<&Value> {
    let tests = function["tests"].as_array().expect("tests");
    tests.iter().map(|test| &test["inputs"]).collect()
}

#[test]
fn earlier_tests_come_first_and_what_they_lose_is_said() {
    let place = folder::with_files(&[("a.c", BEFORE)]);
    let place = place.path();
    gen_in(place, &[]);
    let first = suite(place);
    let after = BEFORE.replace("x > 5", "x > 2000000");
    fs::write(place.join("a.c"), after).expect("written");
    let second = gen_in(place, &[]);
    let text = String::from_utf8_lossy(&second.stdout).into_owned();
    let note = text.lines().find(|line| line.contains("note: the earlier test")).expect("a note");
    assert!(note.contains("no longer reaches `p->a == 77 is true`: returns "), "{note}");
    assert!(note.contains(" before, returns -1 now"), "{note}");
    let now = suite(place);
    let (before, changed) = (&first["functions"][0], &now["functions"][0]);
    assert_eq!(changed["seeds"].as_array().expect("seeds").len(), inputs(before).len());
    let kept = inputs(changed);
    assert!(inputs(before).iter().any(|input| kept.contains(input)), "{kept:?}");
    let is_covered = |goal: &Value| goal["verdict"] == "covered";
    assert!(changed["goals"].as_array().expect("goals").iter().all(is_covered), "{changed:#}");
    // What is as it was begins as it did.
    assert!(now["functions"][1].get("seeds").is_none());
    assert_eq!(first["functions"][1]["tests"], now["functions"][1]["tests"]);
    for more in [&[][..], &["--jobs", "1"]] {
        let again = gen_in(place, more);
        let said = String::from_utf8_lossy(&again.stdout).into_owned();
        assert!(!said.contains("earlier test"), "{said}");
        let mut later = suite(place);
        later["command"] = now["command"].clone();
        assert_eq!(later, now);
    }
}

#[test]
fn a_test_that_does_not_fit_any_more_is_named() {
    let place = folder::with_files(&[("a.c", "int f(int x) { return x == 12; }\n")]);
    gen_in(place.path(), &[]);
    let other = "int f(int x, int y) { if (y > x) return 1; return 2; }\n";
    fs::write(place.path().join("a.c"), other).expect("written");
    let text = String::from_utf8_lossy(&gen_in(place.path(), &[]).stdout).into_owned();
    assert!(text.contains("does not fit the function any more"), "{text}");
    assert!(text.contains("2 covered"), "{text}");
}

#[test]
fn variable_arguments_of_earlier_tests_are_read() {
    let source = "#include <stdarg.h>\n\
        int sum(int n, ...) {\n  va_list ap;\n  int all = 0;\n  va_start(ap, n);\n  \
        if (n == 2) all = va_arg(ap, int) + va_arg(ap, int);\n  va_end(ap);\n  return all == 7 ? 1 : 0;\n}\n";
    let place = folder::with_files(&[("a.c", source)]);
    let place = place.path();
    gen_in(place, &[]);
    let first = suite(place);
    fs::write(place.join("a.c"), source.replace("? 1 : 0", "? 2 : 0")).expect("written");
    let text = String::from_utf8_lossy(&gen_in(place, &[]).stdout).into_owned();
    assert!(!text.contains("does not fit"), "{text}");
    let now = suite(place);
    let (before, changed) = (&first["functions"][0], &now["functions"][0]);
    let n_most = |function| {
        inputs(function).iter().map(|it| it["params"].as_array().map_or(0, Vec::len)).max()
    };
    assert_eq!((n_most(before), n_most(changed)), (Some(3), Some(3)), "{before:#}");
    assert_eq!(changed["seeds"].as_array().expect("seeds").len(), inputs(before).len());
}

const JAVA: &str = "public class A {\n  int n;\n  static class B {}\n  \
    int over(int x, String t) { if (x > 5 && t.equals(\"ab\")) return n; return -1; }\n  \
    static int kind(Object o) { if (o instanceof A) return ((A) o).n; return o instanceof Integer ? 5 : 2; }\n  \
    static char same(char[] c) { return c[1] == 'x' ? c[0] : 'n'; }\n}\n";

/// The method with such a name.
fn method(suite: &Value, name: &str) -> Value {
    let functions = suite["functions"].as_array().expect("functions").iter();
    let mut named = functions.filter(|it| it["name"].as_str().expect("a name").contains(name));
    named.next().expect("the method").clone()
}

#[test]
fn earlier_tests_of_java_come_first() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let place = folder::with_files(&[("A.java", JAVA)]);
    let place = place.path();
    gen_of("A.java", place, &[]);
    let first = suite(place);
    // Classes have other numbers with one more in front of them.
    let after = JAVA
        .replace("static class B", "static class AB extends A {} static class B")
        .replace("x > 5", "x > 2000000")
        .replace("? 5 : 2", "? 5 : 3");
    fs::write(place.join("A.java"), after).expect("written");
    let text = String::from_utf8_lossy(&gen_of("A.java", place, &[]).stdout).into_owned();
    let note = text.lines().find(|line| line.contains("note: the earlier test")).expect("a note");
    assert!(note.contains("no longer reaches `t.equals(\"ab\") is true`: returns "), "{note}");
    assert!(note.ends_with(" before, returns -1 now"), "{note}");
    assert!(text.contains("does something else: returns 2 before, returns 3 now"), "{text}");
    assert!(!text.contains("does not fit"), "{text}");
    let now = suite(place);
    for name in ["over", "kind", "same"] {
        let (before, changed) = (method(&first, name), method(&now, name));
        let seeds = changed["seeds"].as_array().expect("seeds");
        assert_eq!(seeds.iter().collect::<Vec<_>>(), inputs(&before), "{name}");
        let is_covered = |goal: &Value| goal["verdict"] == "covered";
        assert!(changed["goals"].as_array().expect("goals").iter().all(is_covered), "{changed:#}");
    }
    let others = method(&now, "over")["earlier"].as_array().expect("earlier").len();
    assert!(others > 0, "what the earlier tests do is kept");
    let again = gen_of("A.java", place, &["--jobs", "1"]);
    let said = String::from_utf8_lossy(&again.stdout).into_owned();
    assert!(!said.contains("earlier test"), "{said}");
    let mut later = suite(place);
    later["command"] = now["command"].clone();
    assert_eq!(later, now);
}

#[test]
fn objects_that_calls_make_are_made_by_the_same_calls() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let before = "import java.util.ArrayList;\npublic class S {\n  \
        private final ArrayList<Integer> all = new ArrayList<>();\n  private int sum;\n  \
        public void add(int k) { all.add(k); sum += k; }\n  \
        public int top() { if (all.size() > 1 && hidden(2)) return 1; return 0; }\n  \
        private boolean hidden(int q) { return sum > q; }\n}\n";
    let place = folder::with_files(&[("S.java", before)]);
    let place = place.path();
    gen_of("S.java", place, &[]);
    let first = suite(place);
    let calls: Vec<String> = inputs(&method(&first, "top"))
        .iter()
        .map(|input| input["calls"].as_array().map_or(0, Vec::len).to_string())
        .collect();
    assert!(calls.iter().any(|n| n == "3"), "a constructor and two calls: {calls:?}");
    let through = &method(&first, "hidden")["tests"][0]["through"];
    assert_eq!(through, "S.top()I", "a private method is called by a public one");
    // With another method, the same numbers may choose other calls.
    let after = before
        .replace("public void add", "public void put(int k) { sum = k; }\n  public void add")
        .replace("return 1", "return 7");
    fs::write(place.join("S.java"), after).expect("written");
    let text = String::from_utf8_lossy(&gen_of("S.java", place, &[]).stdout).into_owned();
    let is_something_else = text.contains("returns 1 before, returns 7 now");
    assert!(is_something_else || text.contains("does not fit the function any more"), "{text}");
    assert!(!text.contains("returns 1 before, returns 0 now"), "{text}");
    let (before, now) = (method(&first, "top"), method(&suite(place), "top"));
    let known = inputs(&before);
    for run in now["earlier"].as_array().into_iter().flatten() {
        assert!(known.contains(&&run["inputs"]), "{run:#}");
    }
}
