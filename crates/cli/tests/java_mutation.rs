//! Mutants of Java methods: killed by a test or proved equivalent, and refused by name where calls cannot be compared.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::collections::BTreeMap;

use glassbox_testkit::{Tool, command::run_glassbox_in, folder, require};
use serde_json::Value;

fn run(source: &str, args: &[&str]) -> (tempfile::TempDir, String, Option<i32>) {
    let place = folder::with_files(&[("T.java", source)]);
    let output = run_glassbox_in(place.path(), [args, &["--out", "out"]].concat());
    let printed = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (place, printed, output.status.code())
}

fn mutants(place: &tempfile::TempDir) -> Vec<Value> {
    let text = std::fs::read_to_string(place.path().join("out/mutation.json")).unwrap_or_default();
    let report: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let files = report["files"].as_object().cloned().unwrap_or_default();
    let lists = files.values().filter_map(|file| file["mutants"].as_array());
    lists.flatten().cloned().collect()
}

/// How many mutants have each status, by operator.
fn counts(mutants: &[Value]) -> BTreeMap<(String, String), usize> {
    let mut counts = BTreeMap::new();
    let word = |mutant: &Value, key: &str| mutant[key].as_str().unwrap_or_default().to_owned();
    for mutant in mutants {
        *counts.entry((word(mutant, "mutatorName"), word(mutant, "status"))).or_default() += 1;
    }
    counts
}

const CLAMP: &str = "final class T {\n  static int clamp(int x, int low, int high) {\n    if (x < low) return low;\n    if (x > high) return high;\n    return x;\n  }\n}\n";

#[test]
fn every_mutant_of_a_small_method_is_decided() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let (place, printed, code) =
        run(CLAMP, &["mutate", "T.java", "--operators", "ror,uoi,constant"]);
    let found = mutants(&place);
    assert!(!found.is_empty(), "{printed}");
    let counts = counts(&found);
    let of = |operator: &str, status: &str| {
        counts.get(&(operator.to_owned(), status.to_owned())).copied().unwrap_or(0)
    };
    // `x >= high` returns the same; every other change of a comparison shows. Nothing but the result can differ.
    assert_eq!((of("ror", "Killed"), of("ror", "Ignored")), (9, 1), "{counts:?} {printed}");
    assert!(printed.contains("`jump if <`: equivalent: proved"), "{printed}");
    assert_eq!(of("uoi", "Survived") + of("constant", "Survived"), 0, "{counts:?} {printed}");
    assert_eq!(code, Some(0), "{printed}");
}

#[test]
fn exceptions_arrays_and_connectives_count() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class T {\n  static int at(int[] a, int i) { return a[i] / i; }\n  \
                  static boolean both(boolean p, int x) { return p && x > 3; }\n  \
                  static void put(int[] a) { a[0] = 7; }\n}\n";
    let (place, printed, _) = run(source, &["mutate", "T.java"]);
    let found = mutants(&place);
    let counts = counts(&found);
    assert!(counts.contains_key(&("aor".to_owned(), "Killed".to_owned())), "{counts:?} {printed}");
    assert!(counts.contains_key(&("lcr".to_owned(), "Killed".to_owned())), "{counts:?} {printed}");
    let deleted = counts.get(&("deletion".to_owned(), "Killed".to_owned()));
    assert_eq!(deleted, Some(&1), "{counts:?} {printed}");
}

#[test]
fn what_cannot_be_compared_is_named() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class T {\n  static int size(Object o, int n) { return n + 1; }\n}\n";
    let (_place, printed, code) = run(source, &["mutate", "T.java"]);
    assert_eq!(code, Some(1), "{printed}");
    let why = "unknown: it cannot be compared: `o` is an object, a `java.lang.Object`";
    assert!(printed.contains(why), "{printed}");
}

/// Runs `mutate` with tests of the user, which are in `Suite.java`.
fn given(source: &str, suite: &str, command: &str) -> (tempfile::TempDir, String, Option<i32>) {
    let place = folder::with_files(&[("T.java", source), ("Suite.java", suite)]);
    let args = ["mutate", "T.java", "--tests", command, "--no-exec", "-v", "--out", "out"];
    let output = run_glassbox_in(place.path(), args);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (place, printed, output.status.code())
}

const BUILD_AND_RUN: &str =
    "test -d classes || javac -d classes T.java Suite.java && java -ea -cp classes Suite";

