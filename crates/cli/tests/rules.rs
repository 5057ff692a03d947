//! Specifications by rules: a test for every rule, proofs of determinism and completeness, tests of implementations.

#![allow(clippy::disallowed_methods, reason = "tests start programs and read files")]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::{Tool, folder, require, root};
use serde_json::Value;

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    })
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command on a specification of the corpus; files go to the folder that is returned.
fn on_corpus(args: &[&str]) -> (tempfile::TempDir, Output) {
    let out = folder::empty();
    let shown = out.path().display().to_string();
    let corpus = root().join("corpus/rules");
    let output = run_glassbox_in(&corpus, [args, &["--out", &shown]].concat());
    (out, output)
}

/// By function: goals or properties with their verdicts.
fn verdicts(suite: &Value) -> BTreeMap<String, Vec<(String, String)>> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut found = BTreeMap::new();
    for function in suite["functions"].as_array().expect("functions") {
        let goals = function["goals"].as_array().or(function["properties"].as_array());
        let goals = goals.expect("goals").iter();
        let name = [&function["name"], &function["entry"]].into_iter().map(text);
        let name = name.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let all = goals.map(|goal| (text(&goal["text"]), text(&goal["verdict"])));
        found.insert(name, all.collect());
    }
    found
}

/// What table 1 of the paper prints: rules that are covered, by instruction.
fn figures() -> BTreeMap<String, usize> {
    let text = std::fs::read_to_string(root().join("corpus/rules/jcvm.figures")).expect("figures");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| {
        let (name, count) = row.split_once(' ')?;
        Some((name.to_owned(), count.parse().ok()?))
    })
    .collect()
}

#[test]
fn every_rule_of_the_instructions_has_a_test_as_many_as_the_paper_counts() {
    let (_out, output) = on_corpus(&["gen", "jcvm.rules", "--json", "--no-exec"]);
    let suite = json(&output);
    let figures = figures();
    assert_eq!((figures.len(), figures.values().sum::<usize>()), (45, 442));
    let mut n_modeled = 0;
    for (name, goals) in verdicts(&suite) {
        let Some(printed) = figures.get(&name) else { continue };
        n_modeled += 1;
        let rules = goals
            .iter()
            .filter(|(text, _)| text.ends_with(" applies") && !text.starts_with("no rule"));
        let covered = rules.clone().filter(|(_, verdict)| verdict == "covered").count();
        assert_eq!((rules.count(), covered), (*printed, *printed), "{name}: {goals:?}");
        let overlaps = goals.iter().filter(|(text, _)| text.ends_with("both apply"));
        for (text, verdict) in overlaps {
            // It walks along the locals, which have any length.
            let expected = if name == "ret" { "infeasible-within" } else { "infeasible" };
            assert_eq!(verdict, expected, "{name}: {text}");
        }
    }
    assert_eq!(n_modeled, figures.len(), "instructions that are modeled");
}

