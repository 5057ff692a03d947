//! `glassbox gen` on Java: verdicts, JUnit text that compiles, bad input. Few JVMs are started.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::fs;
use std::path::{Path, PathBuf};

use glassbox_testkit::java::Jdk;
use glassbox_testkit::{Tool, require, root, run_glassbox};
use serde_json::Value;

fn example(name: &str) -> PathBuf {
    root().join("examples/java").join(name)
}

/// Runs `gen` on files; the exit code and suite.json.
fn generate(files: &[PathBuf], out: &Path, more: &[&str]) -> (Option<i32>, Value) {
    let out_text = out.display().to_string();
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    let mut args = vec!["gen", "--out", &out_text];
    args.extend(files.iter().map(String::as_str));
    args.extend_from_slice(more);
    let output = run_glassbox(&args);
    let text = fs::read_to_string(out.join("suite.json"));
    let text = text.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), serde_json::from_str(&text).expect("it is JSON"))
}

/// Verdicts of the function whose name contains `name`, counted.
fn count(suite: &Value, name: &str, verdict: &str) -> usize {
    let functions = suite["functions"].as_array().expect("a list");
    let own = functions.iter().filter(|f| f["name"].as_str().is_some_and(|n| n.contains(name)));
    let goals = own.flat_map(|function| function["goals"].as_array().into_iter().flatten());
    goals.filter(|goal| goal["verdict"] == verdict).count()
}

/// Annotations and assertions as JUnit has them, so that its jars are not needed to compile.
const JUNIT4: &[(&str, &str)] = &[
    (
        "org/junit/Test.java",
        "package org.junit; import java.lang.annotation.*;
         @Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    ),
    (
        "org/junit/Assert.java",
        "package org.junit; public class Assert {
         public static void assertEquals(long a, long b) {}
         public static void assertEquals(double a, double b, double c) {}
         public static void assertEquals(float a, float b, float c) {}
         public static void assertEquals(Object a, Object b) {}
         public static void assertArrayEquals(int[] a, int[] b) {}
         public static void assertArrayEquals(double[] a, double[] b, double c) {}
         public static void assertArrayEquals(Object[] a, Object[] b) {}
         public static void assertTrue(boolean a) {}
         public static void assertFalse(boolean a) {}
         public static void assertNull(Object a) {}
         public static void assertNotNull(Object a) {}
         public static void assertSame(Object a, Object b) {}
         public interface ThrowingRunnable { void run() throws Throwable; }
         public static <T extends Throwable> T assertThrows(Class<T> c, ThrowingRunnable r) { return null; }
         }",
    ),
];

#[test]
fn examples_are_covered_and_confirmed_on_the_jvm() {
    let Some(jdk) = Jdk::find() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["Triangle.java", "Coord.java", "Bmi.java", "Lookup.java", "Trityp.java"];
    let files: Vec<PathBuf> = names.iter().map(|name| example(name)).collect();
    let (code, suite) = generate(&files, folder.path(), &["--framework", "junit4"]);
    assert_eq!(count(&suite, "", "unknown"), 0, "{suite:#}");
    assert_eq!(code, Some(0));
    assert_eq!(count(&suite, "classify", "covered"), 22);
    assert_eq!(count(&suite, "trityp", "covered"), 34);
    assert_eq!(count(&suite, "weightCategory", "infeasible"), 1);
    assert_eq!(count(&suite, "moveY", "covered"), 8);
    for (path, text) in JUNIT4 {
        let path = folder.path().join("junit").join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
    let junit = folder.path().join("junit");
    let mut sources: Vec<PathBuf> = files;
    sources.extend(JUNIT4.iter().map(|(path, _)| junit.join(path)));
    let tests = fs::read_dir(folder.path().join("tests")).expect("tests are written");
    let is_source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "java");
    sources.extend(tests.flatten().map(|entry| entry.path()).filter(is_source));
    let classes = folder.path().join("classes");
    jdk.compile(&[], &sources, &classes);
    let text = fs::read_to_string(folder.path().join("tests/CoordGlassboxTest.java"));
    let text = text.expect("it is written");
    assert!(text.contains("new Coord("), "{text}");
    assert!(!text.contains("reflection"), "{text}");
}