#[test]
fn tests_of_the_user_see_mutants_that_an_agent_loads() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class T {\n  static long pick(int x, long y, boolean b) {\n    \
                  if (b && x > 3) return y + 70000;\n    return y;\n  }\n}\n";
    let suite = "class Suite { public static void main(String[] a) {\n\
                 assert T.pick(5, 1, true) == 70001; assert T.pick(5, 1, false) == 1; } }\n";
    let (place, printed, code) = given(source, suite, BUILD_AND_RUN);
    assert_eq!(code, Some(0), "{printed}");
    // A changed jump to a place without a frame, a number that needs an entry in the pool, one more instruction.
    for killed in
        ["lcr in T.pick(IJZ)J: `&&` becomes `||`", "`70000L` becomes `70001L`", "`y` becomes `-y`"]
    {
        let line = printed.lines().find(|line| line.contains(killed)).unwrap_or_default();
        assert!(line.contains("killed by the given tests"), "{killed}: {printed}");
    }
    // No test has 4 in the place of `x`, and `gen` finds what tells them apart.
    let missed = "`jump if <=` becomes `jump if <`";
    let line = printed.lines().find(|line| line.contains(missed)).unwrap_or_default();
    assert!(line.contains("killed by pick_returns1: "), "{printed}");
    assert!(!place.path().join("classes").exists(), "the folder of the user is as it was");
}

#[test]
fn tests_of_the_user_that_cannot_judge_are_refused() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let suite =
        "class Suite { public static void main(String[] a) { assert T.clamp(3, 1, 5) == 4; } }\n";
    let (_place, printed, code) = given(CLAMP, suite, BUILD_AND_RUN);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("the tests fail before any mutant is made"), "{printed}");
    let (_place, printed, code) = given(CLAMP, suite, "true");
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("the tests use nothing that has mutants: `true`"), "{printed}");
}

#[test]
fn a_variable_that_is_not_set_on_every_way_keeps_its_assignments() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class T {\n  static int f(boolean b) {\n    int x;\n    if (b) x = 1; else x = 2;\n    \
                  int y = x;\n    if (b) y = 4;\n    return x + y;\n  }\n}\n";
    let (place, printed, code) = run(source, &["mutate", "T.java", "--operators", "deletion"]);
    let found = mutants(&place);
    assert_eq!((found.len(), code), (1, Some(0)), "{printed}");
    assert_eq!(found[0]["location"]["start"]["line"], 6, "{printed}");
}

#[test]
fn mutants_of_java_are_goals_of_gen() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let (place, printed, code) = run(CLAMP, &["gen", "T.java", "--criterion", "mutation"]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("17 goals: 16 covered by"), "{printed}");
    let text = std::fs::read_to_string(place.path().join("out/suite.json")).unwrap_or_default();
    assert!(text.contains("/mutation/") && text.contains("jump if"), "{printed}");
}

/// What is not compared is no proof without bounds.
#[test]
fn effects_that_are_not_compared_are_named() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let methods = [
        "static int ends(int x) { if (x == 4) System.exit(2); return 0; }",
        "static int again(int n) { n &= 3; if (n == 0) return 0; return again(n - 1); }",
        "static int $count; static void counts(int x) { $count = x + 1; }",
        "static int[] a = {1, 2}, b = a; static void apart(int x) { if (x > 3) b = new int[] {1, 2}; }",
        "static int fails(int x) { if (x > 5) throw new IllegalStateException(\"\" + x); return x; }",
    ];
    for method in methods {
        let source = format!("final class T {{ {method} }}\n");
        let (_place, printed, _) = run(&source, &["mutate", "T.java", "-v", "--timeout", "3"]);
        assert!(printed.contains("mutants"), "{printed}");
        assert!(!printed.contains("equivalent: proved"), "{method}: {printed}");
    }
}

#[test]
fn fields_that_are_only_written_are_no_proof() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source =
        "final class T {\n  static int own;\n  static void f(int x) { if (x > 0) own = 0; }\n}\n";
    let (_place, printed, _) = run(source, &["mutate", "T.java", "--operators", "deletion"]);
    assert!(printed.contains("equivalent-within bounds: "), "{printed}");
    assert!(
        printed.contains("fields that are written and not read begin with their default"),
        "{printed}"
    );
}

/// The names of tests that kill mutants.
fn killers(place: &tempfile::TempDir) -> Vec<String> {
    let text = std::fs::read_to_string(place.path().join("out/mutation.json")).unwrap_or_default();
    let report: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let files = report["testFiles"].as_object().cloned().unwrap_or_default();
    let tests = files.values().filter_map(|file| file["tests"].as_array()).flatten();
    let names: BTreeMap<String, String> = tests
        .filter_map(|test| {
            Some((test["id"].as_str()?.to_owned(), test["name"].as_str()?.to_owned()))
        })
        .collect();
    let all = mutants(place);
    let killed = all.iter().filter_map(|mutant| mutant["killedBy"].as_array()).flatten();
    killed.filter_map(|id| names.get(id.as_str()?).cloned()).collect()
}

