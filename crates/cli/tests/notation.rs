//! What suites and explanations say is in the notation of the source, and tests are shown as they are written.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::{Path, PathBuf};
use std::process::Command;

use glassbox_testkit::{Tool, require, run_glassbox};
use serde_json::Value;

const SOURCE: &str = "unsigned char classify(unsigned char mode, unsigned u, const char *s, int n)
{
    if (mode & 1) return 1;
    if (mode > 200) {
        if (mode == 100) return 9;
        return 2;
    }
    if (u > 3000000000u) {
        if (u < 5u) return 7;
        return 3;
    }
    if (s[0] == 's' && s[1] == '\\n') return 5;
    if (n > 10) { if (n < 5) return 6; }
    if ((mode >> 1) & 3) return 10;
    return 0;
}
";

fn made() -> (tempfile::TempDir, PathBuf, Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, out) = (folder.path().join("classify.c"), folder.path().join("out"));
    std::fs::write(&source, SOURCE).expect("written");
    let contract = folder.path().join("glassbox.toml");
    std::fs::write(&contract, "[function.classify]\nrequirement = \"SRS-12\"\n").expect("written");
    let shown = |path: &Path| path.display().to_string();
    let (source, shown_out, contract) = (shown(&source), shown(&out), shown(&contract));
    let criteria = ["--criterion", "branch", "--criterion", "mcdc", "--config", &contract];
    let output = run_glassbox([&["gen", &source, "--out", &shown_out][..], &criteria].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = std::fs::read_to_string(out.join("suite.json")).expect("written");
    (folder, out, serde_json::from_str(&text).expect("JSON"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn conditions_are_written_as_in_the_source() {
    let (_guard, out, suite) = made();
    let function = &suite["functions"][0];
    let cores = list(&function["refutations"]).iter().flat_map(|way| list(&way["core"]));
    let tests = list(&function["tests"]);
    let paths = tests.iter().flat_map(|test| list(&test["constraints"]));
    let facts = list(&function["invariants"]).iter().flat_map(|at| list(&at["known"]["facts"]));
    let said: Vec<&str> = cores
        .map(|part| &part["text"])
        .chain(paths)
        .chain(facts)
        .filter_map(Value::as_str)
        .collect();
    for solver in ["<u", "(u1)", "(u8)", "(i64)", ":1]", ">>>", "-55", "-1294967295"] {
        assert!(!said.iter().any(|text| text.contains(solver)), "{solver}: {said:#?}");
    }
    for expected in ["u > 3000000000", "u < 5", "mode > 200", "n > 10", "s[0] == 's'"] {
        assert!(said.contains(&expected), "{expected}: {said:#?}");
    }
    for test in tests {
        let n_lines = list(&test["constraint_lines"]).len();
        assert_eq!(n_lines, list(&test["constraints"]).len(), "{test}");
    }
    let text = run_glassbox(["explain", "9:13/true", &out.display().to_string()]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("line 8: needs u > 3000000000"), "{text}");
    let text = run_glassbox(["explain", "12:24/true", &out.display().to_string()]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("s[] = \"s\\n\""), "{text}");
}

#[test]
fn tests_have_their_text_and_a_command_that_runs_them_alone() {
    if require(Tool::Program("make")).is_none() {
        return;
    }
    let (_guard, out, suite) = made();
    let function = &suite["functions"][0];
    assert_eq!(function["requirements"][0], "SRS-12");
    for test in list(&function["tests"]) {
        let (id, source) = (test["id"].as_str().expect("a name"), &test["source"]);
        let text = source["text"].as_str().expect("the text of the test");
        assert!(text.contains(&format!("{id}(void)")) && text.ends_with("}\n"), "{text}");
        let file = std::fs::read_to_string(out.join(source["file"].as_str().expect("a file")));
        let line = source["line"].as_u64().expect("a line");
        let before = usize::try_from(line).expect("small") - 1;
        let rest: String = file.expect("there").split_inclusive('\n').skip(before).collect();
        assert!(rest.starts_with(text), "{id} is in line {line}");
        let command = source["command"].as_str().expect("a command");
        let output = Command::new("sh").args(["-c", command]).output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{command}: {output:?}");
        assert!(
            said.contains("1 of 1") || said.contains("1 passed") || said.contains(id),
            "{said}"
        );
    }
}

#[test]
fn rows_that_no_test_shows_say_why() {
    let (_guard, _, suite) = made();
    let function = &suite["functions"][0];
    let decisions = list(&function["decisions"]);
    let at = |line: u64| decisions.iter().find(|decision| decision["line"] == line);
    // `mode == 100` is never true: the row is impossible, and the goal that says so is infeasible.
    let unseen = list(&at(5).expect("a decision")["unseen"]);
    assert_eq!(unseen.len(), 1, "{unseen:?}");
    let goal = unseen[0]["impossible"]["goal"].as_u64().expect("a proof");
    let goal = &function["goals"][usize::try_from(goal).expect("small")];
    assert_eq!(goal["verdict"], "infeasible", "{goal}");
    let pairs = list(&at(12).expect("a decision")["pairs"]);
    assert!(pairs.iter().any(|pair| pair["condition"] == 1), "{pairs:?}");
}
