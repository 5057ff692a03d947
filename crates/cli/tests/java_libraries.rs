//! Whole libraries of Java: many classes in several programs, tests that one command builds and runs, texts for Mockito.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Output;

use glassbox_testkit::java::{Jdk, succeed};
use glassbox_testkit::{
    Tool,
    command::{run_glassbox_in, run_tests_as_printed},
    folder, require,
};
use serde_json::Value;

fn generate(folder: &Path, args: &[&str]) -> Output {
    run_glassbox_in(folder, [&["gen", "--jobs", "1"], args].concat())
}

fn suite(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("glassbox-out/suite.json")).expect("it is written");
    serde_json::from_str(&text).expect("it is JSON")
}

/// Goals of methods whose name has this in it, with their verdicts.
fn verdicts(suite: &Value, name: &str) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let functions = suite["functions"].as_array().expect("a list").iter();
    let own = functions.filter(|function| text(&function["name"]).contains(name));
    let goals = own.flat_map(|function| function["goals"].as_array().into_iter().flatten());
    goals.map(|goal| (text(&goal["text"]), text(&goal["verdict"]))).collect()
}

/// A class with many methods that have nothing to decide, and one that has.
fn wide(name: &str, n_methods: usize) -> String {
    let mut text = format!("package wide; public class {name} {{\n");
    for number in 0..n_methods {
        let _ = writeln!(text, "    static int get{number}() {{ return {number}; }}");
    }
    text.push_str("    static int sign(int x) { return x < 0 ? -1 : 1; }\n}\n");
    text
}

/// A jar of three wide classes, a class that cannot be read and an interface is several programs with one folder of tests.
#[test]
fn a_large_jar_is_read_in_parts() {
    let Some(jdk) = Jdk::find() else { return };
    if require(Tool::Jdk).is_none() {
        return;
    }
    let files: Vec<(String, String)> = ["One", "Three", "Two"]
        .iter()
        .map(|name| (format!("src/wide/{name}.java"), wide(name, 90)))
        .chain([(
            "src/wide/Zero.java".to_owned(),
            "package wide; interface Zero { int f(); }".to_owned(),
        )])
        .collect();
    let listed: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder::with_files(&listed);
    let at = folder.path();
    let sources = listed.iter().map(|(name, _)| *name);
    succeed(jdk.program("javac").args(["-g", "-d", "classes"]).args(sources).current_dir(at));
    let bytes = fs::read(at.join("classes/wide/One.class")).expect("it is there");
    fs::write(at.join("classes/wide/Broken.class"), &bytes[..200]).expect("it can be written");
    let output = generate(at, &["classes", "--framework", "junit5"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("glassbox: file 1/3 classes: wide.Broken to wide.One"), "{said}");
    assert!(said.contains("glassbox: file 3/3 classes: wide.Two to wide.Zero"), "{said}");
    assert!(said.contains("left out: wide.Broken"), "{said}");
    let suite = suite(at);
    for class in ["One", "Two", "Three"] {
        let found = verdicts(&suite, &format!("wide.{class}.sign"));
        assert_eq!(found.len(), 2, "{said}");
        assert!(found.iter().all(|(_, verdict)| verdict == "covered"), "{found:?}");
    }
    if require(Tool::Jar("junit-platform-console-standalone.jar")).is_some() {
        let shown = run_tests_as_printed(at, &output);
        assert!(shown.contains("6 tests successful"), "{shown}");
    }
}

/// `equals` in a library of many classes: an object of any class may come in, and one of its own has to be among them.
#[test]
fn objects_of_the_class_that_is_asked_for_come_first() {
    let Some(jdk) = Jdk::find() else { return };
    let mut text = String::new();
    for name in ["A", "B", "C", "D", "E", "F", "G", "H", "I"] {
        let _ = writeln!(
            text,
            "class {name} {{ int v; boolean is{name}(Object o) {{ return o instanceof {name}; }} }}"
        );
    }
    text.push_str(
        "public class Z {
    private final int x;
    public Z(int x) { this.x = x; }
    public boolean equals(Object o) {
        if (o == null || getClass() != o.getClass()) return false;
        return x == ((Z) o).x;
    }
    public static boolean knows(Object o) { return o instanceof H && ((H) o).v == 3; }
}",
    );
    let folder = folder::with_files(&[("src/Z.java", &text)]);
    let at = folder.path();
    succeed(jdk.program("javac").args(["-g", "-d", "classes", "src/Z.java"]).current_dir(at));
    generate(at, &["classes", "--framework", "plain"]);
    let suite = suite(at);
    for method in ["Z.equals", "Z.knows"] {
        let found = verdicts(&suite, method);
        assert!(found.iter().all(|(_, verdict)| verdict == "covered"), "{method}: {found:?}");
    }
}

/// A test of a private method that the class calls when it starts is not a call of something else.
#[test]
fn starting_a_class_shows_nothing_about_a_test() {
    let Some(jdk) = Jdk::find() else { return };
    let text = "public class Start {
    static final int FIRST = half(8);
    private static int half(int x) { return x % 2 == 0 ? x / 2 : x; }
    public static int twice(int x) { return x > 5 ? half(x) + FIRST : FIRST; }
}";
    let folder = folder::with_files(&[("src/Start.java", text)]);
    let at = folder.path();
    succeed(jdk.program("javac").args(["-g", "-d", "classes", "src/Start.java"]).current_dir(at));
    generate(at, &["classes", "--framework", "plain"]);
    let suite = suite(at);
    assert!(!suite.to_string().contains("disagreement"), "{suite:#}");
    let found = verdicts(&suite, "half");
    assert!(found.iter().all(|(_, verdict)| verdict == "covered"), "{found:?}");
}