const SHAPES: &str = "package shapes;
public class Shapes {
    interface Shape { double area(); }
    static class Square implements Shape {
        final double side;
        Square(double side) { this.side = side; }
        public double area() { return side * side; }
    }
    static class Disc implements Shape {
        private double radius;
        private static double limit = Math.max(3, 2) + 4;
        public double area() { return radius > limit ? 200 : 1; }
    }
    static class Node { int value; Node next; }
    private int calls;
    static int kind(Shape shape) {
        if (shape instanceof Square) return 1;
        return shape.area() > 100 ? 2 : 3;
    }
    private boolean isCycle(Node node) {
        calls++;
        return node.next == node && node.value == 7;
    }
    static int at(int[][] rows, int i) { return rows[i].length == 2 ? rows[i][1] : -1; }
    static char last(String text) { return text.charAt(text.length() - 1); }
}";

#[test]
fn objects_of_every_kind_are_made() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("Shapes.java");
    fs::write(&source, SHAPES).expect("it can be written");
    let out = folder.path().join("out");
    let more = ["--class", "shapes.Shapes", "--criterion", "branch", "--criterion", "exception"];
    let (_, suite) = generate(&[source], &out, &more);
    assert_eq!(count(&suite, "", "unknown"), 0, "{suite:#}");
    // The array that was read is read again, at the same index; the text that was measured is measured again.
    assert_eq!(count(&suite, "", "infeasible"), 3, "{suite:#}");
    let text = fs::read_to_string(out.join("tests/shapes/Shapes.java"));
    assert!(text.is_err(), "sources are not copied");
    let text = fs::read_to_string(out.join("tests/shapes/ShapesGlassboxTest.java"));
    let text = text.expect("it is written");
    for part in
        ["package shapes;", "new Shapes.Square(", "Uses reflection", "NullPointerException.class"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn inputs_that_are_not_made_prove_nothing() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("Lists.java");
    let text = "public class Lists {
        static int two(java.util.Enumeration<String> list) { return list.hasMoreElements() ? 1 : 0; }
    }";
    fs::write(&source, text).expect("it can be written");
    let (code, suite) = generate(&[source], &folder.path().join("out"), &[]);
    assert_eq!(count(&suite, "two", "unknown"), 2, "{suite:#}");
    assert_eq!(code, Some(1));
}

#[test]
fn bad_input_is_reported() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let broken = folder.path().join("Broken.class");
    fs::write(&broken, b"\xca\xfe\xba\xbe\0\0").expect("it can be written");
    let broken = broken.display().to_string();
    let source = example("Triangle.java").display().to_string();
    for args in [
        vec!["gen", &broken],
        vec!["gen", "no-such-folder/Foo.class"],
        vec!["gen", &source, "--method", "nothing"],
        vec!["gen", &source, "--class", "Nothing"],
        vec!["gen", &source, "--framework", "cmocka"],
        vec!["check", &source, "--leak"],
    ] {
        let output = run_glassbox(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn what_every_language_leaves_is_left_for_java() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (_, suite) = generate(&[example("Bmi.java")], folder.path(), &[]);
    assert!(!suite["functions"][0]["limits"].as_array().expect("a list").is_empty(), "{suite:#}");
    let times = fs::read_to_string(folder.path().join("times.json")).expect("times are left");
    let times: Value = serde_json::from_str(&times).expect("it is JSON");
    assert!(times["functions"][0]["replay"].as_u64().expect("a number") > 0, "{times}");
}

#[test]
fn conditions_are_spelled_as_the_source_does() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let out = tempfile::tempdir().expect("a folder");
    let more = ["--no-exec", "--framework", "plain"];
    let (_, suite) = generate(&[example("Lookup.java")], out.path(), &more);
    let functions = suite["functions"].as_array().expect("a list");
    let goals = functions.iter().flat_map(|it| it["goals"].as_array().into_iter().flatten());
    let texts: Vec<&str> = goals.filter_map(|goal| goal["text"].as_str()).collect();
    for wanted in [
        "text != null is true",
        "text.length() == 5 is true",
        "text.charAt(0) == 'h' is true",
        "text.charAt(4) == 'o' is false",
        // The compiler opens the box.
        "points >= 90 is true",
    ] {
        assert!(texts.contains(&wanted), "{wanted}: {texts:#?}");
    }
}
