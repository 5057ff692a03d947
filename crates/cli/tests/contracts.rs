//! Contracts of `glassbox.toml`: constraints of the search, promises in tests, places in messages.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::{Path, PathBuf};
use std::process::Command;

use glassbox_testkit::{command::run_glassbox_in, root};
use serde_json::Value;

fn corpus() -> PathBuf {
    root().join("corpus/contracts")
}

/// Runs `gen` in `folder` into a fresh one; the folder, the suite, what was printed.
fn generate(folder: &Path, args: &[&str]) -> (tempfile::TempDir, Value, String, Option<i32>) {
    let out = tempfile::tempdir().expect("a folder");
    let shown = out.path().display().to_string();
    let mut all = vec!["gen"];
    all.extend(args);
    all.extend(["--out", &shown]);
    let output = run_glassbox_in(folder, &all);
    let text = std::fs::read_to_string(out.path().join("suite.json")).unwrap_or_default();
    let printed = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (out, serde_json::from_str(&text).unwrap_or(Value::Null), printed, output.status.code())
}

fn function<'a>(suite: &'a Value, name: &str) -> &'a Value {
    let functions = suite["functions"].as_array().expect("functions");
    functions.iter().find(|function| function["name"] == name).expect("the function is there")
}

/// What `glassbox.toml` with this text makes of a small program.
fn complaint(config: &str) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "int f(int x, int *p) { if (x > 3) return *p; return 0; }\n";
    std::fs::write(folder.path().join("f.c"), source).expect("writable");
    std::fs::write(folder.path().join("glassbox.toml"), config).expect("writable");
    let (_, _, printed, code) = generate(folder.path(), &["f.c", "--no-exec"]);
    (printed, code)
}

#[test]
fn every_kind_of_clause_is_a_constraint_and_the_tests_pass() {
    let folder = corpus().join("promises");
    let (out, suite, printed, code) = generate(&folder, &["promises.c"]);
    // `halve` breaks its promise.
    assert_eq!(code, Some(3), "{printed}");
    assert!(
        printed.contains("glassbox.toml:26:11: ensure result <= 10: violated with x = 11"),
        "{printed}"
    );
    let goals = function(&suite, "scale")["goals"].as_array().expect("goals").clone();
    let of = |verdict: &str| goals.iter().filter(|goal| goal["verdict"] == verdict).count();
    assert_eq!((of("covered"), of("infeasible")), (3, 1), "{printed}");
    let tests = function(&suite, "scale")["tests"].as_array().expect("tests").clone();
    assert!(tests.iter().all(|test| test["oracles"] == serde_json::json!(["spec", "regression"])));
    for test in function(&suite, "largest")["tests"].as_array().expect("tests") {
        for object in test["inputs"]["objects"].as_array().expect("objects") {
            let elements = object["elements"].as_array().expect("elements");
            let n = &test["inputs"]["params"][1]["value"];
            assert_eq!(n, &Value::from(elements.len().to_string()), "{test}");
            for element in elements {
                let value: i32 = element.as_str().expect("text").parse().expect("a number");
                assert!((-9..=9).contains(&value), "{test}");
            }
        }
    }
    let make = Command::new("make").arg("-C").arg(out.path().join("tests")).output();
    let make = make.expect("make should be installed");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
    let text = std::fs::read_to_string(out.path().join("tests/test_drive.c")).expect("written");
    assert!(text.contains("CHECK(calls == __old0 + 1); /* spec: glassbox.toml:12 */"), "{text}");
}

#[test]
fn goals_that_a_contract_removes_name_the_clause() {
    let folder = corpus().join("promises");
    let args = ["promises.c", "--no-exec", "--function", "scale", "--function", "drive"];
    let (_, suite, printed, _) = generate(&folder, &args);
    let removes = |name: &str, clause: usize| {
        function(&suite, name)["contract"][clause]["removes"].as_array().expect("list").len()
    };
    assert_eq!((removes("scale", 0), removes("drive", 0), removes("drive", 1)), (1, 1, 0));
    assert!(
        printed.contains("removed by the contract (glassbox.toml:6:13: require x >= 0 && x <= INT"),
        "{printed}"
    );
    // Without a clause on `x`, or without the one on `y`, the sum is large enough.
    let (_, suite, printed, _) =
        generate(&folder, &["promises.c", "--no-exec", "--function", "both"]);
    let clauses = function(&suite, "both")["contract"].as_array().expect("clauses").clone();
    let removing: Vec<usize> =
        clauses.iter().map(|clause| clause["removes"].as_array().expect("list").len()).collect();
    assert_eq!(removing, [1, 1], "{printed}");
}