/// A mutant is killed by what a written test asserts, and by nothing else.
#[test]
fn only_written_tests_kill() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    // What a class below has in the place of the method is not the method; `y` is dead.
    let overridden = "class T {\n  int f(int x) { int y = x; if (y < 0) y = -y; return 3; }\n}\n\
                      class B extends T { int f(int x) { return 7; } }\n";
    // The first call starts another class, whose initializer changes what the second one sees.
    let starting = "class P { static { T.c = 1; } }\nclass T {\n  static int c;\n  \
                    static int f(int x) { new P(); int y = x + 1; return c; }\n}\n";
    for (source, n_killed) in [(overridden, 3), (starting, 0)] {
        let (place, printed, _) =
            run(source, &["mutate", "T.java", "--class", "T", "--method", "f"]);
        let found = mutants(&place);
        let is_killed = |mutant: &&Value| mutant["status"] == "Killed";
        assert_eq!(found.iter().filter(is_killed).count(), n_killed, "{printed}");
        assert!(found.len() > n_killed, "{printed}");
        let tests = place.path().join("out/tests/TGlassboxTest.java");
        let text = std::fs::read_to_string(tests).unwrap_or_default();
        let killers = killers(&place);
        assert_eq!(killers.len(), n_killed, "{printed}");
        for name in killers {
            assert!(text.contains(&format!(" {name}(")), "{name}: {text} {printed}");
        }
    }
}

/// Static fields begin as their class starts, whatever tests before did, and are asserted afterwards.
#[test]
fn differences_in_static_fields_are_seen() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "class T {\n  static int c = 4;\n  private static long d;\n  static final int[] e = {1};\n  \
                  static void set(int x) { c = x + 1; }\n  static void hide(int x) { d = x * 2L; }\n  \
                  static void zero(int x) { if (x > 3) c = 0; }\n  static void fill(int x) { e[0] = x - 1; }\n}\n";
    let (place, printed, _) = run(source, &["mutate", "T.java", "--class", "T"]);
    let test = place.path().join("out/tests/TGlassboxTest.java");
    let text = std::fs::read_to_string(test).unwrap_or_default();
    for method in ["set", "hide", "zero"] {
        let head = format!("T.{method}(I)V: ");
        let is_its = |line: &&str| line.starts_with(&head) && line.contains(" mutants: ");
        let line = printed.lines().find(is_its);
        assert!(line.is_some_and(|line| line.ends_with("(score 100.0 %)")), "{method}: {printed}");
    }
    assert!(text.contains("T.c = 4;") && text.contains(", T.c);"), "{text}");
    assert!(text.contains("get(null, \"T\", \"d\")"), "{text}");
    // Arrays in static fields are not looked at.
    assert!(printed.contains("the difference that was found does not show in a test"), "{printed}");
}

/// What a class sets in another one depends on which tests have started it.
#[test]
fn static_fields_that_other_classes_set_are_not_asserted() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "class A { static int g; static { Z.f = 50; } }\nclass R {\n  static int n = 3;\n  \
                  static int next() { return ++n; }\n}\n\
                  class Z {\n  static final int id = R.next();\n  static int f = 1;\n  static int own = 2;\n  \
                  static void set(int x) { if (x == 9) A.g = 1; else f = f * 2 + x; own = x + 4; R.next(); }\n}\n";
    let (place, printed, _) = run(source, &["mutate", "T.java", "--class", "Z", "--method", "set"]);
    let test = place.path().join("out/tests/ZGlassboxTest.java");
    let text = std::fs::read_to_string(test).unwrap_or_default();
    assert!(text.contains(", Z.own);"), "{text} {printed}");
    assert!(!text.contains("Z.f)") && !text.contains("R.n)"), "{text}");
    // What else is not confirmed kills nothing; what is asserted does.
    let is_killed = |mutant: &&Value| mutant["status"] == "Killed";
    assert!(mutants(&place).iter().filter(is_killed).count() > 0, "{printed}");
}

#[test]
fn mutants_that_never_end_are_killed_by_time() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class T {\n  static int sum(int n) {\n    int s = 0;\n    \
                  for (int i = 0; i < (n & 7); i++) s += i;\n    return s;\n  }\n}\n";
    let (place, printed, code) =
        run(source, &["mutate", "T.java", "--operators", "aor,deletion", "--no-exec"]);
    let is_endless = |mutant: &&Value| mutant["status"] == "Timeout";
    assert_eq!(mutants(&place).iter().filter(is_endless).count(), 2, "{printed}");
    assert_eq!(code, Some(0), "{printed}");
}
