//! Contracts and invariants of Java classes in glassbox.toml: they narrow inputs, and are properties of `check`.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::Path;

use glassbox_testkit::{Tool, command::glassbox, folder, require};

/// What a command prints, and its exit code.
fn printed(folder: &Path, args: &[&str]) -> (String, Option<i32>) {
    let output = glassbox()
        .args(args)
        .args(["--timeout", "10", "--jobs", "1"])
        .current_dir(folder)
        .output()
        .expect("it starts");
    let text = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&text).into_owned(), output.status.code())
}

const BMI: &str = "public class BMI {
  public static int weightCategory(double mass, double length) {
    assert mass > 0.0;
    assert length > 0.0;
    double bmi = mass / (length * length);
    return bmi < 18.5 ? 0 : bmi < 25.0 ? 1 : 2;
  }
}
";

#[test]
fn what_is_required_narrows_inputs() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let contract = "[function.\"BMI.weightCategory(double, double)\"]\nrequire = [\"mass > 0\", \"length > 0\"]\n";
    let folder = folder::with_files(&[("BMI.java", BMI), ("glassbox.toml", contract)]);
    let (text, code) = printed(folder.path(), &["check", "BMI.java"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(text.matches("): holds").count(), 2, "{text}");
    let (text, code) = printed(folder.path(), &["gen", "BMI.java", "--framework", "plain"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("removed by the contract (glassbox.toml:2:13: require mass > 0)"),
        "{text}"
    );
}

#[test]
fn promises_speak_of_private_fields_old_values_and_elements() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "package bank;
public class Account {
  private int balance;
  public boolean withdraw(int amount) {
    if (balance < amount) return false;
    balance -= amount;
    return true;
  }
  public static int next(int x) { return x + 1; }
  public static void fill(int[] a, int v) {
    for (int i = 0; i < a.length; i++) a[i] = v;
  }
  public static int divide(byte a, byte b) {
    try { return a / b; } finally { a++; }
  }
}
";
    let contract = r#"[function."Account.withdraw(int)"]
require = ["balance >= 0", "amount > 0"]
ensure = ["balance >= 0", "result == (old(balance) >= amount)"]
[function."bank.Account.next(int)"]
ensure = "result > x"
[function."Account.fill"]
require = ["a != null", "a.length < 4"]
ensure = "forall(i, 0, a.length, a[i] == v)"
[function."Account.divide(byte, byte)"]
require = "b != 0"
"#;
    let files = [("bank/Account.java", source), ("glassbox.toml", contract)];
    let folder = folder::with_files(&files);
    let args = ["check", "bank/Account.java", "--config", "glassbox.toml"];
    let (text, code) = printed(folder.path(), &args);
    assert_eq!(code, Some(3), "{text}");
    assert_eq!(text.matches("violated by").count(), 1, "{text}");
    assert!(
        text.contains("(ensure result > x): violated by Account.next(int): x = 2147483647"),
        "{text}"
    );
    for promise in
        ["ensure balance >= 0", "ensure result == (old(balance) >= amount)", "ensure forall(i"]
    {
        let line = text.lines().find(|line| line.contains(promise)).unwrap_or_default();
        assert!(line.contains(": holds"), "{promise}: {text}");
    }
}

#[test]
fn invariants_are_required_and_kept() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Coinbox {
  private int quarters;
  private boolean allowVend;
  public void add() { quarters++; if (quarters > 1) allowVend = true; }
  public void giveBack() { quarters = 0; }
}
";
    let contract = "[class.Coinbox]\ninvariant = [\"allowVend == (quarters > 1)\", \"quarters >= 0 && quarters < 100\"]\n\
                    [function.\"Coinbox.add()\"]\nrequire = \"quarters < 99\"\n";
    let folder = folder::with_files(&[("Coinbox.java", source), ("glassbox.toml", contract)]);
    let (text, code) = printed(folder.path(), &["check", "Coinbox.java"]);
    assert_eq!(code, Some(3), "{text}");
    let calls = "after Coinbox coinbox = new Coinbox(); coinbox.add(); coinbox.add();";
    assert!(text.contains(&format!("violated by Coinbox.giveBack(): {calls}")), "{text}");
    assert_eq!(text.matches("violated by").count(), 1, "{text}");
}