#[test]
fn mistakes_in_the_file_are_reported_with_their_place() {
    for (config, wanted) in [
        (
            "[function.f]\nrequire = [\"x > 0\", \"y > 0\"]\n",
            "glassbox.toml:2:22: error: `y` is not",
        ),
        ("[function.f]\nensure = \"result.x > 1\"\n", "glassbox.toml:2:11: error:"),
        ("[function.f]\nrange.z = [1, 2]\n", "glassbox.toml:2:7: error: `z` is not declared"),
        ("[function.f]\nlength.x = 2\n", "glassbox.toml:2:8: error: `int` is not a pointer"),
        ("[function.f]\nrequire = \"x) ; (x\"\n", "glassbox.toml:2:11: error: this is not one C"),
        (
            "[function.f]\nrequire = \"x > \"\n",
            "glassbox.toml:2:11: error: something is missing behind `>`",
        ),
        ("[gen]\nseed = \"many\"\n", "glassbox.toml:2:8: error: `seed` cannot be `many`"),
        ("[gen]\nno-exec = 3\n", "glassbox.toml:2:11: error: `--no-exec` takes true or false"),
        ("[gen]\nframwork = \"plain\"\n", "glassbox.toml:2:1: error: `glassbox gen` has no option"),
        ("[functions.f]\n", "glassbox.toml:1:2: error: no section `functions`"),
        ("[function.f]\nrequire = [\n", "glassbox.toml:"),
    ] {
        let (printed, code) = complaint(config);
        assert_eq!(code, Some(2), "{config}{printed}");
        assert!(printed.contains(wanted), "{config}{printed}");
        assert!(printed.contains('^'), "{config}{printed}");
    }
}

#[test]
fn contracts_of_functions_that_are_not_there_are_reported() {
    let (printed, code) = complaint("[function.g]\nrequire = \"x\"\n");
    assert_ne!(code, Some(2));
    assert!(
        printed.contains("glassbox.toml:1:11: warning: no function `g` is defined"),
        "{printed}"
    );
}

#[test]
fn defaults_of_options_give_way_to_the_command_line() {
    let config = "[gen]\ncriterion = [\"statement\", \"condition\"]\n";
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.c"), "int f(int x) { if (x > 3) return 1; return 0; }\n")
        .expect("writable");
    std::fs::write(folder.path().join("glassbox.toml"), config).expect("writable");
    let kinds = |args: &[&str]| {
        let (_, suite, _, _) = generate(folder.path(), args);
        let goals = function(&suite, "f")["goals"].as_array().expect("goals").clone();
        let mut kinds: Vec<String> =
            goals.iter().map(|goal| goal["kind"].as_str().unwrap_or_default().to_owned()).collect();
        kinds.dedup();
        kinds
    };
    assert_eq!(kinds(&["f.c", "--no-exec"]), ["statement", "condition"]);
    assert_eq!(kinds(&["f.c", "--no-exec", "--criterion", "mcdc"]), ["mcdc"]);
}

#[test]
fn assumptions_of_other_tools_narrow_inputs_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "void __VERIFIER_assume(int); void __CPROVER_assume(_Bool); void klee_assume(unsigned long);\n\
                  int f(int x, int y, int z) {\n    __VERIFIER_assume(x > 3);\n    __CPROVER_assume(y > x);\n    \
                  klee_assume(z == y);\n    if (z < 5) return 1;\n    if (z == 5) return 2;\n    return 0;\n}\n";
    std::fs::write(folder.path().join("f.c"), source).expect("writable");
    let (_, suite, printed, code) = generate(folder.path(), &["f.c", "--no-exec"]);
    assert_eq!(code, Some(0), "{printed}");
    let goals = function(&suite, "f")["goals"].as_array().expect("goals").clone();
    let infeasible: Vec<&Value> =
        goals.iter().filter(|goal| goal["verdict"] == "infeasible").collect();
    assert_eq!(infeasible.len(), 1, "{printed}");
    assert_eq!(infeasible[0]["line"], 6, "{printed}");
}

