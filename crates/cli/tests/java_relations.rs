//! Relations between calls of Java methods: proved, refuted, tried with the inputs of tests, or refused with a place.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::process::{Command, Output};

use glassbox_testkit::{Tool, command::run_glassbox_aside, folder::with_files, require, root};
use serde_json::Value;

fn printed(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!("{}{}", String::from_utf8_lossy(out), String::from_utf8_lossy(err))
}

/// Verdicts of relations by method: what their texts begin with, and the verdict.
fn relations(output: &Output) -> Vec<(String, String, String)> {
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut found = Vec::new();
    for function in summary["functions"].as_array().into_iter().flatten() {
        for property in function["properties"].as_array().into_iter().flatten() {
            if property["kind"] == "relation" {
                let (text, verdict) = (word(&property["text"]), word(&property["verdict"]));
                found.push((word(&function["entry"]), text, verdict));
            }
        }
    }
    found
}

/// What the relations of a method rest on, by its name; `None` where one of them does not hold.
fn bounds(output: &Output, method: &str) -> Option<Vec<String>> {
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let functions = summary["functions"].as_array().into_iter().flatten();
    let is_its = |it: &&Value| {
        it["entry"].as_str().is_some_and(|entry| {
            let (class, name) = method.rsplit_once('.').unwrap_or_default();
            entry.starts_with(&format!("{class}.relation_"))
                && entry.contains(&format!("_of_{name}("))
        })
    };
    let mut found = Vec::new();
    let properties: Vec<&Value> = functions
        .filter(is_its)
        .flat_map(|it| it["properties"].as_array().into_iter().flatten())
        .collect();
    for property in &properties {
        if !matches!(property["verdict"].as_str(), Some("holds" | "holds-within")) {
            return None;
        }
        let bounds = property["bounds"].as_array().into_iter().flatten();
        found.extend(bounds.filter_map(|it| it.as_str()).map(str::to_owned));
    }
    (!properties.is_empty()).then_some(found)
}

#[test]
fn the_programs_of_the_papers_keep_their_symmetries_and_their_twins_do_not() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let corpus = root().join("corpus/relations/java");
    // What the methods do otherwise is not looked at here.
    let args = ["check", "Symmetry.java", "--assertions-only", "--json"];
    let (_out, output) = run_glassbox_aside(&corpus, &args);
    assert_eq!(output.status.code(), Some(3), "{}", printed(&output));
    let found = relations(&output);
    let of = |name: &str| -> Vec<&str> {
        let is_its = |entry: &str| entry.contains(&format!("_of_{name}("));
        let own = found.iter().filter(|(entry, ..)| is_its(entry));
        own.map(|(.., verdict)| verdict.as_str()).collect()
    };
    assert_eq!(of("mid"), ["holds", "holds", "holds"], "{found:?}");
    for name in ["sort", "copy", "replaceAll", "getIndex0", "arrayFindByte", "max3"] {
        assert_eq!(of(name), ["holds", "holds"], "{name} of {found:?}");
    }
    assert_eq!(of("twice"), ["holds"], "{found:?}");
    let broken = [
        "mid1",
        "sortNothing",
        "copy1",
        "replaceFirst",
        "getIndex0Late",
        "arrayFindByte1",
        "max3Forgets",
        "twiceWrong",
    ];
    for name in broken {
        assert!(of(name).contains(&"violated"), "{name} of {found:?}");
    }
}