#[test]
fn tests_are_data_with_results_that_the_rules_give() {
    let (out, output) = on_corpus(&["gen", "jcvm.rules", "--function", "push", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let suite = json(&output);
    let tests = suite["functions"][0]["tests"].as_array().expect("tests");
    let results: Vec<&str> =
        tests.iter().filter_map(|test| test["term"]["result"].as_str()).collect();
    // The paper's abstract tests: an empty stack of frames, and any other.
    let patterns: Vec<&str> =
        tests.iter().filter_map(|test| test["term"]["pattern"].as_str()).collect();
    assert_eq!(tests.len(), 2);
    assert!(patterns.contains(&"push(_, _, jcvm_state{fr: []})"), "{patterns:?}");
    assert!(patterns.contains(&"push(_, _, jcvm_state{fr: [_ | _]})"), "{patterns:?}");
    assert!(results.iter().any(|it| it.starts_with("Abnormal(State_error, ")), "{results:?}");
    assert!(results.iter().any(|it| it.starts_with("Normal(jcvm_state{")), "{results:?}");
    let data = std::fs::read_to_string(out.path().join("tests/push.json")).expect("data");
    let data: Value = serde_json::from_str(&data).expect("JSON");
    assert_eq!(data["tests"].as_array().map(Vec::len), Some(2));
    let readable = std::fs::read_to_string(out.path().join("tests/push.tests")).expect("a file");
    assert!(readable.contains("by push_r1") && readable.contains("by push_r2"), "{readable}");
}

#[test]
fn determinism_and_completeness_of_the_instructions_are_proved() {
    let (_out, output) = on_corpus(&["check", "jcvm.rules", "--json"]);
    // Some walk along lists, and are proved within bounds.
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let found = verdicts(&json(&output));
    for name in ["push", "pop", "dup2", "swap", "icmp", "if_scmp_cond", "ifnull"] {
        let open: Vec<_> = found[name].iter().filter(|(_, verdict)| verdict != "holds").collect();
        assert!(open.is_empty(), "{name}: {open:?}");
        assert!(!found[name].is_empty(), "{name}");
    }
    for (name, goals) in &found {
        for (text, verdict) in goals {
            assert!(verdict.starts_with("holds"), "{name}: {text}: {verdict}");
        }
    }
}

#[test]
fn overlaps_and_gaps_are_refuted_each_for_itself() {
    let text = "function f(x: int): int {
    <a> x > 10 => 1;
    <b> x > 20 => 2;
    <c> x > 30 => 2;
    <d> x > 40 => 1;
    <e> x < 0 => 10 / x;
}
partial function g(x: int): int { <low> x < 0 => 10 / (x + 5); <high> x > 0 => 1; }
function h(x: int): int { <h1> g(x); }
";
    let folder = folder::with_files(&[("f.rules", text)]);
    let output = run_glassbox_in(folder.path(), ["check", "f.rules", "--json", "--out", "out"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let found = verdicts(&json(&output));
    let of = |function: &str, text: &str| {
        let found = found[function].iter().find(|(known, _)| known.contains(text));
        found.map(|(_, verdict)| verdict.as_str()).unwrap_or_else(|| panic!("{text}: {found:?}"))
    };
    assert_eq!(of("f", "some rule of f applies"), "violated");
    assert_eq!(of("f", "a and b give the same"), "violated");
    assert_eq!(of("f", "b and c give the same"), "holds");
    assert_eq!(of("f", "a and c give the same"), "violated");
    assert_eq!(of("f", "a and d give the same"), "holds");
    assert_eq!(of("f", "b and d give the same"), "violated");
    assert_eq!(of("f", "a and e give the same"), "holds");
    assert_eq!(of("g", "low has a result"), "violated");
    assert_eq!(of("h", "h1 has a result"), "violated");
    let output = run_glassbox_in(folder.path(), ["gen", "f.rules", "--json", "--out", "out"]);
    let found = verdicts(&json(&output));
    let of = |function: &str, text: &str| {
        let found = found[function].iter().find(|(known, _)| known == text);
        found.map(|(_, verdict)| verdict.as_str()).unwrap_or_else(|| panic!("{text}: {found:?}"))
    };
    assert_eq!(of("f", "c and d both apply"), "covered");
    assert_eq!(of("f", "d and e both apply"), "infeasible");
    assert_eq!(of("f", "no rule of f applies"), "covered");
    assert_eq!(of("g", "low and high both apply"), "infeasible");
}

#[test]
fn bounds_are_named_where_rules_look_deeper() {
    let (_out, output) = on_corpus(&["check", "plus.rules", "--json"]);
    let suite = json(&output);
    let found = verdicts(&suite);
    assert!(found["plus"].iter().all(|(_, verdict)| verdict.starts_with("holds")), "{found:?}");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("lists and other terms are looked into at most 4 deep"), "{shown}");
}

/// Tests of the C implementation pass, and those of a broken twin do not.
#[test]
fn an_implementation_in_c_is_tested_in_every_framework() {
    let out = folder::empty();
    let corpus = root().join("corpus/rules");
    for file in ["stack.rules", "stack.c", "stack.toml"] {
        std::fs::copy(corpus.join(file), out.path().join(file)).expect("a copy");
    }
    let run = |framework: &str| {
        let args = ["gen", "stack.rules", "--config", "stack.toml", "--framework", framework];
        let output = run_glassbox_in(out.path(), [&args[..], &["--out", framework]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    };
    let make = |framework: &str| {
        let mut made = Command::new("make");
        made_in(made.args(["-C", &format!("{framework}/tests")]), out.path())
    };
    run("plain");
    let text = std::fs::read_to_string(out.path().join("plain/tests/test_half.c")).expect("tests");
    assert!(!text.contains("Left out"), "{text}");
    assert!(make("plain"), "tests of the right implementation pass");
    if require(Tool::File("/usr/include/cmocka.h")).is_some() {
        run("cmocka");
        assert!(make("cmocka"));
    }
    let right = std::fs::read_to_string(out.path().join("stack.c")).expect("readable");
    for (from, to) in [
        ("x > high ? high", "x > high ? low"),
        ("count <= 0", "count < 0"),
        ("errno = ERANGE", "errno = EDOM"),
    ] {
        assert!(right.contains(from));
        folder::write(out.path(), "stack.c", &right.replace(from, to));
        assert!(!make("plain"), "{to} is noticed");
    }
}

fn made_in(command: &mut Command, folder: &Path) -> bool {
    let output = command.current_dir(folder).output().expect("it starts");
    output.status.success()
}

#[test]
fn an_implementation_in_java_is_tested() {
    let (out, output) = on_corpus(&["gen", "stack.rules", "--config", "stack-java.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let tests = out.path().join("tests");
    let source = root().join("corpus/rules/Stack.java");
    let mut files = vec![source.display().to_string()];
    let names = ["Is_emptyRulesTest", "ClampRulesTest", "HalfRulesTest", "SumRulesTest"];
    files.extend(names.iter().map(|name| tests.join(format!("{name}.java")).display().to_string()));
    if require(Tool::Jdk).is_none() {
        return;
    }
    let mut javac = Command::new("javac");
    let compiled = javac.args(["-d", "classes"]).args(&files).current_dir(out.path()).output();
    let compiled = compiled.expect("it starts");
    assert!(compiled.status.success(), "{}", stderr(&compiled));
    for name in names {
        let run =
            Command::new("java").args(["-cp", "classes", name]).current_dir(out.path()).output();
        let run = run.expect("a JVM");
        let printed = String::from_utf8_lossy(&run.stdout).into_owned();
        assert!(run.status.success() && printed.contains(" ok"), "{name}: {printed}");
    }
}

#[test]
fn what_is_wrong_is_reported_with_its_place() {
    let text = "function f(x: int): int {\n    x > 0 => tru;\n}\n";
    let folder = folder::with_files(&[
        ("bad.rules", text),
        ("good.rules", "function f(x: int): int { x; }"),
        ("empty.rules", ""),
        ("unknown.toml", "[rules.function]\ng = \"g($x)\"\n"),
        ("a.c", "int f(void) { return 1; }"),
    ]);
    let refused = |args: &[&str]| {
        let output = run_glassbox_in(folder.path(), [args, &["--out", "out"]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        stderr(&output)
    };
    let shown = refused(&["gen", "bad.rules"]);
    assert!(shown.contains("bad.rules:2:14: error: no variable `tru` is known here"), "{shown}");
    assert!(shown.contains("    x > 0 => tru;\n   |              ^^^"), "{shown}");
    assert!(refused(&["check", "empty.rules"]).contains("empty.rules:1:1: error: no function"));
    assert!(refused(&["check", "missing.rules"]).contains("missing.rules: error: No such file"));
    assert!(refused(&["check", "good.rules", "a.c"]).contains("specifications are read alone"));
    let shown = refused(&["gen", "good.rules", "--config", "unknown.toml"]);
    assert!(
        shown.contains("unknown.toml:2:1: error: the specification has no function `g`"),
        "{shown}"
    );
    let output = run_glassbox_in(
        folder.path(),
        ["gen", "good.rules", "--framework", "unity", "--out", "out"],
    );
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        printed.contains("no tests for unity: glassbox.toml does not say what implements"),
        "{printed}"
    );
}

#[test]
fn tests_of_several_specifications_have_folders_of_their_own() {
    let text = "function f(x: int): int { x; }";
    let folder = folder::with_files(&[("a.rules", text), ("b.rules", text)]);
    let output = run_glassbox_in(folder.path(), ["gen", "a.rules", "b.rules", "--out", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for file in ["a/f.tests", "a/f.json", "b/f.tests", "b/f.json"] {
        assert!(folder.path().join("out/tests").join(file).is_file(), "{file}");
    }
}