#[test]
fn mistakes_in_contracts_are_reported() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let refused_with = |contract: &str, what: &str| {
        let folder = folder::with_files(&[("BMI.java", BMI), ("glassbox.toml", contract)]);
        let (text, code) = printed(folder.path(), &["check", "BMI.java"]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(what), "{text}");
    };
    refused_with(
        "[function.\"BMI.weightCategory\"]\nrequire = \"mess > 0\"\n",
        "cannot find symbol",
    );
    refused_with(
        "[function.\"BMI.other\"]\nrequire = \"mass > 0\"\n",
        "glassbox.toml:1:11: error: no method",
    );
    let range = "[function.\"BMI.weightCategory\"]\nrange = { mass = [0, 1] }\n";
    refused_with(range, "say `require`");
}

/// Whoever calls a method has to keep to its contract.
#[test]
fn what_is_required_is_asked_of_callers() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Half {
  public static int half(int x) { return 10 / x; }
  public static int twice(int y) { return half(y) * 2; }
  public static int safe(int y) { if (y <= 0) return 0; return half(y); }
}
";
    let contract = "[function.\"Half.half(int)\"]\nrequire = \"x > 0\"\n";
    let folder = folder::with_files(&[("Half.java", source), ("glassbox.toml", contract)]);
    let (text, code) = printed(folder.path(), &["check", "Half.java"]);
    assert_eq!(code, Some(3), "{text}");
    assert_eq!(text.matches("violated by").count(), 1, "{text}");
    let what = "what `half` requires holds: x > 0): violated by Half.twice(int): y = ";
    assert!(text.contains(what), "{text}");
}

#[test]
fn constructors_owe_the_invariant() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Range {
  private int low, high;
  public Range(int low, int high) { this.low = low; this.high = high; }
  public Range() { high = 1; }
  public int size() { return high - low; }
}
";
    let contract = "[class.Range]\ninvariant = \"low <= high\"\n";
    let folder = folder::with_files(&[("Range.java", source), ("glassbox.toml", contract)]);
    let (text, code) = printed(folder.path(), &["check", "Range.java"]);
    assert_eq!(code, Some(3), "{text}");
    assert_eq!(text.matches("violated by new Range(int, int)").count(), 1, "{text}");
    assert_eq!(text.matches("violated by").count(), 1, "{text}");
}

#[test]
fn contracts_that_nothing_satisfies_are_reported() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Half {
  public static int half(int x) { return 10 / x; }
}
";
    let contract = "[function.\"Half.half(int)\"]\nrequire = [\"x > 0\", \"x < 0\"]\n";
    let folder = folder::with_files(&[("Half.java", source), ("glassbox.toml", contract)]);
    let (text, _) = printed(folder.path(), &["check", "Half.java"]);
    assert!(text.contains("no input that satisfies the contract reaches anything"), "{text}");
}

#[test]
fn invariants_are_kept_by_methods_that_throw() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Purse {
  private int balance = 1;
  public int pay(int a) { balance = a; if (a < 0) throw new IllegalStateException(); return a; }
  public int take(int a) { if (a < 0) throw new IllegalStateException(); balance = a; return a; }
  public int share() { return 10 / (balance + 1); }
}
";
    let contract = "[class.Purse]\ninvariant = \"balance >= 0\"\n";
    let folder = folder::with_files(&[("Purse.java", source), ("glassbox.toml", contract)]);
    let (text, code) = printed(folder.path(), &["check", "Purse.java"]);
    assert_eq!(code, Some(3), "{text}");
    assert_eq!(text.matches("violated by Purse.pay(int)").count(), 1, "{text}");
    assert_eq!(text.matches("violated by Purse.take(int)").count(), 0, "{text}");
}

/// Annotations of any retention are contracts: what they require narrows inputs and is asked of callers, what they
/// promise is checked.
#[test]
fn annotations_are_contracts() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let not_null = "package org.jetbrains.annotations;
import java.lang.annotation.*;
@Retention(RetentionPolicy.CLASS) public @interface NotNull {}
";
    let contract = "package org.jetbrains.annotations;
import java.lang.annotation.*;
@Retention(RetentionPolicy.CLASS) public @interface Contract { String value(); }
";
    let min = "package jakarta.validation.constraints;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) public @interface Min { long value(); }
";
    let non_null = "package org.jspecify.annotations;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) public @interface NonNull {}
";
    let source = "import jakarta.validation.constraints.Min;
