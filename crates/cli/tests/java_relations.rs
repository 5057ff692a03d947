//! Relations between calls of Java methods: proved, refuted, tried with the inputs of tests, or refused with a place.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::process::Output;

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
            if property["kind"] == "assertion" {
                let (text, verdict) = (word(&property["text"]), word(&property["verdict"]));
                found.push((word(&function["entry"]), text, verdict));
            }
        }
    }
    found
}

#[test]
fn the_programs_of_the_papers_keep_their_symmetries_and_their_twins_do_not() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let corpus = root().join("corpus/relations/java");
    let (_out, output) = run_glassbox_aside(&corpus, &["check", "Symmetry.java", "--json"]);
    assert_eq!(output.status.code(), Some(3), "{}", printed(&output));
    let found = relations(&output);
    let of = |name: &str| -> Vec<&str> {
        let is_its = |entry: &str| entry.contains(&format!(".{name}("));
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
        printed(&output).contains(
            "glassbox.toml:4: symmetric x, y: sub(y, x) is sub(x, y): violated with this"
        ),
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