#[test]
fn tests_try_relations_and_fields_are_put_back() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class Counter {\n  int n;\n  int add(int x, int y) { n = n + 1; return n + x + y; }\n  \
                  int sub(int x, int y) { n = n + 1; if (x > 9) return n; return n + x - y; }\n}\n";
    let config = "[function.\"Counter.add\"]\nsymmetric = [\"x\", \"y\"]\n[function.\"Counter.sub\"]\n\
                  symmetric = [\"x\", \"y\"]\n";
    let folder = with_files(&[("Counter.java", source), ("glassbox.toml", config)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "Counter.java", "--json"]);
    let found = relations(&output);
    let verdicts: Vec<&str> = found.iter().map(|(.., verdict)| verdict.as_str()).collect();
    assert_eq!(verdicts, ["holds", "violated"], "{}", printed(&output));
    let (_out, output) =
        run_glassbox_aside(folder.path(), &["gen", "Counter.java", "--method", "sub"]);
    assert_eq!(output.status.code(), Some(3), "{}", printed(&output));
    assert!(
        printed(&output).contains("symmetric x, y: sub(y, x) is sub(x, y): violated with this"),
        "{}",
        printed(&output)
    );
}

#[test]
fn exceptions_are_outcomes() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class E {\n  static int f(int x) { if (x == 77) throw new IllegalStateException(); return x; }\n  \
                  static int g(int x) { return x; }\n  \
                  static int h(int x) { if (x == 77) throw new IllegalStateException(); return x + 0; }\n}\n";
    let config = "[function.\"E.f\"]\nreference = \"g\"\n[function.\"E.h\"]\nreference = \"E.f\"\n";
    let folder = with_files(&[("E.java", source), ("glassbox.toml", config)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "E.java", "--json"]);
    let found = relations(&output);
    let verdicts: Vec<&str> = found.iter().map(|(.., verdict)| verdict.as_str()).collect();
    assert_eq!(verdicts, ["violated", "holds"], "{}", printed(&output));
}

/// Another caller may have left another value there.
#[test]
fn fields_that_are_only_written_begin_with_what_initialization_gives_them() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class S {\n  static int own;\n  \
                  static int f(int x) { if (x > 0) own = 0; return x; }\n  static int g(int x) { return x; }\n}\n";
    let config = "[function.\"S.f\"]\nreference = \"g\"\n";
    let folder = with_files(&[("S.java", source), ("glassbox.toml", config)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "S.java", "--json"]);
    let found = relations(&output);
    let verdicts: Vec<&str> = found.iter().map(|(.., verdict)| verdict.as_str()).collect();
    assert_eq!(verdicts, ["holds-within"], "{}", printed(&output));
}

#[test]
fn relations_that_make_no_sense_are_refused_with_their_place() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class F {\n  static int[] last;\n  static Object o;\n  static int f(int x, long y) { return x; }\n  \
                  static long g(int x, long y) { return x; }\n}\nfinal class G {\n  \
                  static int h(Object x) { return 1; }\n  static int k(int[] a) { return a[0]; }\n}\n";
    let complaint = |source: &str, config: &str| {
        let folder = with_files(&[("F.java", source), ("glassbox.toml", config)]);
        let (_out, output) = run_glassbox_aside(folder.path(), &["check", "F.java"]);
        assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
        printed(&output)
    };
    let text = complaint(source, "[function.\"F.f\"]\nsymmetric = [\"x\", \"y\"]\n");
    assert!(
        text.contains("glassbox.toml:2:15: error: calls of `f` cannot be compared: the field `o`"),
        "{text}"
    );
    let source = &source.replace("  static Object o;\n", "");
    let text = complaint(source, "[function.\"F.f\"]\nsymmetric = [\"x\", \"y\"]\n");
    assert!(text.contains("`x` and `y` have different types"), "{text}");
    let text = complaint(source, "[function.\"F.f\"]\nsymmetric = [\"x\", \"z\"]\n");
    assert!(text.contains("`f` has no parameter `z`"), "{text}");
    let text = complaint(source, "[function.\"F.f\"]\nreference = \"g\"\n");
    assert!(text.contains("`f` and `g` have different types"), "{text}");
    let text = complaint(source, "[function.\"F.f\"]\nreference = \"nothing\"\n");
    assert!(text.contains("no method `nothing` is known here"), "{text}");
    let text = complaint(source, "[function.\"F.f\"]\npermute.x = \"natural\"\n");
    assert!(text.contains("`x` is no array"), "{text}");
    let text = complaint(source, "[function.\"G.h\"]\nreference = \"G.k\"\n");
    assert!(text.contains("`x` is an object, a `java.lang.Object`"), "{text}");
    let text = complaint(source, "[function.\"G.k\"]\nrelate = [\"k(a) == k(a)\"]\n");
    assert!(text.contains("an expression over calls would depend on their order"), "{text}");
}