import org.jetbrains.annotations.*;
import org.jspecify.annotations.NonNull;
public class Said {
  public static int length(@NotNull int[] a) {
    return a.length;
  }
  public static int size(@NonNull String s, @Min(1) int n) {
    return 100 / n + s.length();
  }
  @NotNull public static Object give(boolean b) {
    return b ? new Object() : null;
  }
  @Contract(\"null -> null; !null -> !null\")
  public static Object same(Object o) {
    return o;
  }
  public static int calls(int x) {
    return length(x > 3 ? null : new int[1]);
  }
}
";
    let folder = folder::with_files(&[
        ("org/jetbrains/annotations/NotNull.java", not_null),
        ("org/jetbrains/annotations/Contract.java", contract),
        ("jakarta/validation/constraints/Min.java", min),
        ("org/jspecify/annotations/NonNull.java", non_null),
        ("Said.java", source),
    ]);
    let files = [
        "org/jetbrains/annotations/NotNull.java",
        "org/jetbrains/annotations/Contract.java",
        "jakarta/validation/constraints/Min.java",
        "org/jspecify/annotations/NonNull.java",
        "Said.java",
    ];
    let mut args = vec!["check", "--class", "Said"];
    args.extend(files);
    let (text, _) = printed(folder.path(), &args);
    // No caller passes null or zero, where the method forbids it.
    let is_violated = |line: &str| {
        text.lines().any(|said| said.starts_with(line) && said.contains("violated by"))
    };
    for line in ["Said.java:6: null", "Said.java:9: null", "Said.java:9: division"] {
        assert!(!is_violated(line), "{text}");
    }
    assert!(
        text.contains("require a != null (@NotNull)") || text.contains("what `length` requires"),
        "{text}"
    );
    assert!(text.contains("ensure result != null (@NotNull)"), "{text}");
    assert!(
        text.lines()
            .any(|line| line.contains("what `length` requires") && line.contains("violated by")),
        "{text}"
    );
    let promised: Vec<&str> = text.lines().filter(|line| line.contains("@Contract")).collect();
    assert!(promised.len() == 2 && promised.iter().all(|line| line.contains("holds")), "{text}");
}

/// Verdicts that rest on annotations say so, wherever the source lies.
#[test]
fn believed_annotations_are_named() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "package q;
public class Named {
  @interface NotNull {}
  public static int ask(@NotNull String s) { if (s == null) return 1; return 2; }
  public static int sure(@NotNull String s) { if (s == null) throw new AssertionError(); return 2; }
  public static int also(@NotNull String result) { if (result == null) throw new AssertionError(); return 2; }
}
";
    let folder = folder::with_files(&[("Named.java", source)]);
    let (text, _) = printed(folder.path(), &["gen", "Named.java", "--framework", "plain"]);
    assert!(text.contains("removed by the contract (Named.java:4: require s != null"), "{text}");
    let (text, _) = printed(folder.path(), &["check", "Named.java"]);
    assert!(
        text.contains("assumes: callers keep to annotations: Named.java:5: require s != null"),
        "{text}"
    );
    // The word for what a method gives, as the name of a parameter.
    assert!(text.contains("Named.java:6: require result != null"), "{text}");
    assert!(!text.contains("): violated"), "{text}");
}

/// The first rule of a `@Contract` that fits counts; `@NullUnmarked` ends what `@NullMarked` says, which says nothing of
/// type variables.
#[test]
fn annotations_say_no_more_than_they_do() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Less {
  @interface Contract { String value(); }
  @interface NullMarked {}
  @interface NullUnmarked {}
  @Contract(\"null -> null; _ -> !null\")
  public static Object same(Object o) { return o; }
  @NullMarked static class Marked {
    @NullUnmarked public static int unmarked(String s) { return s == null ? 1 : 2; }
    public static <T> T variable(T x) { return x; }
    public static int marked(String s) { return s == null ? 1 : 2; }
  }
}
";
    let folder = folder::with_files(&[("Less.java", source)]);
    let (text, _) = printed(folder.path(), &["check", "Less.java"]);
    assert!(!text.contains("): violated"), "{text}");
    assert_eq!(text.matches("(@Contract)").count(), 2, "{text}");
    assert!(text.contains("Less.java:10: require s != null (@NullMarked)"), "{text}");
    for place in ["Less.java:8: require", "Less.java:9: require", "Less.java:9: ensure"] {
        assert!(!text.contains(place), "{text}");
    }
}

/// Annotations of one method that are no contract leave those of others alone.
#[test]
fn what_does_not_compile_is_left_out_by_itself() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Apart {
  @interface NotNull {}
  public @NotNull String odd(@NotNull String self) { return self; }
  public static int ask(@NotNull String s) { return s.length(); }
}
";
    let folder = folder::with_files(&[("Apart.java", source)]);
    let (text, _) = printed(folder.path(), &["check", "Apart.java"]);
    assert!(text.contains("annotations of Apart.odd(java.lang.String) do not compile"), "{text}");
    assert!(text.contains("Apart.java:4: require s != null (@NotNull)"), "{text}");
}

