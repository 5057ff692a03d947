//! Inputs of Java methods as people would make them: enums, collections, exceptions, objects by
//! constructors and calls, reflection last.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::fs;
use std::path::Path;

use glassbox_testkit::{Tool, command::glassbox, require};
use serde_json::Value;

/// Runs `gen` on a source; suite.json and the text of the tests.
fn generate(name: &str, source: &str, more: &[&str]) -> (Value, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("{name}.java"));
    fs::write(&path, source).expect("it can be written");
    let out = folder.path().join("out");
    let output = glassbox()
        .args(["gen", "--class", name, "--framework", "junit5", "--out"])
        .arg(&out)
        .args(more)
        .arg(&path)
        .output()
        .expect("it starts");
    let text = fs::read_to_string(out.join("suite.json"));
    let text = text.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let suite = serde_json::from_str(&text).expect("it is JSON");
    let tests = out.join(Path::new("tests").join(format!("{name}GlassboxTest.java")));
    (suite, fs::read_to_string(tests).unwrap_or_default())
}

/// Goals that are not covered.
fn open(suite: &Value) -> Vec<String> {
    let functions = suite["functions"].as_array().expect("a list");
    let goals = functions.iter().flat_map(|function| function["goals"].as_array().into_iter());
    let left = goals.flatten().filter(|goal| goal["verdict"] != "covered");
    left.map(|goal| goal.to_string()).collect()
}

const KINDS: &str = "import java.util.*;
public class Kinds {
    enum Color { RED, GREEN, BLUE }
    static class Refused extends RuntimeException {
        final int code;
        Refused(int code) { this.code = code; }
    }
    static int color(Color color) {
        switch (color) { case RED: return 1; case GREEN: return 2; default: return 3; }
    }
    static boolean hi(List<String> list) { return list.size() == 2 && list.get(1).equals(\"hi\"); }
    static int sum(LinkedList<Integer> list) {
        int sum = 0;
        for (int each : list) sum += each;
        return sum > 10 ? 1 : 0;
    }
    static String why(Exception e) {
        if (e instanceof Refused && ((Refused) e).code == 7) return \"refused\";
        return e.getMessage() == null ? \"none\" : e.getMessage();
    }
    static int blue(Color[] colors) {
        int n = 0;
        for (Color each : colors) if (each == Color.BLUE) n++;
        return n == 2 ? 1 : 0;
    }
    static int is(Map<Integer, String> names) { return names.containsKey(5) ? 1 : 0; }
}";

#[test]
fn enums_collections_and_exceptions_are_made() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let (suite, text) = generate("Kinds", KINDS, &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{text}");
    for part in [
        "Kinds.Color.GREEN",
        "List<String> list = new ArrayList<>();",
        "list.add(\"hi\");",
        "new Kinds.Refused(7)",
        "import java.util.ArrayList;",
        "Map<Integer, String> names = new HashMap<>();",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("reflection"), "{text}");
}

const ACCOUNT: &str = "public class Account {
    private int balance;
    private boolean locked;
    private final String owner;
    private int failures;
    public Account(String owner, int start) {
        if (owner == null || start < 0) throw new IllegalArgumentException();
        this.owner = owner;
        this.balance = start;
    }
    public void deposit(int amount) {
        if (amount <= 0) throw new IllegalArgumentException();
        balance += amount;
    }
    public boolean withdraw(int amount) {
        if (locked) return false;
        if (amount > balance) {
            failures++;
            if (failures >= 2) locked = true;
            return false;
        }
        balance -= amount;
        return true;
    }
    public int getBalance() { return balance; }
    public boolean isLocked() { return locked; }
    public void transfer(Account to, int amount) {
        if (to == this) throw new IllegalStateException();
        if (withdraw(amount)) to.deposit(amount);
    }
    private boolean isRich() { return balance > 1000000; }
}";

#[test]
fn hidden_states_are_reached_by_calls() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let (suite, text) = generate("Account", ACCOUNT, &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{text}");
    assert!(text.contains("new Account("), "{text}");
    assert!(text.contains("account.transfer(account, "), "an alias: {text}");
    assert!(!text.contains("make(\"Account\")"), "no state is forced: {text}");
    // A private method has no other way, and the suite counts that.
    let functions = suite["functions"].as_array().expect("a list");
    let reported = functions.iter().filter(|function| {
        function["assumptions"].to_string().contains("use reflection (the method is private)")
    });
    assert_eq!(reported.count(), 1, "{suite:#}");
    let (suite, text) = generate("Account", ACCOUNT, &["--no-reflection", "--method", "isRich"]);
    assert_eq!(open(&suite).len(), 2);
    assert_eq!(text, "");
}

const NESTED: &str = "public class Nested {
    interface Shape { int sides(); }
    static class Square implements Shape {
        private final int[] corners = new int[4];
        public int sides() { return corners.length; }
    }
    static class Polygon implements Shape {
        private int sides;
        void grow() { sides++; }
        public int sides() { return sides; }
    }
    class Inner {
        private int value;
        Inner(int value) { this.value = value * 2; }
        boolean isBig() { return value + base > 100; }
    }
    private int base;
    static int kind(Shape shape) {
        if (shape.sides() == 4) return 4;
        return shape.sides() == 2 ? 2 : 0;
    }
    static boolean big(Inner inner) { return inner.isBig(); }
    static int first(Shape[] shapes) { return shapes.length > 1 && shapes[1].sides() == 0 ? 1 : 0; }
}";