#[test]
fn statics_of_the_class_path_that_calls_change_are_refused() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(path, text).expect("writable");
    };
    let library = "package lib; public class Lib { public static int ticks; public static int tick(int x) { ticks++; return x; } public static int same(int x) { return x; } }";
    write("lib/Lib.java", library);
    write(
        "own/A.java",
        "import lib.Lib; public class A { static int f(int x, int y) { return Lib.tick(x) & y; } static int g(int x, int y) { return Lib.same(x) & y; } }",
    );
    let built = |args: &[&str]| {
        let status =
            std::process::Command::new("javac").args(args).current_dir(folder.path()).status();
        assert!(status.is_ok_and(|status| status.success()), "{args:?}");
    };
    built(&["-g", "-d", "classes", "lib/Lib.java"]);
    built(&["-g", "-cp", "classes", "-d", "own", "own/A.java"]);
    for (method, expected) in [
        (
            "f",
            "the calls cannot be compared: `Lib.tick` changes `lib.Lib.ticks` of the class path, which is not put back",
        ),
        ("g", "holds"),
    ] {
        write("glassbox.toml", &format!("[function.\"A.{method}\"]\nsymmetric = [\"x\", \"y\"]\n"));
        let args = ["check", "own/A.class", "--classpath", "classes", "--config", "glassbox.toml"];
        let (_, output) = run_glassbox_aside(folder.path(), &args);
        let text = printed(&output);
        assert!(text.contains(expected), "{method}: {text}");
    }
}

/// What a comparison does not look at is named.
#[test]
fn what_is_not_compared_is_named() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let cases = [
        (
            "static int f(int x) { System.out.println(x); return x; } static int g(int x) { return x; }",
            "output is not compared",
        ),
        (
            "static int f(int x) { if (x == 5) System.exit(1); return x; } static int g(int x) { return x; }",
            "no call ends the program",
        ),
        (
            "static double f(double x) { return x + 0.0; } static double g(double x) { return x; }",
            "zeros of both signs count as the same",
        ),
        (
            "static String f(String x) { return x; } static String g(String x) { return x == null ? null : new String(x); }",
            "texts are compared by their letters",
        ),
        // An object of a class below may have fields of its own, which a method that it overrides changes.
        (
            "int h(int x) { return x; } int f(int x) { return h(x); } int g(int x) { h(x); return h(x); }",
            "fields of subclasses are not compared",
        ),
    ];
    let mut source = "class B extends T4 { int n; int h(int x) { n++; return x; } }\n".to_owned();
    let mut config = String::new();
    for (number, (methods, _)) in cases.iter().enumerate() {
        source += &format!("class T{number} {{ {methods} }}\n");
        config += &format!("[function.\"T{number}.f\"]\nreference = \"g\"\n");
    }
    let folder = with_files(&[("T.java", &source), ("glassbox.toml", &config)]);
    let (_out, output) =
        run_glassbox_aside(folder.path(), &["check", "T.java", "--assertions-only", "--json"]);
    for (number, (_, expected)) in cases.iter().enumerate() {
        let found = bounds(&output, &format!("T{number}.f"));
        let is_named = found.as_ref().is_some_and(|found| found.iter().any(|it| it == expected));
        assert!(is_named, "{expected}: {found:?} {}", printed(&output));
    }
}