/// INKA's table (Gotlieb, Botella and Rueher, ISSTA 1998): goal `fb == 1`, domain 1..9.
fn inputs_of_sample(folder: &str) -> (u64, Value) {
    let args = ["sample.c", "--no-exec", "--all", "10000"];
    let (_, suite, printed, code) = generate(&corpus().join(folder), &args);
    assert_eq!(code, Some(0), "{printed}");
    let sample = function(&suite, "sample");
    let goals = sample["goals"].as_array().expect("goals");
    let goal = goals.iter().find(|goal| goal["text"] == "fb == 1 is true").expect("the goal");
    let counts = sample["solutions"]["goals"].as_array().expect("counts");
    let counted = counts.iter().find(|count| count["goal"] == goal["id"]).expect("counted");
    assert_eq!(counted["complete"], true, "{printed}");
    let count = counted["count"].as_u64().expect("a number");
    assert!(printed.contains(&format!("fb == 1 is true: {count} inputs")), "{printed}");
    let tables = sample["solutions"]["tables"].as_array().expect("tables");
    let reaching: Vec<Value> = tables
        .iter()
        .filter(|table| table["goals"].as_array().expect("goals").contains(&goal["id"]))
        .flat_map(|table| table["values"].as_array().expect("rows").clone())
        .collect();
    assert_eq!(reaching.len() as u64, count);
    (count, Value::Array(reaching))
}

#[test]
fn sample_has_1953_inputs_and_6_pythagorean_ones() {
    assert_eq!(inputs_of_sample("sample").0, 1953);
    let (count, rows) = inputs_of_sample("sample-pythagorean");
    assert_eq!(count, 6);
    // Two triangles, and target and b all one of its sides.
    let mut found: Vec<Vec<u32>> = Vec::new();
    for row in rows.as_array().expect("rows") {
        let numbers = row.as_array().expect("values").iter().filter_map(Value::as_str);
        found.push(numbers.filter_map(|text| text.parse().ok()).collect());
    }
    found.sort();
    let mut expected: Vec<Vec<u32>> = Vec::new();
    for target in [3, 4, 5] {
        for (a, b) in [(3, 4), (4, 3)] {
            expected.push(vec![target, a, b, 5, target, target, target]);
        }
    }
    assert_eq!(found, expected);
}

/// What `check` says of a program with a contract.
fn checked(source: &str, config: &str) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("f.c"), source).expect("writable");
    std::fs::write(folder.path().join("glassbox.toml"), config).expect("writable");
    let output = run_glassbox_in(folder.path(), ["check", "f.c"]);
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&text).into_owned(), output.status.code())
}