#[test]
fn implementations_inner_classes_and_arrays_are_made() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let (suite, text) = generate("Nested", NESTED, &["--criterion", "branch"]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{text}");
    for part in ["new Nested.Square()", ".grow();", "Nested.Shape[] shapes = {"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("reflection"), "{text}");
}

/// A test that does not compile costs only itself, and things to be compared may be of any type.
#[test]
fn tests_of_generic_methods_compile() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Pick {
    static <T extends Comparable<T>> int kind(T a, T b) {
        if (a instanceof String && b instanceof Integer) return 1;
        return a == null ? 2 : 3;
    }
    static <T extends Number & Comparable<T>> int sign(T a, T b) {
        if (a instanceof Integer && b instanceof Long) return 1;
        return 2;
    }
    static int plain(int x) { return x > 3 ? 1 : 0; }
}
";
    let (suite, tests) = generate("Pick", source, &[]);
    // No type is a number, comparable, and that of two numbers of different classes.
    let left = open(&suite);
    let does_not_compile = |goal: &String| goal.contains("\"line\":7,") && goal.contains("compile");
    assert!(left.len() <= 2 && left.iter().all(does_not_compile), "{left:#?}\n{tests}");
    assert!(tests.contains("Pick.kind((Comparable) \""), "{tests}");
    assert!(tests.contains("Pick.plain("), "{tests}");
}

/// Whichever test is first in a JVM sees another error than the others.
#[test]
fn tests_of_a_class_that_cannot_be_initialized_agree_in_any_order() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Start {
    static class Bad {
        static int v = 1 / Integer.parseInt(\"0\");
        static int get() { return v; }
    }
    static int one(int x) { if (x > 5) return Bad.v; return 0; }
    static int two(int x) { if (x < 5) return Bad.get(); return 0; }
}
";
    let (suite, tests) = generate("Start", source, &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{tests}");
    assert_eq!(tests.matches("assertThrows(LinkageError.class").count(), 2, "{tests}");
}

/// Nothing but its constructor sets the fields of a record.
#[test]
fn records_are_made_by_their_constructor() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Points {
    record Point(int x, int y) {
        Point {
            if (x < 0) throw new IllegalArgumentException();
        }
    }
    static int far(Point p) { return p.y() > 100 ? 1 : 0; }
    static int left(Point p) { return p.x() < 0 ? 1 : 0; }
}
";
    let (suite, tests) = generate("Points", source, &[]);
    let left = open(&suite);
    // No point lies left of the line: no constructor makes it.
    assert_eq!(left.len(), 1, "{left:#?}\n{tests}");
    assert!(!left[0].contains("disagreement"), "{left:#?}");
    assert!(!tests.contains("set("), "{tests}");
    assert!(tests.contains("new Points.Point("), "{tests}");
}

/// The statements of the test that covers this, without assertions.
fn statements(tests: &str, goal: &str) -> Vec<String> {
    let mut blocks = tests.split("\n\n");
    let block = blocks.find(|block| block.contains(&format!("{goal}\n")));
    let block = block.unwrap_or_else(|| panic!("no test for {goal} in {tests}"));
    let lines = block.lines().skip_while(|line| !line.contains(" void ")).skip(1);
    let lines = lines.take_while(|line| *line != "    }").map(str::trim);
    lines.filter(|line| !line.starts_with("assert")).map(str::to_owned).collect()
}

/// The examples of den Hollander's thesis: the sequences are the shortest there are.
#[test]
fn sequences_of_calls_are_short() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/java/sequences");
    let sequence = |class: &str, method: &str, goal: &str| {
        let source = fs::read_to_string(corpus.join(format!("{class}.java"))).expect("it is there");
        let (suite, tests) =
            generate(class, &source, &["--method", method, "--no-reflection", "--timeout", "30"]);
        assert_eq!(open(&suite), Vec::<String>::new(), "{tests}");
        statements(&tests, goal)
    };
    let shown = sequence("TemperatureMonitor", "warning", "getTemperature() > 80 is true");
    assert_eq!(shown.len(), 4, "{shown:#?}");
    let shown = sequence("PartialOrder", "calculate", "c is true");
    assert_eq!(shown.len(), 5, "{shown:#?}");
    let shown = sequence("Coinbox", "vend", "isFree is true");
    assert_eq!(
        shown,
        [
            "Coinbox coinbox = new Coinbox();",
            "coinbox.addQtr();",
            "coinbox.addQtr();",
            "coinbox.returnQtrs();",
            "boolean result = coinbox.vend();"
        ]
    );
    // The library has a class of this name, too.
    let shown = sequence("LinkedList", "removeLast", "size == 0 is false");
    assert_eq!(shown.len(), 3, "{shown:#?}");
    // A call that changes nothing that is read is in no sequence.
    let shown = sequence("Safe", "open", "turns == 6 is true");
    assert_eq!(shown.len(), 8, "{shown:#?}");
    assert!(!shown.iter().any(|line| line.contains("knock")), "{shown:#?}");
}

