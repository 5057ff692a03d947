//! Errors that only some callers, constructors, classes below or kept code bring about.

use std::fs;

use glassbox_testkit::{Tool, folder, require};

use super::{has, is_violated, run};

/// A method that others call starts where they leave off: static fields that they change, objects that they change.
#[test]
fn errors_are_looked_for_behind_calls_that_change_something() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Calls {
  static int d = 1;
  int e = 1;
  public static void zero() { d = 0; }
  public static int m() {
    return 1 / d;
  }
  public static void run() { zero(); m(); }
  public static int apart(int x) {
    return 7 / (x | 1);
  }
  public static int both(int x) { return apart(x) + apart(x + 1); }
}
";
    let folder = folder::with_files(&[("Calls.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "Calls.java"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(has(&suite, 6, "division-by-zero", "violated"), "{suite:#}");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("violated by Calls.run()"), "{printed}");
    // What neither reads nor is given anything that others change is asked about once.
    assert_eq!(printed.matches("7 / (x | 1)").count(), 1, "{printed}");
}

#[test]
fn errors_in_constructors_are_errors() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Share {
  private final int part;
  private final int[] parts;
  public Share(int n) {
    part = 100 / n;
    parts = new int[4];
  }
  Share(int[] given, int at) {
    part = at >= 0 && given != null && at < given.length ? given[at] : 0;
    parts = part == 0 ? new int[1] : given;
  }
  public int get() { return part; }
}
";
    let folder = folder::with_files(&[("Share.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "Share.java"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(has(&suite, 5, "division-by-zero", "violated"), "{suite:#}");
    for line in [6, 9, 10] {
        assert!(!is_violated(&suite, line), "{suite:#}");
    }
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("violated by new Share(int)"), "{printed}");
    assert!(printed.contains("confirmed: the JVM throws java.lang.ArithmeticException"));
    let test = folder.path().join("glassbox-out/tests/ShareGlassboxTest.java");
    let test = fs::read_to_string(test).expect("counter-examples are written");
    assert!(
        test.contains("assertThrows(ArithmeticException.class, () -> new Share(0));"),
        "{test}"
    );
}

/// What a callee's `throws` names, its callers have to catch or to name.
#[test]
fn declared_exceptions_of_callees_are_errors_of_callers() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Throws {
  static int div(int a, int b) throws ArithmeticException { return a / b; }
  public static int silent(int x) {
    return div(1, x);
  }
  public static int caught(int x) {
    try { return div(1, x); } catch (ArithmeticException e) { return 0; }
  }
  public static int named(int x) throws ArithmeticException {
    return div(1, x);
  }
  public static int above(int x) {
    return named(x);
  }
  static void refuse(int x) throws IllegalArgumentException { if (x < 0) throw new IllegalArgumentException(); }
  public static void refused(int x) {
    refuse(x);
  }
}
";
    let folder = folder::with_files(&[("Throws.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Throws.java"]);
    for line in [4, 13] {
        assert!(has(&suite, line, "uncaught-exception", "violated"), "{line}: {suite:#}");
    }
    for line in [2, 7, 10, 15, 17] {
        assert!(!is_violated(&suite, line), "{line}: {suite:#}");
    }
    let (_, suite) = run(folder.path(), &["check", "Throws.java", "--uncaught"]);
    assert!(has(&suite, 17, "uncaught-exception", "violated"), "{suite:#}");
    assert!(!is_violated(&suite, 15), "{suite:#}");
}

#[test]
fn the_quotient_that_does_not_fit_is_an_overflow() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Quotient {
  static int of(int a, int b) {
    return b == 0 ? 0 : a / b;
  }
  static int opposite(int a) {
    return a / -1;
  }
  static int rest(int a, int b) {
    return b == 0 ? 0 : a % b;
  }
  static int half(int a) {
    return a / 2;
  }
}
";
    let folder = folder::with_files(&[("Quotient.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Quotient.java", "--overflow", "report"]);
    for line in [3, 6] {
        assert!(has(&suite, line, "signed-overflow", "violated"), "{line}: {suite:#}");
    }
    for line in [9, 12] {
        assert!(!is_violated(&suite, line), "{line}: {suite:#}");
    }
    let (output, suite) = run(folder.path(), &["check", "Quotient.java"]);
    assert_eq!(output.status.code(), Some(0), "{suite:#}");
}

/// Classes below that are there answer for `this`.
#[test]
fn objects_of_known_subclasses_are_receivers() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Above {
  int f() { return 1; }
  public int g() {
    return 10 / f();
  }
  public int h() {
    return 10 / f();
  }
}
class Below extends Above {
  int f() { return 0; }
  public int h() { return 3; }
}
";
    let folder = folder::with_files(&[("Above.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Above.java"]);
    assert!(has(&suite, 4, "division-by-zero", "violated"), "{suite:#}");
    // Objects of that class run another method.
    assert!(!is_violated(&suite, 7), "{suite:#}");
}

/// A state that violates something counts where calls lead to it, and the calls are shown.
#[test]
fn violations_are_reached_by_calls() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Rate {
  private int d = 1;
  private int e = 1;
  public void clear() { d = 0; }
  public void swap(int x) { if (x != 0) e = x; }
  public int first() {
    return 10 / d;
  }
  public int second() {
    return 10 / e;
  }
}
";
    let folder = folder::with_files(&[("Rate.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "Rate.java"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(has(&suite, 7, "division-by-zero", "violated"), "{suite:#}");
    // No call makes it zero.
    assert!(has(&suite, 10, "division-by-zero", "unknown"), "{suite:#}");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let calls = "violated by Rate.first(): after Rate rate = new Rate(); rate.clear(); \
                 [confirmed: the JVM throws java.lang.ArithmeticException]";
    assert!(printed.contains(calls), "{printed}");
}

/// What the JVM throws for these classes; a verdict that leaves it out is wrong.
fn printed_for(name: &str, source: &str) -> String {
    let file = format!("{name}.java");
    let folder = folder::with_files(&[(file.as_str(), source)]);
    let (output, _) = run(folder.path(), &["check", &file]);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Constructors of classes above run for objects of classes below.
#[test]
fn code_behind_calls_of_super_is_reached() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Up {
  public Up(int k) { if (k == 7) throw new IllegalStateException(); }
  public static class Down extends Up {
    int a = 1;
    public Down(int k) { super(k); a = 10 / k; }
  }
  public static int t(int k) { return new Down(k).a; }
}
";
    let printed = printed_for("Up", source);
    assert!(printed.contains("violated by Up.t(int): k = 0 [confirmed"), "{printed}");
}

/// Classes below count as receivers where they have no methods of their own, get some from interfaces, or call the
/// method by `super`.
#[test]
fn receivers_are_of_all_classes_that_run_the_method() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Top implements Low {
  int k() { return 1; }
  public int f() { return this instanceof Plain ? 10 / zero() : 1; }
  public int g() { return 10 / one(); }
  public int h() { return 10 / k(); }
  private int zero() { return 0; }
}
interface Low { default int one() { return 1; } }
interface High extends Low { default int one() { return 0; } }
class Plain extends Top { }
class Mixed extends Top implements High { }
class Again extends Top { int k() { return 0; } public int h() { return super.h(); } }
";
    let printed = printed_for("Top", source);
    for found in ["Top.f(): this = Plain{}", "Top.g(): this = Mixed{}", "Top.h(): this = Again{}"] {
        assert!(printed.contains(&format!("violated by {found} [confirmed")), "{found}: {printed}");
    }
}

/// Classes that are not there may override default methods, and a method that calls itself.
#[test]
fn proofs_name_the_classes_that_they_rest_on() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let default = "public class D implements One { public int f() { return 10 / one(); } }
interface One { default int one() { return 1; } }
";
    let itself = "public class I { public int f(int n) { return n <= 0 ? 1 : 10 / f(0); } }\n";
    for (name, source) in [("D", default), ("I", itself)] {
        let printed = printed_for(name, source);
        assert!(printed.contains("holds-within bounds: classes of input objects"), "{printed}");
        assert!(printed.contains("VERDICT: unknown"), "{printed}");
    }
}

/// Final fields are as their initializers found the fields of others, which may have changed by then; constants of
/// enumerations may have fields that change.
#[test]
fn final_fields_may_depend_on_what_changes() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let late = "public class Late {
  static int z = 5;
  static class Init { static final int X; static { X = z; } }
  public static void zero() { z = 0; }
  public static int use() { return 10 / Init.X; }
}
";
    let circle = "public class Circle {
  static class P { static final int X = Q.Y + 1; static int get() { return 10 / (X - 1); } }
  static class Q { static final int Y = P.X + 1; static int get() { return Y; } }
}
";
    let body = "public enum Body {
  A { int c = 2; int next() { return c--; } };
  abstract int next();
  public static int div() { return 10 / A.next(); }
}
";
    for (name, source) in [("Late", late), ("Circle", circle), ("Body", body)] {
        let printed = printed_for(name, source);
        assert!(printed.contains("bounds: static fields: as their classes start"), "{printed}");
        assert!(!printed.contains("VERDICT: true"), "{printed}");
    }
    let sure = "public class Sure {
  static class Init { static final int X; static { int a = 2; X = a * 3; } }
  public static int use() { return 10 / Init.X; }
}
";
    let printed = printed_for("Sure", sure);
    assert!(printed.contains("VERDICT: true"), "{printed}");
}

/// Texts of objects and lambdas that were kept run code that changes what others read.
#[test]
fn texts_and_kept_lambdas_change_what_others_read() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let statements = [
        "String s = \"a\" + new Ev();",
        "String s = String.valueOf(new Ev());",
        "StringBuilder s = new StringBuilder().append(new Ev());",
        "R.run();",
    ];
    for statement in statements {
        let source = format!(
            "public class T {{
  static int z = 1;
  static final Runnable R = () -> {{ z = 0; }};
  static class Ev {{ public String toString() {{ z = 0; return \"x\"; }} }}
  static int g() {{ return 10 / z; }}
  public static int f() {{ {statement} return g(); }}
}}
"
        );
        let printed = printed_for("T", &source);
        assert!(printed.contains("violated by T.f(): no inputs [confirmed"), "{printed}");
    }
}

/// What tests cannot call is asked all the same: who does is not known.
#[test]
fn code_that_only_others_run_is_asked() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let sources = [
        (
            "Sup",
            "public class Sup { public static java.util.function.IntSupplier f(int k) { return () -> 10 / k; } }",
        ),
        (
            "Out",
            "public class Out { public class In { int q; public In(int k) { q = 10 / k; } } public int f() { return 1; } }",
        ),
        (
            "Abs",
            "public abstract class Abs { int z; public Abs(int k) { z = 10 / k; } public int f() { return 1; } }",
        ),
    ];
    for (name, source) in sources {
        let printed = printed_for(name, source);
        assert!(printed.contains("the divisor is not zero): unknown"), "{printed}");
        assert!(printed.contains("VERDICT: unknown"), "{printed}");
    }
    // Where a known call leads there, it is the call that violates something.
    let base = "public class Base {
  static abstract class A { final int v; A(int k) { v = 10 / k; } }
  public static int f(int k) { A a = new A(k) { }; return a.v; }
  public static int g(int k) { return ((java.util.function.IntSupplier) () -> 10 / k).getAsInt(); }
}
";
    let printed = printed_for("Base", base);
    assert!(printed.contains("violated by Base.f(int): k = 0 [confirmed"), "{printed}");
    assert!(printed.contains("violated by Base.g(int): k = 0 [confirmed"), "{printed}");
    // The object around an inner one is there; streams run what they are given.
    let fine = "public class Fine {
  int z = 1;
  public class In { int q; public In(int k) { q = z + k; } }
  public static int sum(int n) {
    int[] all = { n };
    return java.util.Arrays.stream(all).map(x -> x / n).sum();
  }
}
";
    let printed = printed_for("Fine", fine);
    assert!(!printed.contains("Fine.lambda"), "{printed}");
    assert!(!printed.contains("code out of sight"), "{printed}");
}

/// Where short inputs leave goals open, arrays and strings are longer, and the bound that is named is the one that holds.
#[test]
fn longer_strings_are_tried_where_short_ones_do_not_do() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Nine {
  public static int word(String s) { if (s.equals(\"abcdefghi\")) return 1; return 2; }
  public static int sum(int[] a) { if (a.length == 11) return 1; return 2; }
}
";
    let folder = folder::with_files(&[("Nine.java", source)]);
    let (output, _) = run(folder.path(), &["gen", "Nine.java", "--framework", "plain"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    for method in ["word(String)", "sum(int[])"] {
        let covered = format!("Nine.{method}: 2 goals: 2 covered by 2 tests");
        assert!(printed.contains(&covered), "{printed}");
    }
}