/// Programs that a JVM tells apart with an input that no search has: what they rest on is named, and twins of them hold without it.
#[test]
fn what_only_a_jvm_tells_apart_is_named() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class N {\n  static long f(double n) { return Double.doubleToRawLongBits(n); }\n  \
                  static long g(double n) { return Double.doubleToLongBits(n); }\n  \
                  static int h(float x) { return Float.floatToIntBits(x); }\n  \
                  static int k(float x) { return x != x ? 0x7fc00000 : Float.floatToIntBits(x); }\n}\n\
                  final class M {\n  static int f(int n) { int[] a = new int[n]; return n; }\n  \
                  static int g(int n) { return n; }\n  static int h(int n) { int[] a = new int[7]; return n + a[0]; }\n}\n\
                  interface I { void set(int x); default int f(int x) { set(x); return x; } default int g(int x) { return x; } }\n\
                  class B implements I { int v; public void set(int x) { v = x; } }\n\
                  class U { void set(int x) {} int f(int x) { set(x); return x; } int g(int x) { return x; } }\n\
                  class V extends U {}\nclass W extends V { int v; void set(int x) { v = x; } }\n\
                  final class R {\n  static int f(int x) { return x; }\n  static int g(int x) { if (x == 7) System.exit(1); return x; }\n  \
                  static int h(int x) { return x + 0; }\n}\n";
    let config = "[function.\"N.f\"]\nreference = \"g\"\n[function.\"N.h\"]\nreference = \"N.k\"\n\
                  [function.\"M.f\"]\nreference = \"g\"\nrequire = [\"n >= 0\"]\n[function.\"M.h\"]\nreference = \"M.g\"\n\
                  [function.\"I.f\"]\nreference = \"g\"\n[function.\"U.f\"]\nreference = \"g\"\n\
                  [function.\"R.f\"]\nrelate = [\"f(x) == g(x)\"]\n[function.\"R.h\"]\nrelate = [\"h(x) == f(x)\"]\n";
    let folder = with_files(&[("N.java", source), ("glassbox.toml", config)]);
    let (_out, output) =
        run_glassbox_aside(folder.path(), &["check", "N.java", "--assertions-only", "--json"]);
    for (method, expected) in [
        ("N.f", Some("a NaN has one sign and one payload")),
        ("N.h", None),
        ("M.f", Some("allocation never fails")),
        ("M.h", None),
        ("I.f", Some("fields of subclasses are not compared")),
        ("U.f", Some("fields of subclasses are not compared")),
        ("R.f", Some("no call ends the program")),
        ("R.h", None),
    ] {
        let found = bounds(&output, method);
        let is_it = found.as_ref().is_some_and(|found| match expected {
            Some(words) => found.iter().any(|it| it == words),
            None => found.is_empty(),
        });
        assert!(is_it, "{method}: {found:?} {}", printed(&output));
    }
}

/// The first call may give an array that is put back before the second one.
#[test]
fn arrays_that_calls_return_are_kept() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class A {\n  int[] t;\n  int[] f(int x, int y) {\n    if (x < y) { t[0] = 5; return t; }\n    \
                  int[] r = t; t = new int[] {5}; return r;\n  }\n  \
                  int[] g(int x, int y) { t[0] = 5; return t; }\n  int[] h(int x, int y) { t = new int[] {5}; return t; }\n}\n";
    let required = "require = [\"this.t != null && this.t.length == 1 && x != y\"]\n";
    let config = format!(
        "[function.\"A.f\"]\nsymmetric = [\"x\", \"y\"]\n{required}[function.\"A.g\"]\nreference = \"h\"\n{required}"
    );
    let folder = with_files(&[("A.java", source), ("glassbox.toml", &config)]);
    let (_out, output) =
        run_glassbox_aside(folder.path(), &["check", "A.java", "--assertions-only", "--json"]);
    let found = relations(&output);
    let verdicts: Vec<&str> = found.iter().map(|(.., verdict)| verdict.as_str()).collect();
    assert_eq!(verdicts, ["violated", "holds-within"], "{}", printed(&output));
}

