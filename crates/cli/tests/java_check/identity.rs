//! Objects of which the JVM decides how many there are, what it keeps between tests, and what differs between JVMs.

use glassbox_testkit::{Tool, folder, require};

use super::{has, run, said};

/// Which lambdas are one object is up to the JVM, and so is what their classes are called.
#[test]
fn lambdas_are_not_told_apart_without_a_word() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Lam {
  public static void apart() {
    Runnable[] a = new Runnable[2];
    for (int i = 0; i < 2; i++) a[i] = () -> {};
    assert a[0] != a[1];
  }
  public static void name() {
    Runnable r = () -> {};
    assert !r.getClass().getName().contains(\"/\");
  }
  public static void equal() {
    Runnable r = Lam::name, q = Lam::equal;
    assert !r.equals(q);
  }
}
";
    let folder = folder::with_files(&[("Lam.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Lam.java"]);
    // A place without captured variables gives one object, here and on HotSpot.
    assert!(has(&suite, 5, "assertion", "violated"), "{suite:#}");
    for line in [9, 13] {
        assert!(!has(&suite, line, "assertion", "holds"), "{suite:#}");
    }
}

/// What a lambda does, its identity aside, is known.
#[test]
fn lambdas_that_are_not_compared_are_proved() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Sum {
  public static void twice(int x) {
    java.util.function.IntUnaryOperator f = y -> y & 7;
    assert f.applyAsInt(x) <= 7;
  }
}
";
    let folder = folder::with_files(&[("Sum.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Sum.java"]);
    assert!(has(&suite, 4, "assertion", "holds"), "{suite:#}");
}

/// A caller may have set other streams; printing to them proves nothing wrong, and is named.
#[test]
fn streams_may_be_others() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Out {
  public static void apart() {
    assert System.out != System.err;
  }
  public static void there() {
    assert System.out != null;
  }
  public static void print(int x) {
    System.out.println(x);
    assert (x & 1) < 2;
  }
}
";
    let folder = folder::with_files(&[("Out.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "Out.java"]);
    for line in [3, 6] {
        assert!(!has(&suite, line, "assertion", "holds"), "{suite:#}");
    }
    assert!(has(&suite, 10, "assertion", "holds"), "{suite:#}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("the streams with which the JVM starts"), "{text}");
}

/// Handlers of exceptions that nothing in sight makes are code like any other.
#[test]
fn handlers_of_the_machine_are_listed() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Deep {
  static int down(int n) {
    return down(n + 1) + 1;
  }
  public static void stack() {
    try {
      down(0);
    } catch (StackOverflowError e) {
      assert false;
    }
  }
}
";
    let folder = folder::with_files(&[("Deep.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Deep.java"]);
    assert_eq!(said(&suite, 9).len(), 1, "{suite:#}");
    for verdict in ["holds", "unreachable"] {
        assert!(!has(&suite, 9, "assertion", verdict), "{suite:#}");
    }
}

/// Every test of a JVM finds static fields as classes start, whatever the others have done.
#[test]
fn tests_find_static_fields_as_they_start() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Count {
  private static int calls = 2;
  static String last;
  public static int next(boolean up) {
    if (up) calls++;
    if (calls == 3) return 1;
    if (last != null) return 2;
    last = \"x\";
    return 0;
  }
}
";
    let folder = folder::with_files(&[("Count.java", source)]);
    let (_, suite) = run(folder.path(), &["gen", "Count.java"]);
    for line in [5, 6] {
        let said = said(&suite, line);
        assert!(said.iter().all(|(_, verdict)| verdict == "covered"), "{suite:#}");
    }
    let text =
        std::fs::read_to_string(folder.path().join("glassbox-out/tests/CountGlassboxTest.java"));
    let text = text.expect("tests are written");
    assert!(text.contains("set(null, \"Count\", \"calls\", 2);"), "{text}");
    assert!(text.contains("Count.last = null;"), "{text}");
}

/// The order of `Set.of` differs between JVMs: no test rests on it, and that is no disagreement.
#[test]
fn orders_that_a_jvm_draws_are_no_disagreement() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "import java.util.Set;
public class Drawn {
  static final String FIRST = Set.of(\"a\", \"b\").iterator().next();
  public static int first() {
    if (FIRST.equals(\"a\")) return 1;
    return 2;
  }
}
";
    let folder = folder::with_files(&[("Drawn.java", source)]);
    let (output, suite) = run(folder.path(), &["gen", "Drawn.java"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("disagreement"), "{text}");
    for verdict in ["covered", "infeasible"] {
        assert!(said(&suite, 5).iter().all(|(_, said)| said != verdict), "{suite:#}");
    }
}

/// A box that is not the one of the cache is written as such.
#[test]
fn boxes_are_the_objects_that_the_search_had() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Boo {
  public static int own(Long c) {
    if (c != null && c == 5L && c != Long.valueOf(5)) return 1;
    return 0;
  }
  public static int which(Boolean a) {
    if (a == Boolean.TRUE) return 1;
    if (a == null) return 3;
    return 4;
  }
}
";
    let folder = folder::with_files(&[("Boo.java", source)]);
    let (output, suite) = run(folder.path(), &["gen", "Boo.java"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(!text.contains("disagreement"), "{text}");
    assert!(said(&suite, 8).iter().all(|(_, verdict)| verdict == "covered"), "{suite:#}");
}

/// A NaN has a sign and a payload, which some methods of the library show; where a number is known to be one, there is none.
#[test]
fn nans_are_not_all_the_same() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Nan {
  public static void raw(float f) {
    assert Float.floatToRawIntBits(f) == Float.floatToIntBits(f);
  }
  public static void sign(double d) {
    if (d != d)
      assert Math.copySign(1.0, d) > 0;
  }
  public static void number(double d) {
    if (d == d)
      assert Double.doubleToRawLongBits(d) == Double.doubleToLongBits(d);
  }
}
";
    let folder = folder::with_files(&[("Nan.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Nan.java"]);
    for line in [3, 7] {
        assert!(!has(&suite, line, "assertion", "holds"), "{suite:#}");
    }
    assert!(has(&suite, 11, "assertion", "holds"), "{suite:#}");
}
