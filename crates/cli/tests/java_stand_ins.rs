//! Stand-ins of Java tests: for interfaces of any size, abstract classes, callbacks that throw, objects that lead to each
//! other.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::fs;

use glassbox_testkit::{Tool, command::glassbox, folder, require};
use serde_json::Value;

/// Runs `gen` on a source: goals that are not covered, and the text of the tests.
fn generate(name: &str, source: &str) -> (Vec<String>, String) {
    let folder = folder::with_files(&[(&format!("{name}.java"), source)]);
    let output = glassbox()
        .args(["gen", "--framework", "junit5", "--jobs", "1", "--class", name])
        .arg(format!("{name}.java"))
        .current_dir(folder.path())
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = fs::read_to_string(folder.path().join("glassbox-out/suite.json")).expect(&said);
    let suite: Value = serde_json::from_str(&text).expect("it is JSON");
    let functions = suite["functions"].as_array().expect("a list");
    let goals = functions.iter().flat_map(|function| function["goals"].as_array().into_iter());
    let open = goals.flatten().filter(|goal| goal["verdict"] != "covered");
    let tests = folder.path().join(format!("glassbox-out/tests/{name}GlassboxTest.java"));
    (open.map(ToString::to_string).collect(), fs::read_to_string(tests).unwrap_or_default())
}

#[test]
fn results_change_twice_and_objects_lead_to_each_other() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Walk {
    interface Node { Node next(); int value(); }
    static int three(Node n) {
        if (n.value() == 1) if (n.value() == 2) if (n.value() == 3) return 3;
        return 0;
    }
    static int round(Node n) {
        Node next = n.next();
        if (next == n) return 1;
        if (next != null && next.next() == n) return 2;
        return 0;
    }
}";
    let (open, tests) = generate("Walk", source);
    assert_eq!(open, Vec::<String>::new(), "{tests}");
    assert!(tests.contains("[0] = "), "{tests}");
}

#[test]
fn abstract_classes_and_large_interfaces_have_stand_ins() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Large {
    static abstract class Shape {
        protected final int sides;
        Shape(int sides) { this.sides = sides; }
        abstract int area();
        int twice() { return area() * 2 + sides; }
    }
    interface Port {
        int a(); int b(); int c(); int d(); int e(); int f(); String g(); void h();
    }
    static int shape(Shape s) {
        if (s.twice() == 11) return 1;
        return 0;
    }
    static int port(Port p) {
        if (p.e() == 5) return 1;
        return 0;
    }
}";
    let (open, tests) = generate("Large", source);
    assert_eq!(open, Vec::<String>::new(), "{tests}");
    assert!(tests.contains("throw new UnsupportedOperationException();"), "{tests}");
}

#[test]
fn callbacks_throw_what_is_caught() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "import java.util.concurrent.Callable;
public class Caught {
    static int run(Runnable r, int x) {
        try {
            r.run();
            return 0;
        } catch (IllegalStateException e) {
            return x > 3 ? 1 : 2;
        }
    }
    static int call(Callable<Object> c, int x) {
        try {
            c.call();
            return 0;
        } catch (Exception e) {
            return x > 3 ? 1 : 2;
        }
    }
}";
    let (open, tests) = generate("Caught", source);
    assert_eq!(open, Vec::<String>::new(), "{tests}");
    assert!(tests.contains("throw new IllegalStateException();"), "{tests}");
}

/// Classes of the default package hide those of `java.lang`.
#[test]
fn classes_named_as_those_of_the_language_have_tests() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    for (name, source) in [
        (
            "Integer",
            "public class Integer {
    static int f(java.lang.Integer s) { return s != null && s == 200 ? 1 : 0; }
    static Integer g(int x) { return x == 1 ? new Integer() : null; }
}",
        ),
        (
            "Object",
            "public class Object {
    private int k;
    private int f() { return k == 3 ? 1 : 0; }
}",
        ),
        (
            "Throwable",
            "public class Throwable {
    private int k;
    void set(int k) { this.k = k; }
    int f() { if (k == 3) throw new IllegalStateException(); return 0; }
}",
        ),
    ] {
        let (open, tests) = generate(name, source);
        assert_eq!(open, Vec::<String>::new(), "{tests}");
    }
}