/// Whatever a call throws, it does not do what the expression says.
#[test]
fn errors_break_expressions_over_calls() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class E {\n  static int f(int x) { if (x == 7) throw new Error(); return x; }\n  \
                  static int g(int x) throws Exception { if (x == 7) throw new Exception(); return x; }\n}\n";
    let config = "[function.\"E.f\"]\nrelate = [\"f(x) == x\"]\n[function.\"E.g\"]\nrelate = [\"g(x) == x\"]\n";
    let folder = with_files(&[("E.java", source), ("glassbox.toml", config)]);
    let (_out, output) = run_glassbox_aside(folder.path(), &["check", "E.java", "--json"]);
    let found = relations(&output);
    let verdicts: Vec<&str> = found.iter().map(|(.., verdict)| verdict.as_str()).collect();
    assert_eq!(verdicts, ["violated", "violated"], "{}", printed(&output));
}

const STARTS_ANOTHER: &str = "class P { static { A.c = 1; } }\nclass A {\n  static int c;\n  \
     static int f(int x, int y) { new P(); return c; }\n  static int g(int x, int y) { return c; }\n}\n";

/// A class starts once: what its initializer does is not a difference between calls.
#[test]
fn classes_start_before_calls_are_compared() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let words = "what initializers of classes do is not compared".to_owned();
    let config = "[function.\"A.f\"]\nsymmetric = [\"x\", \"y\"]\nreference = \"g\"\n";
    let folder = with_files(&[("A.java", STARTS_ANOTHER), ("glassbox.toml", config)]);
    let (_out, output) =
        run_glassbox_aside(folder.path(), &["check", "A.java", "--assertions-only", "--json"]);
    let found = bounds(&output, "A.f");
    let n_named = found.iter().flatten().filter(|it| **it == words).count();
    assert_eq!(n_named, 2, "{}", printed(&output));
    let (code, text) = compared(STARTS_ANOTHER, STARTS_ANOTHER, "A.f");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains(&words), "{text}");
}

/// Follow-up tests are written beside the others, pass in the JVM, and see private fields.
#[test]
fn follow_up_tests_are_written_and_pass() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class Pair {\n  private int n;\n  static int old(int e, int y) { return y > e ? y : e; }\n  \
                  static int most(int e, int y) { if (e > y) return e; return y; }\n  \
                  int add(int x, int y) { n = n + 1; if (x > y) return x - y + n; return y - x + n; }\n  \
                  static void sort(int[] a) { if (a[0] > a[1]) { int t = a[0]; a[0] = a[1]; a[1] = t; } }\n}\n";
    let config = "[function.\"Pair.most\"]\nsymmetric = [\"e\", \"y\"]\nreference = \"old\"\n\
                  [function.\"Pair.add\"]\nsymmetric = [\"x\", \"y\"]\n\
                  [function.\"Pair.sort\"]\nrequire = [\"a != null && a.length == 2\"]\npermute.a = \"invariant\"\n";
    let folder = with_files(&[("Pair.java", source), ("glassbox.toml", config)]);
    let (out, output) =
        run_glassbox_aside(folder.path(), &["gen", "Pair.java", "--framework", "plain"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    // The reference has goals of its own.
    assert!(printed(&output).contains("goals of `Pair.old"), "{}", printed(&output));
    let suite = std::fs::read_to_string(out.path().join("suite.json")).expect("written");
    assert!(suite.contains("\"relation\""), "{suite}");
    let tests = out.path().join("tests");
    let text = std::fs::read_to_string(tests.join("PairGlassboxTest.java")).expect("written");
    for expected in [
        "// glassbox.toml:2: symmetric e, y: most(y, e) is most(e, y)",
        "private static void relation_1_of_most(final int e, final int y)",
        "private static void relation_2_of_most(",
        "private static void relation_1_of_add(final Pair self",
        "relation_1_of_sort(",
        "_relation_1() throws",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let built = std::process::Command::new("javac")
        .args(["-d", "made"])
        .arg(folder.path().join("Pair.java"))
        .arg(tests.join("PairGlassboxTest.java"))
        .current_dir(out.path())
        .output()
        .expect("javac starts");
    assert!(built.status.success(), "{}", printed(&built));
    let ran = std::process::Command::new("java")
        .args(["-cp", "made", "PairGlassboxTest"])
        .current_dir(out.path())
        .output()
        .expect("java starts");
    let said = printed(&ran);
    assert!(ran.status.success() && said.contains("_relation_1 ok"), "{said}");
    assert!(said.contains("PairGlassboxTest: 0 of "), "{said}");
}

#[test]
fn counter_examples_of_relations_are_tests_that_the_jvm_confirms() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "final class L { static boolean less(int x, int y) { return x < y; } }\n";
    let config = "[function.\"L.less\"]\nsymmetric = [\"x\", \"y\"]\n";
    let folder = with_files(&[("L.java", source), ("glassbox.toml", config)]);
    let (out, output) = run_glassbox_aside(folder.path(), &["check", "L.java"]);
    assert_eq!(output.status.code(), Some(3), "{}", printed(&output));
    assert!(
        printed(&output).contains("confirmed: the compiled program shows it"),
        "{}",
        printed(&output)
    );
    let test = out.path().join("tests/LGlassboxTest.java");
    let text = std::fs::read_to_string(test).expect("written");
    assert!(
        text.contains("assertThrows(AssertionError.class, () -> relation_1_of_less("),
        "{text}"
    );
}

/// Verdict and words of `equiv`.
fn compared(old: &str, new: &str, method: &str) -> (Option<i32>, String) {
    let folder = with_files(&[("old/A.java", old), ("new/A.java", new)]);
    let args = ["equiv", "old/A.java", "new/A.java", "--function", method];
    let (_out, output) = run_glassbox_aside(folder.path(), &args);
    (output.status.code(), printed(&output))
}

#[test]
fn nothing_is_compared_behind_an_initializer_that_throws() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let old = "class A { static int k = Integer.parseInt(\"x\"); static int f(int x) { return x + k; } }\n";
    let (code, text) = compared(old, &old.replace("x + k", "x + k + 1"), "A.f");
    assert_eq!(code, Some(1), "{text}");
    assert!(!text.contains("does the same"), "{text}");
}

