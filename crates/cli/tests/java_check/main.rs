//! `glassbox check` for Java: what the JVM throws, failing assertions, exceptions of the library; what is caught or
//! declared is no error. And what `gen` says of assertions and of classes that are not loaded.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

mod identity;
mod initializers;
mod reached;
mod surroundings;

use std::fs;
use std::path::Path;
use std::process::Output;

use glassbox_testkit::{Tool, command::glassbox, folder, require};
use serde_json::Value;

/// Runs a command on one class and reads what it leaves.
fn run(folder: &Path, args: &[&str]) -> (Output, Value) {
    let output = glassbox()
        .args(args)
        .args(["--timeout", "10", "--jobs", "1"])
        .current_dir(folder)
        .output()
        .expect("it starts");
    let text = fs::read_to_string(folder.join("glassbox-out/suite.json"));
    let text = text.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (output, serde_json::from_str(&text).expect("it is JSON"))
}

/// Kind and verdict of what is said about a line.
fn said(suite: &Value, line: u64) -> Vec<(String, String)> {
    let functions = suite["functions"].as_array().expect("a list");
    let goals = functions.iter().flat_map(|f| f["goals"].as_array().into_iter().flatten());
    let text = |goal: &Value, key: &str| goal[key].as_str().unwrap_or_default().to_owned();
    goals
        .filter(|goal| goal["line"] == line)
        .map(|goal| (text(goal, "kind"), text(goal, "verdict")))
        .collect()
}

fn has(suite: &Value, line: u64, kind: &str, verdict: &str) -> bool {
    said(suite, line).contains(&(kind.to_owned(), verdict.to_owned()))
}

fn is_violated(suite: &Value, line: u64) -> bool {
    said(suite, line).iter().any(|(_, verdict)| verdict == "violated")
}

const BMI: &str = "public class BMI {
  public enum Category { UNDERWEIGHT, NORMAL, OVERWEIGHT }
  public static Category weightCategory(double mass, double length) {
    assert mass > 0.0;
    assert length > 0.0;
    double bmi = mass / (length * length);
    if (bmi < 18.5) return Category.UNDERWEIGHT;
    else if (bmi < 25.0) return Category.NORMAL;
    else return Category.OVERWEIGHT;
  }
}
";

