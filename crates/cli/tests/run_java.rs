//! `glassbox run` and `dump` on Java.

use std::path::Path;
use std::process::{Command, Output};

fn glassbox(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_glassbox"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("glassbox should start")
}

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

/// The source and its classes.
fn prepare(folder: &Path) {
    std::fs::write(folder.join("Clamp.java"), SOURCE).expect("the folder is writable");
    let status = Command::new("javac").args(["-g", "Clamp.java"]).current_dir(folder).status();
    assert!(status.expect("a JDK should be installed").success());
}

#[test]
fn methods_run_on_given_values() {
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path());
    let run = |args: &[&str]| glassbox(args, folder.path());
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
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path());
    let goals =
        glassbox(&["dump", "--stage", "goals", "Clamp.class", "--method", "clamp"], folder.path());
    let goals = text(&goals.stdout);
    assert!(goals.contains("x < low is true") && goals.contains("x > high is false"), "{goals}");
    let exceptions = ["dump", "--stage", "goals", "--criterion", "exception"];
    let exceptions = [&exceptions[..], &["Clamp.class", "--method", "quotient"]].concat();
    let exceptions = text(&glassbox(&exceptions, folder.path()).stdout);
    assert!(exceptions.contains("ArithmeticException is thrown"), "{exceptions}");
}

#[test]
fn bad_input_is_told_with_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    prepare(folder.path());
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
        let output = glassbox(args, folder.path());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(expected), "{args:?}: {}", text(&output.stderr));
    }
}