#[test]
fn two_versions_of_a_class_are_compared_with_what_they_call() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let old = "package p;\npublic class A {\n  int n;\n  static int half(int x) { return help(x); }\n  \
               static int help(int x) { return x / 2; }\n  int next(int x) { n = n + x; return n; }\n}\n";
    let new = old
        .replace("return x / 2;", "return (x - (x >> 31)) >> 1;")
        .replace("n = n + x;", "n += x;");
    let (code, text) = compared(old, &new, "half");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("half: does the same in both versions"), "{text}");
    let (code, text) = compared(old, &new, "A.next(int)");
    assert!(text.contains("does the same in both versions"), "{text}");
    assert!(matches!(code, Some(0 | 1)), "{text}");
    // Only what is called differs.
    let (code, text) = compared(old, &old.replace("return x / 2;", "return x >> 1;"), "p.A.half");
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("half: does something else with x = "), "{text}");
    // Fields are compared, not only results.
    let (code, text) = compared(
        old,
        &old.replace("n = n + x; return n;", "int r = n + x; if (x != 77) n = r; return r;"),
        "next",
    );
    assert_eq!(code, Some(3), "{text}");
}

/// The test passes with the older version and fails with the newer one, or it is said why there is none.
#[test]
fn differences_of_versions_are_tests_of_the_older_one() {
    let Some(_) = require(Tool::Jdk) else { return };
    let old = "package p;\npublic class A {\n  int n;\n  private final int k;\n  static int s = 3;\n  A(int k) { this.k = k; }\n  \
               static int half(int x) { return x / 2 + s - 3; }\n  int keep(int x) { return x; }\n  \
               int add(int x) { n = n + x; return n; }\n  \
               private int secret(int x) { if (x > 5) throw new IllegalArgumentException(); return x + k; }\n  \
               static int set(int x) { s = x; return x; }\n  private static int t;\n  \
               static int hide(int x) { t = x; return x; }\n  \
               static int fail(int x) { if (x > 5) throw new RuntimeException(); return x; }\n  \
               static int[] fill(int[] a) { if (a != null && a.length > 1) a[1] = 7; return a; }\n}\n";
    for (method, from, to, expected) in [
        ("half", "x / 2", "(x >> 1)", Some(", result);")),
        ("keep", "keep(int x) {", "keep(int x) { n = 5;", Some(", a.n);")),
        ("add", "n = n + x; return n;", "return n + x;", Some(", a.n);")),
        (
            "secret",
            "if (x > 5) throw new IllegalArgumentException();",
            "",
            Some("assertThrows(IllegalArgumentException.class"),
        ),
        ("fill", "a[1] = 7", "a[1] = 8", Some("assertArrayEquals(")),
        ("set", "s = x; return x;", "s = x + 1; return x;", Some(", A.s);")),
        ("hide", "t = x; return x;", "return x;", Some("get(null, \"p.A\", \"t\")")),
        // What tests do not assert.
        ("fail", "new RuntimeException()", "new IllegalStateException()", None),
    ] {
        let new = old.replace(from, to);
        let folder = with_files(&[("old/A.java", old), ("new/A.java", &new)]);
        let args = ["equiv", "old/A.java", "new/A.java", "--function", method];
        let args = [&args[..], &["--framework", "plain"]].concat();
        let (out, output) = run_glassbox_aside(folder.path(), &args);
        let text = printed(&output);
        assert_eq!(output.status.code(), Some(3), "{method}: {text}");
        let test = out.path().join("tests/p/AGlassboxTest.java");
        let Some(expected) = expected else {
            assert!(!test.exists(), "{method}: {text}");
            let why = "a test of it passes with both versions: tests do not show what differs";
            assert!(text.contains(why), "{method}: {text}");
            continue;
        };
        assert!(text.contains("confirmed: the compiled program shows it"), "{method}: {text}");
        let written = std::fs::read_to_string(&test).expect("written");
        assert!(written.contains(expected), "{method}: {written}");
        assert!(written.contains(&format!("{method}_as_in_the_older_version")), "{written}");
        let passes = |version: &str| {
            let classes = out.path().join(format!("classes-{version}"));
            let source = folder.path().join(version).join("A.java");
            let mut javac = Command::new("javac");
            let compiled = javac.arg("-d").arg(&classes).arg(source).arg(&test).output();
            let compiled = compiled.expect("javac starts");
            assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
            let mut java = Command::new("java");
            let ran = java.arg("-cp").arg(&classes).arg("p.AGlassboxTest").output();
            let ran = ran.expect("java starts");
            let said = printed(&ran);
            let failed = usize::from(!ran.status.success());
            assert!(said.contains(&format!("AGlassboxTest: {failed} of 1 failed")), "{said}");
            ran.status.success()
        };
        assert!(passes("old"), "{method}: {written}");
        assert!(!passes("new"), "{method}: {written}");
    }
}