const COUNTER: &str = "import java.util.*;
public class Counter {
  static int count;
  int own;
  final StringBuilder text = new StringBuilder();
  static class Reset { Reset(Counter c) { c.own = 0; } }
  final List<Integer> list = new ArrayList<>();
  static boolean bump() { count++; return true; }
  boolean set() { own = 3; return true; }
  static boolean fill(int[] a) { a[0] = 1; return true; }
  static boolean fillBoth(int[] a) { int[] own = new int[1]; own[0] = 1; a[0] = 1; return true; }
  static boolean fillEither(int[] a) { int[] one = a.length > 1 ? a : new int[1]; one[0] = 1; return true; }
  static boolean clear(int[] a) { int[] own = a.clone(); java.util.Arrays.fill(a, 0); return own.length > 0; }
  static boolean fillRow(int[][] m) { int[][] own = m.clone(); own[0][0] = 1; return true; }
  static boolean fillCaught(int[] a) { int[] one = new int[1]; try { one = a; one[9] = 1; } catch (RuntimeException e) { one[0] = 1; } return true; }
  static boolean isPermuted(int[] a, int[] b) {
    int[] own = a.clone();
    java.util.Arrays.sort(own);
    long[] sums = new long[2];
    for (int i = 0; i < own.length; i++) { sums[0] += own[i]; own[i] = own[i] == 0 ? 1 : 0; }
    return sums[0] >= 0 || b == null;
  }
  int next() { return ++own; }
  static boolean isSorted(int[] a) { for (int i = 1; i < a.length; i++) if (a[i - 1] > a[i]) return false; return true; }
  int f(int x, int[] a) { return x; }
}
";

#[test]
fn conditions_that_change_something_are_refused() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    for (condition, expected) in [
        ("ensure = [\"bump() && result == x\"]", "`Counter.bump` may change `count`"),
        ("require = [\"set()\"]", "`Counter.set` may change `own`"),
        ("ensure = [\"fill(a)\"]", "`Counter.fill` may change elements of an array"),
        ("ensure = [\"fillBoth(a)\"]", "`Counter.fillBoth` may change elements of an array"),
        ("ensure = [\"fillEither(a)\"]", "`Counter.fillEither` may change elements of an array"),
        ("ensure = [\"clear(a)\"]", "what `fill` changes is not known"),
        (
            "ensure = [\"fillRow(new int[][] {a})\"]",
            "`Counter.fillRow` may change elements of an array",
        ),
        ("ensure = [\"fillCaught(a)\"]", "`Counter.fillCaught` may change elements of an array"),
        ("ensure = [\"list.add(3)\"]", "what `add` changes is not known"),
        ("ensure = [\"text.append(3) != null\"]", "what `append` changes is not known"),
        (
            "ensure = [\"new Counter.Reset(this).hashCode() != 1\"]",
            "`Counter$Reset.<init>` may change `own`",
        ),
    ] {
        let contract = format!("[function.\"Counter.f\"]\n{condition}\n");
        let folder = folder::with_files(&[("Counter.java", COUNTER), ("glassbox.toml", &contract)]);
        let (text, code) = printed(folder.path(), &["check", "Counter.java"]);
        let expected =
            format!("glassbox.toml:1:11: error: a condition changes nothing, but {expected}");
        assert!(text.contains(&expected), "{condition}: {text}");
        assert_eq!(code, Some(2), "{condition}: {text}");
    }
    for condition in ["ensure = [\"next() == result + 1\"]", "require = [\"next() > 0\"]"] {
        let contract = format!("[function.\"Counter.next\"]\n{condition}\n");
        let folder = folder::with_files(&[("Counter.java", COUNTER), ("glassbox.toml", &contract)]);
        let (text, code) = printed(folder.path(), &["check", "Counter.java"]);
        let expected = "a condition changes nothing, but `Counter.next` may change `own`";
        assert!(text.contains(expected), "{condition}: {text}");
        assert_eq!(code, Some(2), "{condition}: {text}");
    }
    let contract = "[function.\"Counter.f\"]\nrequire = [\"a != null && isSorted(a) && isPermuted(a, a) && list != null && list.size() == 0\"]\nensure = [\"result == x\"]\n";
    let folder = folder::with_files(&[("Counter.java", COUNTER), ("glassbox.toml", contract)]);
    let (text, _) = printed(folder.path(), &["check", "Counter.java"]);
    assert!(!text.contains("a condition changes nothing"), "{text}");
    assert!(text.contains("assertion (ensure result == x)"), "{text}");
}