const COUNTED: &str = "#include <stdio.h>
#include <stdlib.h>
int count;
static int bump(void) { return ++count; }
static int twice(void) { return bump() + bump(); }
static int clear(int *p) { *p = 0; return 1; }
static int is_small(const int *a, int n) {
  for (int i = 0; i < n; i++) { int copy[1] = {a[i]}; if (copy[0] > 9) return 0; }
  return 1;
}
static int says(int x) { return printf(\"%d\", x); }
static int ends(int x) { if (x) exit(1); return 1; }
int f(int x, int *p) { return p ? x : 0; }
";

#[test]
fn conditions_that_do_more_than_look_are_refused() {
    for (config, expected) in [
        (
            "require = [\"bump() > 0\"]",
            "2:13: error: a condition changes nothing, but `bump` may change `count`",
        ),
        ("ensure = [\"result == 0 || twice() > 0\"]", "`twice` may change `count`"),
        ("ensure = [\"clear(p) && result == 0\"]", "`clear` may change memory"),
        ("ensure = [\"clear(&result)\", \"result == 0\"]", "`clear` may change memory"),
        ("require = [\"clear(&x)\"]", "`clear` may change memory"),
        (
            "ensure = [\"({ count = 1; result == 0; })\"]",
            "a condition changes nothing, but there is `=`",
        ),
        ("ensure = [\"result == 0 || says(result)\"]", "`printf` prints"),
        ("require = [\"ends(x)\"]", "`exit` does not return"),
        ("require = [\"rand() > x\"]", "`rand` gives what its arguments do not fix"),
        (
            "[[function.f.behavior]]\nassumes = \"bump() > 0\"\nensures = \"result == 0\"",
            "`bump` may change `count`",
        ),
    ] {
        let (text, code) = checked(COUNTED, &format!("[function.f]\n{config}\n"));
        assert!(text.contains(expected), "{config}: {text}");
        assert_eq!(code, Some(2), "{config}: {text}");
    }
    let config = "[function.f]\nlength.p = 2\nensure = [\"result == x\", \"is_small(p, 2) || !is_small(p, 2)\"]\n";
    let (text, code) = checked(COUNTED, config);
    assert!(text.contains("(is_small(p, 2) || !is_small(p, 2)): holds"), "{code:?} {text}");
}

#[test]
fn conditions_that_cannot_be_evaluated_are_named() {
    let source = "#include <assert.h>\nint f(int x) { assert(x != 2147483647); return x; }\n";
    let (text, _) = checked(source, "[function.f]\nrequire = [\"x + 1 > x\"]\n");
    assert!(text.contains("holds-within provided that line 2 does not overflow"), "{text}");
    let (text, code) = checked(source, "[function.f]\nrequire = [\"x < 100\", \"x + 1 > x\"]\n");
    assert!(text.contains("assertion (x != 2147483647): holds:"), "{text}");
    assert_eq!(code, Some(0), "{text}");
}

const HIDDEN: &str = "#define SET(v) (v = 5)
#define BUMP (count++ > 0)
#define CLEAR(p) ({ *(p) = 0; 1; })
#define LIMIT (count += 2)
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
int count;
int f(int x, int *p) { return p ? x : 0; }
int tick(void) { return ++count; }
";

#[test]
fn conditions_that_change_something_through_a_macro_are_refused() {
    for (config, operator) in [
        ("ensure = [\"SET(result)\", \"result == 5\"]", "="),
        ("require = [\"BUMP\"]", "++"),
        ("ensure = [\"CLEAR(p) && result == 0\"]", "="),
        ("range.x = [0, \"LIMIT\"]", "+="),
        ("length.p = \"SET(x)\"", "="),
        ("[[function.f.behavior]]\nassumes = \"SET(x)\"\nensures = \"result == 5\"", "="),
    ] {
        let (text, code) = checked(HIDDEN, &format!("[function.f]\n{config}\n"));
        let expected =
            format!("a condition changes nothing, but a macro in it stands for `{operator}`");
        assert!(text.contains(&expected), "{config}: {text}");
        assert_eq!(code, Some(2), "{config}: {text}");
    }
    let config =
        "[function.f]\nrequire = [\"p\", \"MAX(x, 3) > 3\"]\nensure = [\"MAX(result, 3) > 3\"]\n";
    let (text, code) = checked(HIDDEN, config);
    assert!(text.contains("_a > _b ? _a : _b; }) > 3): holds"), "{code:?} {text}");
}

#[test]
fn conditions_that_call_their_own_function_count_what_it_changes() {
    for config in [
        "[function.tick]\nensure = [\"tick() == result + 1\"]\n",
        "function.tick = { ensure = [\"tick() == result + 1\"] }\n",
        "function.tick = { require = [\"tick() > 0\"] }\n",
        "function.tick.ensure = [\"result == tick() - 1\"]\n",
        "function.tick = { ensure = [\"old(tick()) == result - 1\"] }\n",
    ] {
        let (text, code) = checked(HIDDEN, config);
        let expected = "a condition changes nothing, but `tick` may change `count`";
        assert!(text.contains(expected), "{config}: {text}");
        assert_eq!(code, Some(2), "{config}: {text}");
    }
    let (text, _) = checked(HIDDEN, "function.f = { ensure = [\"result == f(x, p)\"] }\n");
    assert!(text.contains("(result == f(x, p)): holds"), "{text}");
}

const ENDLESS: &str = "struct list { int value; struct list *next; };
static int spins(int x) { while (x) {} return 1; }
static int counts_down(unsigned n) { for (unsigned i = n; i >= 0; i--) if (i > n + 1u) return 0; return 1; }
static int walks(const struct list *l) { for (; l; l = l->next) if (l->value < 0) return 0; return 1; }
static int calls_itself(int n) { return n == 0 ? 1 : calls_itself(n - 2); }
static int steps_over(unsigned n) { for (unsigned i = 0; i < n; i += 2) if (i > 7) return 1; return 1; }
static int is_sorted(const int *a, int n) { for (int i = 1; i < n; i++) if (a[i - 1] > a[i]) return 0; return 1; }
static int has_end(const char *s) { int n = 0; while (s[n] != 0) n++; return n >= 0; }
int f(int x, struct list *l, int *a, char *s) { return l && a && s ? x : 0; }
";

#[test]
fn conditions_that_may_run_on_are_named() {
    for condition in [
        "spins(x) && result == x + 1",
        "counts_down(x)",
        "walks(l)",
        "calls_itself(x)",
        "steps_over(x)",
        "({ int n = x; while (n != 5) n += 2; n == 5; })",
    ] {
        let config = format!("[function.f]\nensure = [\"{condition}\"]\n");
        let (text, _) = checked(ENDLESS, &config);
        let is_plain =
            text.lines().any(|line| line.contains("assertion (") && line.contains("): holds:"));
        assert!(!is_plain && !text.contains("VERDICT: true\n"), "{condition}: {text}");
    }
    for condition in ["is_sorted(a, 2) || x == x", "has_end(s) || x == x", "result == x"] {
        let config = format!(
            "[function.f]\nlength.a = 2\nrequire = [\"l && s && s[0] == 0\", \"{condition}\"]\n"
        );
        let (text, _) = checked(ENDLESS, &config);
        assert!(!text.contains("comes to an end"), "{condition}: {text}");
    }
}
