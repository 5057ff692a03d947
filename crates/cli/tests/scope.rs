//! `gen --scope`: goals of functions that other functions call, with tests that call those. What is said is compared with
//! every input of small programs.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

use glassbox_testkit::suite::{generate_for, goals_with};
use glassbox_testkit::{Tool, folder, require};
use serde_json::Value;

/// Lines that count end in `AT;`.
const NOTHING: &str = "#ifndef AT\n#define AT (void)0\n#endif\n";

/// Compares verdicts about lines with what gcc's program does with all inputs, which `runs` makes.
fn is_true(program: &str, runs: &str, args: &[&str]) -> Value {
    let source = format!("{NOTHING}{program}");
    let args = [args, &["--criterion", "statement", "--timeout", "20"]].concat();
    let (_folder, suite, output) = generate_for(&source, &args);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(!printed.contains("disagreement") && !printed.contains("not confirmed"), "{printed}");
    let seen = executed(&source, runs);
    let mut n_compared = 0;
    for verdict in ["covered", "infeasible", "infeasible-within", "unknown"] {
        for goal in goals_with(&suite, verdict) {
            let line = usize::try_from(goal["line"].as_u64().expect("a line")).expect("small");
            let text = source.lines().nth(line - 1).expect("a line");
            if !text.trim_end().ends_with("AT;") {
                continue;
            }
            n_compared += 1;
            let is_executed = seen.contains(&line);
            let is_right = match verdict {
                "covered" => is_executed,
                "unknown" => false,
                _ => !is_executed,
            };
            assert!(is_right, "line {line} is {verdict}: {text}\n{printed}");
        }
    }
    let n_marked = source.lines().filter(|line| line.trim_end().ends_with(" AT;")).count();
    assert_eq!(n_compared, n_marked, "{suite:#}");
    suite
}

/// Lines that some run executes.
fn executed(source: &str, runs: &str) -> BTreeSet<usize> {
    let mut text = String::from(
        "#include <stdio.h>\nstatic char seen[1000];\n#define AT seen[__LINE__] = 1\n",
    );
    let _ = writeln!(text, "#define main tested_main\n#include \"mine.c\"\n#undef main");
    let _ = writeln!(
        text,
        "{runs}\nint main(void) {{ every_run(); for (int i = 0; i < 1000; i++) if (seen[i]) printf(\"%d\\n\", i); }}"
    );
    let folder = folder::with_files(&[("mine.c", source), ("truth.c", &text)]);
    let built = Command::new("gcc")
        .args(["-w", "-o", "truth", "truth.c"])
        .current_dir(folder.path())
        .output()
        .expect("gcc starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(folder.path().join("truth")).output().expect("it was built");
    let lines = String::from_utf8_lossy(&ran.stdout).into_owned();
    lines.lines().map(|line| line.parse().expect("a number")).collect()
}

fn functions(suite: &Value) -> Vec<&str> {
    let all = suite["functions"].as_array().expect("functions");
    all.iter().map(|function| function["name"].as_str().expect("a name")).collect()
}

/// What tests of a function call, where it is another.
fn through(suite: &Value, name: &str) -> BTreeSet<String> {
    let all = suite["functions"].as_array().expect("functions");
    let function = all.iter().find(|function| function["name"] == name).expect("it is there");
    let tests = function["tests"].as_array().expect("tests");
    tests.iter().map(|test| test["through"].as_str().unwrap_or("itself").to_owned()).collect()
}

const HELPERS: &str = "static int grade(int n) {
    if (n < 0) {
        AT;
        return -1;
    }
    if (n > 200) {
        AT;
        return 3;
    }
    if (n == 150) {
        AT;
        return 2;
    }
    return n > 100;
}
static int deep(int n) {
    if (grade(n) == 3) {
        AT;
        return 1;
    }
    if (n == 17) {
        AT;
        return 2;
    }
    AT;
    return 0;
}
int low(signed char a) {
    return a >= 10 ? grade(a) : 0;
}
int high(signed char a, unsigned char b) {
    return b > 60 ? grade(2 * b - a) : deep(a & 1);
}
";

const ALL_PAIRS: &str = "void every_run(void) {
    for (int a = -128; a < 128; a++)
        for (int b = 0; b < 256; b++) { low(a); high(a, b); }
}";

#[test]
fn static_functions_are_tested_through_public_ones() {
    let Some(_) = require(Tool::Program("gcc")) else { return };
    let suite = is_true(HELPERS, ALL_PAIRS, &["--scope", "calls"]);
    assert_eq!(through(&suite, "deep"), BTreeSet::from(["high".to_owned()]), "{suite:#}");
    assert!(!through(&suite, "grade").contains("itself"), "{suite:#}");
    assert_eq!(through(&suite, "low"), BTreeSet::from(["itself".to_owned()]), "{suite:#}");
}

#[test]
fn by_default_every_function_is_tested_by_itself() {
    let source = format!("{NOTHING}{HELPERS}");
    let (_folder, suite, _) = generate_for(&source, &["--no-exec"]);
    assert_eq!(through(&suite, "grade"), BTreeSet::from(["itself".to_owned()]), "{suite:#}");
    assert_eq!(goals_with(&suite, "infeasible").len(), 0, "{suite:#}");
}