#[test]
fn tests_of_differences_are_for_frameworks_of_the_language() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let old = "class A { static int f(int x) { return x; } }\n";
    let new = old.replace("return x;", "return x + 1;");
    let folder = with_files(&[("old/A.java", old), ("new/A.java", &new)]);
    let ask = |framework: &str| {
        let args = ["equiv", "old/A.java", "new/A.java", "--function", "f", "--framework"];
        run_glassbox_aside(folder.path(), &[&args[..], &[framework]].concat())
    };
    let (out, output) = ask("junit4");
    assert_eq!(output.status.code(), Some(3), "{}", printed(&output));
    let text = std::fs::read_to_string(out.path().join("tests/AGlassboxTest.java"));
    assert!(text.expect("written").contains("import org.junit.Test;"));
    let (_out, output) = ask("cmocka");
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    assert!(printed(&output).contains("tests for cmocka are for C"), "{}", printed(&output));
}

#[test]
fn versions_that_cannot_be_compared_are_refused() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let old = "class A {\n  static int t = 3;\n  static int f(int x) { return x + t; }\n  static int g(B b) { return 1; }\n  \
               static int h(int x) { return new B(x).v; }\n}\nclass B { int v; B(int x) { v = x; } }\n";
    for (new, method, expected) in [
        (
            old.replace("static int t = 3;", "static int t = 4;"),
            "f",
            "`A` is initialized otherwise",
        ),
        (old.replace("static int t = 3;", "").replace("x + t", "x + 3"), "f", "has no field `A.t`"),
        (old.replace("v = x;", "v = x + 1;"), "h", "constructors of `B` differ"),
        (old.to_owned(), "g", "`b` is an object"),
        (
            old.replace("f(int x)", "f(long x)").replace("return x + t", "return (int) x + t"),
            "f",
            "defines no method",
        ),
        (old.to_owned(), "nothing", "the newer version defines no method `nothing`"),
    ] {
        let (code, text) = compared(old, &new, method);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

/// All that code of the older version runs and reads in classes of the newer one is the same, or it is named.
#[test]
fn what_versions_share_is_the_same_in_both() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let number = |text: &str| text.replace("\"5\"", "\"6\"");
    // Behind initializers and constructors, in interfaces, in fields that hide others, and where the library calls.
    for (old, new, expected) in [
        (
            "class K { static final int k = Integer.parseInt(\"5\"); }\n\
             class A { static final int v = K.k; static int f(int x) { return v; } }\n",
            None,
            "`A` is initialized otherwise",
        ),
        (
            "interface I { int K = Integer.parseInt(\"5\"); }\n\
             class A implements I { static int f(int x) { return K; } }\n",
            None,
            "`I` is initialized otherwise",
        ),
        (
            "class K { static int k = Integer.parseInt(\"5\"); }\nclass P { int v; P() { v = K.k; } }\n\
             class A { static int f(int x) { return new P().v; } }\n",
            None,
            "constructors of `P` differ: `K` is initialized otherwise",
        ),
        (
            "class P { int v = 1; }\nclass Q extends P { }\n\
             class A { static int f(int x) { Q q = new Q(); return q.v; } }\n",
            Some(("class Q extends P { }", "class Q extends P { int v; }")),
            "the newer version has no field `P.v` of this type",
        ),
        (
            "class A { static int f(int x) { return (\"\" + new B()).length(); } }\nclass B { }\n",
            Some(("class B { }", "class B { public String toString() { return \"\"; } }")),
            "only the newer version has `B.toString`, which the library may call",
        ),
    ] {
        let new = new.map_or_else(|| number(old), |(from, to)| old.replace(from, to));
        let (code, text) = compared(old, &new, "A.f");
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(expected), "{expected}: {text}");
    }
    // A lambda of an interface of the program, and a name that a class has from the library and another one by itself.
    let same = "interface Op { int ap(int x); }\nclass E extends RuntimeException { }\n\
                class Q { public String getMessage() { return \"q\"; } }\nclass A {\n  \
                static int f(int x) { Op o = y -> y + 1; return new E().getMessage() == null ? o.ap(x) : 0; }\n}\n";
    let (code, text) = compared(same, same, "A.f");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("does the same in both versions within bounds: "), "{text}");
    let (code, text) = compared(same, &same.replace("y + 1", "y + 2"), "A.f");
    assert_eq!(code, Some(3), "{text}");
    // Objects are made by either version.
    let old = "final class A { private final int x; A() { x = Integer.parseInt(\"5\"); } int f() { return x; } }\n";
    let (code, text) = compared(old, &number(old), "A.f");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("constructors that differ between the versions"), "{text}");
    // Fields that only the newer version has and sets to constants change nothing.
    let old = "class A { static int f(int x) { return x + x; } }\n";
    let new =
        "class A { static final int T; static { T = 2; } static int f(int x) { return T * x; } }\n";
    let (code, text) = compared(old, new, "A.f");
    assert_eq!(code, Some(0), "{text}");
}
