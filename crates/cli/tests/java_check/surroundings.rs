//! What a run of the JVM has besides inputs: messages of its exceptions, values of threads, memory.

use glassbox_testkit::{Tool, folder, require};

use super::{has, run};

/// What is said about messages holds for exceptions without any, and says so.
#[test]
fn messages_of_the_jvm_are_not_known() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Told {
  public static void index(int[] a) {
    try {
      a[a.length]++;
    } catch (ArrayIndexOutOfBoundsException e) {
      assert e.getMessage() == null;
    }
  }
  public static void text(Object o) {
    try {
      o = (Integer) o;
    } catch (ClassCastException e) {
      assert e.toString().length() == 28;
    }
  }
}
";
    let folder = folder::with_files(&[("Told.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Told.java"]);
    for line in [6, 13] {
        assert!(!has(&suite, line, "assertion", "holds"), "{suite:#}");
    }
}

/// Another thread may change a volatile field between two reads; one that no other thread knows of stays.
#[test]
fn volatile_fields_may_change() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "import java.util.concurrent.atomic.AtomicInteger;
public class Shared {
  volatile int a;
  static volatile int s;
  int plain;
  int twice() { int x = a; assert x == a; return x; }
  static int ofClass() { s = 3; assert s == 3; return s; }
  int once() { int x = plain; assert x == plain; return x; }
  static int atomic(AtomicInteger i) {
    if (i == null) return 0;
    i.set(3);
    assert i.get() == 3;
    return 1;
  }
  static int own(int x) {
    Shared o = new Shared();
    o.a = x;
    assert o.a == x;
    return 1;
  }
}
";
    let folder = folder::with_files(&[("Shared.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Shared.java"]);
    for line in [6, 7, 12] {
        assert!(!has(&suite, line, "assertion", "holds"), "{line}: {suite:#}");
    }
    let text = suite.to_string();
    assert!(text.contains("volatile and atomic objects keep their value"), "{suite:#}");
    for line in [8, 18] {
        let within = |verdict| has(&suite, line, "assertion", verdict);
        assert!(within("holds") || within("holds-within"), "{line}: {suite:#}");
    }
}

/// A thread keeps the value that it was given or that it began with.
#[test]
fn values_of_the_thread_stay() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Kept {
  public static void same() {
    ThreadLocal<int[]> t = ThreadLocal.withInitial(() -> new int[1]);
    assert t.get() != t.get();
  }
  public static void set(int x) {
    ThreadLocal<int[]> t = new ThreadLocal<>();
    ThreadLocal<int[]> u = new ThreadLocal<>();
    int[] a = {x};
    t.set(a);
    u.set(new int[2]);
    assert t.get() == a;
    t.remove();
    assert t.get() == null;
  }
}
";
    let folder = folder::with_files(&[("Kept.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Kept.java"]);
    assert!(has(&suite, 4, "assertion", "violated"), "{suite:#}");
    for line in [12, 14] {
        assert!(!has(&suite, line, "assertion", "violated"), "{suite:#}");
    }
}

/// Handlers for a machine that has no more memory are not dead.
#[test]
fn errors_of_the_machine_are_not_excluded_without_a_word() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Big {
  public static int make(int n) {
    if (n < 0) return 0;
    try {
      return new int[n].length;
    } catch (OutOfMemoryError e) {
      return -1;
    }
  }
}
";
    let folder = folder::with_files(&[("Big.java", source)]);
    let (_, suite) = run(folder.path(), &["gen", "Big.java"]);
    for kind in ["line", "statement", "branch"] {
        assert!(!has(&suite, 7, kind, "infeasible"), "{suite:#}");
    }
}

/// Which boxes are shared is a setting of the JVM, and the standard input is none that we have.
#[test]
fn settings_and_streams_of_the_jvm_are_not_known() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Box {
  public static void apart() {
    Integer a = 1000;
    Integer b = 1000;
    assert a != b;
  }
  public static void stream() {
    assert System.in == null;
  }
}
";
    let folder = folder::with_files(&[("Box.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Box.java"]);
    for line in [5, 8] {
        assert!(!has(&suite, line, "assertion", "holds"), "{suite:#}");
        assert!(!has(&suite, line, "assertion", "unreachable"), "{suite:#}");
    }
}
