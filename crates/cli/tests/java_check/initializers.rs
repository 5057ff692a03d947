//! Initializers of classes that fail: the class is unusable from then on, and that is an error where it is used.

use glassbox_testkit::{Tool, folder, require};

use super::{has, is_violated, run};

#[test]
fn a_class_that_cannot_be_initialized_is_an_error_of_its_users() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class User {
  static class Bad { static { if (true) throw new IllegalStateException(); } static int q() { return 1; } }
  public static int first() {
    return Bad.q();
  }
  public static int second() {
    try { Bad.q(); } catch (ExceptionInInitializerError e) { }
    return Bad.q();
  }
  public static int caught() {
    try { return Bad.q(); } catch (Throwable e) { return 0; }
  }
}
";
    let folder = folder::with_files(&[("User.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "User.java"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(has(&suite, 4, "uncaught-exception", "violated"), "{suite:#}");
    assert!(has(&suite, 8, "uncaught-exception", "violated"), "{suite:#}");
    for line in [7, 11] {
        assert!(!is_violated(&suite, line), "{suite:#}");
    }
}

/// The class is initialized before its method begins, so the method's own handlers catch nothing of that.
#[test]
fn what_initializing_the_class_throws_is_not_caught_in_its_method() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Own {
  static int zero;
  static final int PART = 10 / zero;
  public static int get(int x) {
    try { return x / 2; } catch (Throwable e) { return 5; }
  }
}
";
    let folder = folder::with_files(&[("Own.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "Own.java"]);
    assert_eq!(output.status.code(), Some(3), "{suite:#}");
    assert!(is_violated(&suite, 3), "{suite:#}");
}

/// What initializers of the JDK draw from clocks is named where it matters, and costs nothing elsewhere.
#[test]
fn collections_of_the_jdk_are_there_and_their_order_is_not_known() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "import java.util.*;
public class Fixed {
  public static int at(int x) {
    assert List.of(1, 2, 3).get(1) == 2;
    return 1;
  }
  public static int order(int x) {
    int sum = 0;
    for (int each : Set.of(1, 2)) sum = 10 * sum + each;
    assert sum == 12;
    return sum;
  }
}
";
    let folder = folder::with_files(&[("Fixed.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Fixed.java"]);
    assert!(has(&suite, 4, "assertion", "holds"), "{suite:#}");
    for verdict in ["holds", "unreachable"] {
        assert!(!has(&suite, 10, "assertion", verdict), "{suite:#}");
    }
}

/// What an initializer of the user's finds may be different in another run of the JVM, as it may in a method.
#[test]
fn what_initializers_take_from_the_surroundings_is_no_proof() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "import java.util.*;
public class Held {
  static class Order { static final int X = Map.of(1, 2, 3, 4).keySet().iterator().next(); }
  static class Upper { static final String U = \"i\".toUpperCase(); }
  static class Lines { static final String L = System.lineSeparator(); }
  public static void order() {
    assert Order.X == 3;
  }
  public static void upper() {
    assert Upper.U.equals(\"I\");
  }
  public static void lines() {
    assert Lines.L.length() == 1;
  }
}
";
    let folder = folder::with_files(&[("Held.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Held.java"]);
    for line in [7, 10, 13] {
        assert!(!has(&suite, line, "assertion", "holds"), "{suite:#}");
        assert!(!has(&suite, line, "assertion", "unreachable"), "{suite:#}");
    }
}

/// The first use of such a class throws another error than later ones: which one a call is, is not known.
#[test]
fn proofs_about_a_class_that_cannot_be_initialized_rest_on_its_first_use() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Twice {
  static class Bad { static int z = 5 / zero(); static int zero() { return 0; } static int get() { return 1; } }
  public static void g() {
    try { Bad.get(); } catch (ExceptionInInitializerError e) { } catch (NoClassDefFoundError e) { assert false; }
  }
}
";
    let folder = folder::with_files(&[("Twice.java", source)]);
    let (output, suite) = run(folder.path(), &["check", "Twice.java", "--method", "g"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("static fields: as their classes start"), "{printed}{suite:#}");
}

/// Interfaces with default methods are initialized with a class that implements them (JLS 12.4.1), others are not.
#[test]
fn a_class_initializes_its_interfaces_with_default_methods() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Above {
  static int n;
  interface Full { int X = Above.tick(); default void d() {} }
  interface Bare { int Y = Above.tick(); void d(); }
  static class Two implements Full { static int z = 7; }
  static class One implements Full {}
  static class None implements Bare { public void d() {} }
  static int tick() { n = 1; return 1; }
  public static void one() { n = 0; new One(); assert n == 0; }
  public static void two() { n = 0; new Two(); assert n == 0; }
  public static void none() { n = 0; new None(); assert n == 0; }
}
";
    let folder = folder::with_files(&[("Above.java", source)]);
    let (_, suite) = run(folder.path(), &["check", "Above.java"]);
    for line in [9, 10] {
        assert!(is_violated(&suite, line), "{suite:#}");
    }
    assert!(!is_violated(&suite, 11), "{suite:#}");
}
