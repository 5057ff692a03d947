//! `glassbox run` and `dump` on Java.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::folder::{self, TempDir};
use glassbox_testkit::java::Jdk;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const SOURCE: &str = "\
public class Clamp {
    static int clamp(int x, int low, int high) {
        if (x < low) return low;
        return x > high ? high : x;
    }
    static int quotient(int a, int b) { return a / b; }
    static String shout(String s) { return s.toUpperCase() + '!'; }
    public static void main(String[] args) {
        for (String arg : args) System.out.println(arg + \" \" + clamp(arg.length(), 2, 4));
        if (args.length == 0) System.exit(7);
    }
}
";

/// A folder with the source and its classes; `None` without a JDK.
fn prepare() -> Option<TempDir> {
    let jdk = Jdk::find()?;
    let folder = folder::with_files(&[("Clamp.java", SOURCE)]);
    jdk.compile(&[], &[folder.path().join("Clamp.java")], folder.path());
    Some(folder)
}

#[test]
fn methods_run_on_given_values() {
    let Some(folder) = prepare() else { return };
    let run = |args: &[&str]| run_glassbox_in(folder.path(), args);
    let clamped = run(&["run", "Clamp.java", "--method", "clamp", "--", "9", "1", "5"]);
    assert_eq!((text(&clamped.stdout), clamped.status.code()), ("5\n".to_owned(), Some(0)));
    let thrown = run(&["run", "Clamp.class", "--method", "quotient", "--", "1", "0"]);
    assert_eq!(text(&thrown.stderr), "exception java.lang.ArithmeticException: / by zero\n");
    assert_eq!(thrown.status.code(), Some(1));
    let shouted = run(&["run", "Clamp.class", "--method", "shout", "--", "hey"]);
    assert_eq!(text(&shouted.stdout), "\"HEY!\"\n");
    let main = run(&["run", "Clamp.class", "--", "a", "abcdef"]);
    assert_eq!(text(&main.stdout), "a 2\nabcdef 4\n");
    assert_eq!(run(&["run", "Clamp.class"]).status.code(), Some(7));
}

#[test]
fn goals_of_methods_are_listed() {
    let Some(folder) = prepare() else { return };
    let goals = run_glassbox_in(
        folder.path(),
        ["dump", "--stage", "goals", "Clamp.class", "--method", "clamp"],
    );
    let goals = text(&goals.stdout);
    assert!(goals.contains("x < low is true") && goals.contains("x > high is false"), "{goals}");
    let exceptions = ["dump", "--stage", "goals", "--criterion", "exception"];
    let exceptions = [&exceptions[..], &["Clamp.class", "--method", "quotient"]].concat();
    let exceptions = text(&run_glassbox_in(folder.path(), &exceptions).stdout);
    assert!(exceptions.contains("ArithmeticException is thrown"), "{exceptions}");
}

#[test]
fn bad_input_is_reported_with_exit_code_2() {
    let Some(folder) = prepare() else { return };
    std::fs::write(folder.path().join("Bad.class"), [0xca, 0xfe, 0xba, 0xbe, 0]).expect("writable");
    std::fs::write(folder.path().join("Bad.java"), "class Bad { int }").expect("writable");
    for (args, expected) in [
        (&["run", "nowhere.class"][..], "no such file"),
        (&["run", "Bad.class"], "the file ends too early"),
        (&["run", "Bad.java"], "error"),
        (&["run", "Clamp.class", "--class", "Other"], "class Other is not on the class path"),
        (&["run", "Clamp.class", "--method", "other"], "no method `other`"),
        (&["run", "Clamp.class", "--method", "clamp", "--", "1"], "no static method takes 1"),
        (&["run", "Clamp.class", "--method", "quotient", "--", "1", "x"], "`x` is not a value"),
        (&["run", "Clamp.class", "--classpath", "missing.jar"], "no such file"),
    ] {
        let output = run_glassbox_in(folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(expected), "{args:?}: {}", text(&output.stderr));
    }
}