#[test]
fn failing_assertions_are_outcomes_of_tests() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let folder = folder::with_files(&[("BMI.java", BMI)]);
    let (output, suite) = run(folder.path(), &["gen", "BMI.java", "--framework", "junit4"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let test = folder.path().join("glassbox-out/tests/BMIGlassboxTest.java");
    let test = fs::read_to_string(test).expect("tests are written");
    assert_eq!(test.matches("@Test").count(), 5, "{test}");
    assert_eq!(test.matches("assertThrows(AssertionError.class").count(), 2, "{test}");
    for line in [4, 5, 7, 8] {
        let said = said(&suite, line);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said.iter().all(|(_, verdict)| verdict == "covered"), "{said:?}");
    }
    let off = ["gen", "BMI.java", "--framework", "junit4", "--assertions", "off"];
    let (output, suite) = run(folder.path(), &off);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(said(&suite, 4).iter().all(|(_, verdict)| verdict == "infeasible-within"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("the JVM skips `assert`"), "{printed}");
}

#[test]
fn assertions_are_properties() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let folder = folder::with_files(&[("BMI.java", BMI)]);
    let (output, suite) = run(folder.path(), &["check", "BMI.java"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(has(&suite, 4, "assertion", "violated"), "{suite:#}");
    assert!(has(&suite, 5, "assertion", "violated"), "{suite:#}");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        printed.contains("(assert mass > 0.0): violated by BMI.weightCategory(double, double)")
    );
    assert!(printed.contains("confirmed: the JVM throws java.lang.AssertionError"), "{printed}");
    assert!(printed.contains("assumes: the JVM evaluates `assert`"), "{printed}");
    assert!(printed.ends_with("VERDICT: false\n"), "{printed}");
    let (output, _) = run(folder.path(), &["check", "BMI.java", "--assertions", "off"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn what_the_jvm_throws_is_an_error() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Errors {
  static int divide(int a, int b) {
    return a / b;
  }
  static int first(int[] a) {
    return a[0];
  }
  static String cast(Object o) {
    return (String) o;
  }
  static int[] make(int n) {
    return new int[n];
  }
  static void store(Object[] a, Object o) {
    if (a != null && a.length > 0)
      a[0] = o;
  }
  static int parse(String s) {
    return Integer.parseInt(s);
  }
  private static int helper(int[] a) {
    return a[1];
  }
  static int fine() {
    return helper(new int[2]);
  }
  static int sum(int[] a) {
    if (a == null) return 0;
    int s = 0;
    for (int i = 0; i < a.length; i++)
      s += a[i];
    return s;
  }
}
";
    let folder = folder::with_files(&[("Errors.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "Errors.java"]);
    assert_eq!(output.status.code(), Some(3));
    for (line, kind) in [
        (3, "division-by-zero"),
        (6, "null-dereference"),
        (6, "out-of-bounds"),
        (9, "class-cast"),
        (12, "negative-array-size"),
        (16, "array-store"),
        (19, "uncaught-exception"),
    ] {
        assert!(has(&suite, line, kind, "violated"), "line {line}: {:?}", said(&suite, line));
    }
    // A private method is called with what its callers pass.
    assert!(has(&suite, 22, "out-of-bounds", "holds"), "{:?}", said(&suite, 22));
    // A proof for arrays of every length.
    assert!(has(&suite, 31, "out-of-bounds", "holds"), "{:?}", said(&suite, 31));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(
        printed.matches("violated by").count(),
        printed.matches("[confirmed: the JVM throws").count(),
        "{printed}"
    );
    let test = folder.path().join("glassbox-out/tests/ErrorsGlassboxTest.java");
    let test = fs::read_to_string(test).expect("counter-examples are tests");
    assert!(test.contains("ArithmeticException.class"), "{test}");
}

#[test]
fn what_is_caught_or_meant_is_no_error() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "import java.util.Objects;
public class Meant {
  static int caught(byte b) {
    try {
      return 1 / b;
    } catch (ArithmeticException e) {
      return 10 / (b + 1);
    }
  }
  static int other(byte b) {
    try {
      return 1 / b;
    } catch (NullPointerException e) {
      return 0;
    }
  }
  static int last(byte b) {
    int k = 0;
    try {
      k = 1 / b;
    } finally {
      k++;
    }
    return k;
  }
  static int helper(byte b) {
    return 7 / b;
  }
  static int callee(byte b) {
    try {
      return helper(b);
    } catch (RuntimeException e) {
      return 1 / b;
    }
  }
  static int declared(byte b) throws ArithmeticException {
    return 1 / b;
  }
  static int checked(byte b) {
    if (b == 3) throw new IllegalArgumentException();
    return b;
  }
  static int required(Integer o) {
    Objects.requireNonNull(o);
    return 1;
  }
  static class Init { static int k = 1 / Integer.parseInt(\"0\"); }
  static int initialized() {
    return Init.k;
  }
}
";
    let folder = folder::with_files(&[("Meant.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Meant.java"]);
    let expected = [(5, false), (7, false), (12, true), (20, true), (27, true), (33, true)];
    for (line, is_wrong) in expected {
        assert_eq!(is_violated(&suite, line), is_wrong, "line {line}: {:?}", said(&suite, line));
    }
    assert!(has(&suite, 5, "division-by-zero", "holds"), "{:?}", said(&suite, 5));
    for line in [37, 40, 44] {
        assert!(!is_violated(&suite, line), "line {line}: {:?}", said(&suite, line));
    }
    assert!(has(&suite, 47, "division-by-zero", "violated"), "{:?}", said(&suite, 47));
    let (_, suite) = run(folder.path(), &["check", "Meant.java", "--uncaught"]);
    assert!(has(&suite, 40, "uncaught-exception", "violated"), "{:?}", said(&suite, 40));
}

#[test]
fn overflow_is_an_error_where_that_is_asked() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Sum {
  static int sum(int a, int b) {
    return a + b;
  }
}
";
    let folder = folder::with_files(&[("Sum.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "Sum.java"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(said(&suite, 3), []);
    let (output, suite) = run(folder.path(), &["check", "Sum.java", "--overflow", "report"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(has(&suite, 3, "signed-overflow", "violated"), "{:?}", said(&suite, 3));
}

#[test]
fn states_that_only_reflection_makes_violate_nothing() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Stack {
  private int n;
  private int[] data = new int[4];
  public int peek() {
    return data[n];
  }
}
";
    let folder = folder::with_files(&[("Stack.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "Stack.java"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(has(&suite, 5, "out-of-bounds", "unknown"), "{:?}", said(&suite, 5));
}

#[test]
fn classes_that_are_not_loaded_refute_nothing() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Open {
  interface Mark { }
  static int number(Number n) {
    if (n instanceof Integer) return 1;
    return 0;
  }
  static int runnable(Object o) {
    if (o instanceof Runnable) return 1;
    return 0;
  }
  static int marked(Object o) {
    if (o instanceof Mark) return 1;
    return 0;
  }
  static int flag(Boolean b) {
    if (b == Boolean.TRUE) return 1;
    return 0;
  }
}
";
    let folder = folder::with_files(&[("Open.java", source)]);
    let (_, suite) = run(folder.path(), &["gen", "Open.java", "--framework", "plain"]);
    let covered = ("branch".to_owned(), "covered".to_owned());
    assert_eq!(said(&suite, 4), [covered.clone(), covered], "an Integer is a Number");
    for line in [8, 12, 16] {
        let said = said(&suite, line);
        assert!(said.iter().all(|(_, verdict)| verdict != "infeasible"), "{line}: {said:?}");
    }
}

/// A subclass may answer for `this`, and what a final field refers to may change.
#[test]
fn subclasses_and_contents_of_static_objects_are_not_known() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Base {
  static final int[] TABLE = {1, 2, 3};
  static final String NAME = \"base\";
  int divisor() { return 1; }
  public int divided() { return 10 / divisor(); }
  public boolean isBase() { assert getClass() == Base.class; return true; }
  public static int first() { return 10 / TABLE[0]; }
  public static int length() { return 10 / NAME.length(); }
}
";
    let folder = folder::with_files(&[("Base.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "Base.java"]);
    for line in [5, 6, 7] {
        let said = said(&suite, line);
        assert!(said.iter().all(|(_, verdict)| verdict != "holds"), "{line}: {said:?}");
    }
    assert!(has(&suite, 8, "division-by-zero", "holds"), "{suite:#}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("VERDICT: true"));
}