/// Private methods are tested through those that call them.
#[test]
fn private_methods_are_reached_through_their_callers() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Parcel {
    private int weight;
    void load(int more) { if (more > 0) weight += more; }
    private int price(int zone) {
        if (zone > 3) return 10;
        if (weight > 20) return 5;
        return zone < 0 ? -1 : 2;
    }
    int total(int zone) { return 1 + price(zone); }
}
";
    let (suite, tests) = generate("Parcel", source, &["--method", "price", "--method", "total"]);
    let left = open(&suite);
    assert_eq!(left, Vec::<String>::new(), "{tests}");
    assert!(!tests.contains("call("), "{tests}");
    assert!(!tests.contains("set("), "{tests}");
    assert!(tests.contains("parcel.load("), "{tests}");
    assert!(tests.contains("parcel.total("), "{tests}");
}

/// Boxed numbers of one value may be two objects, which `Integer p = 1` does not say.
#[test]
fn boxed_numbers_are_objects_of_their_own() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Boxes {
    static int same(Integer p, Integer q) {
        if (p == null || q == null || p.intValue() != q.intValue()) return 0;
        return p == q ? 1 : 2;
    }
}
";
    let (suite, tests) = generate("Boxes", source, &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{tests}");
}

/// A text that is a constant of the program, too, is an object of its own where code compares references.
#[test]
fn texts_of_inputs_are_not_the_constants_of_the_program() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Texts {
    static int which(String s) {
        if (s == \"abc\") return 1;
        return s.equals(\"abc\") ? 2 : 3;
    }
}
";
    let (suite, tests) = generate("Texts", source, &[]);
    let left = open(&suite);
    assert!(tests.contains("new String(\"abc\")"), "{tests}");
    assert!(!left.iter().any(|goal| goal.contains("disagreement")), "{left:#?} {tests}");
}

/// A stand-in gives two different results at most, which proves nothing about others.
#[test]
fn what_a_stand_in_does_not_do_others_may() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public final class Thrice {
    interface Source { int next(); }
    private Source source;
    Thrice(Source source) { this.source = source; }
    int differ() {
        int a = source.next();
        int b = source.next();
        int c = source.next();
        return a != b && b != c ? 1 : 2;
    }
}
";
    let (suite, tests) = generate("Thrice", source, &[]);
    let left = open(&suite);
    assert!(!left.iter().any(|goal| goal.contains("\"infeasible\"")), "{left:#?} {tests}");
}

/// Whoever implements an interface is not known: what its methods give is chosen, call by call.
#[test]
fn interfaces_have_stand_ins_whose_results_are_chosen() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "import java.util.function.*;
public class Asks {
    interface Price { int of(String name, int count); }
    interface Door { boolean isOpen(); void shut(); String sign(); }
    static int cheap(Price price) { return price.of(\"a\", 2) < 5 ? 1 : 2; }
    static int rising(IntSupplier numbers) {
        int first = numbers.getAsInt();
        int second = numbers.getAsInt();
        return first < second ? 1 : 2;
    }
    static int through(Door door) {
        if (!door.isOpen()) return 0;
        door.shut();
        if (door.isOpen()) return 1;
        return door.sign() == null ? 2 : 3;
    }
    static int named(Supplier<String> name) { return name.get().equals(\"hi\") ? 1 : 2; }
}
";
    let (suite, tests) = generate("Asks", source, &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{tests}");
    assert!(tests.contains(" -> "), "{tests}");
    assert!(tests.contains("public boolean isOpen() "), "{tests}");
    assert!(!tests.contains("set("), "{tests}");
}

/// Interfaces of `java.lang` have stand-ins, too; what has no `add` is declared as what it is; and a class may be
/// called as the annotation of the framework is.
#[test]
fn names_of_the_language_and_of_the_framework_stay_apart() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let source = "public class Test {
    static int run(Runnable r, int x) { r.run(); return x == 7 ? 1 : 2; }
    static int sum(Iterable<Integer> all) {
        int sum = 0;
        for (int each : all) sum += each;
        return sum > 10 ? 1 : 0;
    }
}
";
    let (suite, tests) = generate("Test", source, &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{tests}");
    assert!(!tests.contains("$$StandIn"), "{tests}");
    assert!(!tests.contains("import org.junit.jupiter.api.Test;"), "{tests}");
    assert!(tests.contains("@org.junit.jupiter.api.Test\n"), "{tests}");
    assert!(!tests.contains("Iterable<Integer> all = new"), "{tests}");
}