const PROGRAM: &str = "extern signed char input(void);
static int turns, state;
static int step(int by) {
    turns++;
    if (by == 7 && state == 1) {
        AT;
        state = 2;
    } else if (by == 3) {
        AT;
        state = 1;
    }
    if (state == 2 && turns == 1) {
        AT;
    }
    if (turns > 2) {
        AT;
    }
    return state;
}
static int down(int n) {
    if (n <= 0) {
        AT;
        return 0;
    }
    if (n > 5) {
        AT;
    }
    return 1 + down(n - 2);
}
static int add(int a) { return a + 1; }
static int twice(int a) {
    if (a == 4) {
        AT;
        return -1;
    }
    if (a > 300) {
        AT;
    }
    return 2 * a;
}
static int never(int a) {
    if (a) {
        AT;
    }
    return a;
}
static int outside(int a) { return a ? 1 : 2; }
static int (*const table[2])(int) = { add, twice };
int main(void) {
    turns = 0;
    state = 0;
    step(input());
    int last = step(input());
    if (last > 2)
        never(last);
    int depth = down(last + 2);
    return table[depth & 1](last);
}
";

const ALL_INPUTS: &str = "static int given[2], next;
signed char input(void) { return given[next++]; }
void every_run(void) {
    for (given[0] = -128; given[0] < 128; given[0]++)
        for (given[1] = -128; given[1] < 128; given[1]++) { next = 0; tested_main(); }
}";

#[test]
fn goals_behind_main_are_those_of_the_program() {
    let Some(_) = require(Tool::Program("gcc")) else { return };
    let suite = is_true(PROGRAM, ALL_INPUTS, &["--scope", "program"]);
    assert!(!functions(&suite).contains(&"outside"), "{suite:#}");
    assert_eq!(through(&suite, "step"), BTreeSet::from(["main".to_owned()]), "{suite:#}");
    assert_eq!(through(&suite, "main"), BTreeSet::from(["itself".to_owned()]), "{suite:#}");
    let premises = suite["functions"].to_string();
    assert!(premises.contains("runs start in `main`"), "{premises}");
}

/// What code outside of the program may call later is not excluded by paths, which end before.
#[test]
fn handlers_are_not_infeasible() {
    let ways = [
        ("#include <signal.h>", "signal(SIGINT, handler)"),
        ("extern void later(void (*)(int));", "later(handler)"),
    ];
    for (declaration, call) in ways {
        let source = format!(
            "{declaration}\nstatic volatile int got;\n\
             static void handler(int number) {{ if (number == 2) got = 1; }}\n\
             int main(void) {{ {call}; return got; }}\n"
        );
        let args = ["--scope", "program", "--function", "handler", "--no-exec"];
        let (_folder, suite, _) = generate_for(&source, &args);
        assert_eq!(goals_with(&suite, "unknown").len(), 2, "{suite:#}");
    }
}

/// The first call ends in an error where the second would have gone on.
#[test]
fn errors_in_one_call_are_named_where_they_exclude_another() {
    let source = "static int part(int n, int d) {\n\
        \x20   if (n == 1)\n        return 10 / d;\n\
        \x20   if (d == 0)\n        return 4;\n    return 5;\n}\n\
        int both(int d) { return part(1, d) + part(2, d); }\n";
    let args = ["--scope", "calls", "--function", "part", "--no-exec"];
    let (_folder, suite, _) = generate_for(source, &args);
    let excluded = goals_with(&suite, "infeasible-within");
    assert_eq!(excluded.len(), 1, "{suite:#}");
    assert_eq!(excluded[0]["text"], "d == 0 is true", "{suite:#}");
    assert_eq!(goals_with(&suite, "infeasible").len(), 0, "{suite:#}");
}

#[test]
fn what_is_not_in_the_program_is_an_error() {
    let args = ["--scope", "program", "--function", "outside", "--no-exec"];
    let (_folder, _suite, output) = generate_for(&format!("{NOTHING}{PROGRAM}"), &args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("no run from `main` comes to"), "{text}");
}

/// Test-Comp counts branches of everything behind `main`.
#[test]
fn suites_for_test_comp_have_the_tests_through_main() {
    let source = "extern int __VERIFIER_nondet_int(void);\n\
        static int f(int x) { if (x == 77) return 1; if (x == 78) return 2; return 0; }\n\
        int main(void) { return f(__VERIFIER_nondet_int()); }\n";
    let args = ["--scope", "program", "--format", "testcomp", "--no-exec"];
    let (folder, suite, _) = generate_for(source, &args);
    assert_eq!(goals_with(&suite, "covered").len(), 5, "{suite:#}");
    let files = std::fs::read_dir(folder.path().join("test-suite")).expect("a folder").flatten();
    let texts = files.map(|file| std::fs::read_to_string(file.path()).expect("a file"));
    let all = texts.collect::<Vec<_>>().join("\n");
    for input in ["<input>77</input>", "<input>78</input>"] {
        assert!(all.contains(input), "{all}");
    }
}