/// Where people ask for a reader or a stream, tests make those that are made from texts and numbers.
#[test]
fn abstract_types_of_the_jdk_have_usual_objects() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let text = "import java.io.*;
public class Streams {
    static boolean begins(Reader in) throws IOException { return in != null && in.read() == 'x'; }
    static boolean ends(InputStream in) throws IOException { return in.read() < 0; }
    static int put(Appendable out, boolean twice) throws IOException {
        if (out == null) return 0;
        out.append('a');
        return twice ? 2 : 1;
    }
}";
    let folder = folder::with_files(&[("Streams.java", text)]);
    let at = folder.path();
    generate(at, &["Streams.java", "--framework", "plain"]);
    let suite = suite(at);
    let found = verdicts(&suite, "Streams.");
    assert!(found.iter().all(|(_, verdict)| verdict == "covered"), "{found:?}");
    let tests = fs::read_to_string(at.join("glassbox-out/tests/StreamsGlassboxTest.java"));
    let tests = tests.expect("it is written");
    assert!(tests.contains("new StringReader(\"x"), "{tests}");
}

/// Dates and properties are run as they are.
#[test]
fn dates_and_properties_are_the_jdks_own() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let text = "import java.time.*;
import java.util.*;
public class Days {
    static int kind(int year, int month, int day) {
        LocalDate date = LocalDate.of(year, month, day);
        if (date.isLeapYear()) return 1;
        return date.getDayOfWeek() == DayOfWeek.MONDAY ? 2 : 3;
    }
    static boolean isLong(long seconds) { return Duration.ofSeconds(seconds).toMinutes() > 5; }
    static int size(String value) {
        Properties known = new Properties();
        known.setProperty(\"a\", value);
        int size = 0;
        for (Map.Entry<Object, Object> entry : known.entrySet()) size += entry.getValue().toString().length();
        return size > 2 ? 1 : 0;
    }
}";
    let folder = folder::with_files(&[("Days.java", text)]);
    let at = folder.path();
    generate(at, &["Days.java", "--framework", "plain"]);
    let suite = suite(at);
    let found = verdicts(&suite, "Days.");
    assert!(found.iter().all(|(_, verdict)| verdict == "covered"), "{found:?}\n{suite:#}");
}

const CLIENT: &str = "package shop;
public class Client {
    public interface Store {
        int stock(String item, int place);
        void sell(String item) throws java.io.IOException;
        Item find(long id);
    }
    public static class Item { public int price; }
    public interface Greeting { String name(); default String text() { return \"hi \" + name(); } }
    public static int twice(Store store) {
        int first = store.stock(\"a\", 1);
        int second = store.stock(\"a\", 2);
        return first == 3 && second == 4 ? 1 : 0;
    }
    public static boolean sells(Store store) {
        boolean sold = true;
        try { store.sell(\"a\"); } catch (java.io.IOException e) { sold = false; }
        return !sold;
    }
    public static boolean cheap(Store store) {
        Item item = store.find(7L);
        return item != null && item.price < 10;
    }
    public static int greets(Greeting greeting) {
        if (greeting.text().equals(\"hi me\")) return 1;
        return 0;
    }
}";

#[test]
fn stand_ins_are_mocks_where_they_are_asked_for() {
    if require(Tool::Jar("mockito-core.jar")).is_none() {
        return;
    }
    let folder = folder::with_files(&[("Client.java", CLIENT)]);
    let at = folder.path();
    let args = ["Client.java", "--class", "shop.Client", "--mocks", "mockito"];
    let output = generate(at, &[&args[..], &["--framework", "junit5"]].concat());
    let suite = suite(at);
    let found = verdicts(&suite, "shop.Client.");
    assert!(found.iter().all(|(_, verdict)| verdict == "covered"), "{found:?}");
    let tests = at.join("glassbox-out/tests/shop/ClientGlassboxTest.java");
    let tests = fs::read_to_string(tests).expect("it is written");
    for text in [
        "import static org.mockito.Mockito.*;",
        "= mock(Client.Store.class);",
        ".stock(any(), anyInt())).thenReturn(3, 4",
        "doThrow(new IOException()).when(",
        "when(store.find(anyLong())).thenReturn(",
        "= mock(Client.Greeting.class, CALLS_REAL_METHODS);",
    ] {
        assert!(tests.contains(text), "{text}\n{tests}");
    }
    let shown = run_tests_as_printed(at, &output);
    assert!(shown.contains(" 0 tests failed"), "{shown}");
    let refused = generate(at, &[&args[..], &["--framework", "plain"]].concat());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("--mocks mockito needs tests for junit4 or junit5"), "{said}");
}

/// Letters of a text that is an input are looked up in the JDK's tables and changed to the other case without a path for each.
#[test]
fn letters_are_no_paths_of_their_own() {
    let Some(jdk) = Jdk::find() else { return };
    let source = r#"public class Letters {
    static int blank(String s) {
        if (s.isBlank()) return 0;
        return s.charAt(0) == 'S' ? 1 : 2;
    }
    static int upper(String s) { return s.toUpperCase().equals("STOP 1[") ? 1 : 2; }
    static int lower(String s) { return s.toLowerCase().startsWith("\u00e4b") ? 1 : 2; }
}
"#;
    let folder = folder::with_files(&[("src/Letters.java", source)]);
    let at = folder.path();
    succeed(jdk.program("javac").args(["-g", "-d", "classes", "src/Letters.java"]).current_dir(at));
    generate(at, &["classes", "--framework", "plain"]);
    let suite = suite(at);
    for method in ["blank", "upper", "lower"] {
        for (text, verdict) in verdicts(&suite, method) {
            assert_eq!(verdict, "covered", "{text}");
        }
    }
}
