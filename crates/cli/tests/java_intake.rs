//! Java as people have it: jars of all kinds, odd names, broken classes among good ones, methods that do
//! not end, ask the clock or leave the JVM. Nothing is lost, and nothing is called impossible that is not.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::fs;
use std::path::Path;
use std::process::Output;

use glassbox_testkit::java::{Jdk, succeed};
use glassbox_testkit::{Tool, command::glassbox, require};
use serde_json::Value;

fn generate(folder: &Path, args: &[&str]) -> (Output, Value) {
    let output = glassbox()
        .args(["gen", "--framework", "plain"])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("it starts");
    let text = fs::read_to_string(folder.join("glassbox-out/suite.json"));
    let text = text.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (output, serde_json::from_str(&text).expect("it is JSON"))
}

/// Verdicts of one method, with reasons.
fn goals<'s>(suite: &'s Value, name: &str) -> Vec<&'s Value> {
    let functions = suite["functions"].as_array().expect("a list");
    let own = functions.iter().filter(|f| f["name"].as_str().is_some_and(|n| n.contains(name)));
    own.flat_map(|function| function["goals"].as_array().into_iter().flatten()).collect()
}

fn count(suite: &Value, name: &str, verdict: &str) -> usize {
    goals(suite, name).iter().filter(|goal| goal["verdict"] == verdict).count()
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
    fs::write(path, text).expect("it can be written");
}

/// A signed jar of several versions, whose manifest names another jar.
#[test]
fn jars_are_read_as_the_jvm_reads_them() {
    let Some(jdk) = Jdk::find() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let run = |program: &str, args: &[&str]| {
        succeed(jdk.program(program).args(args).current_dir(at));
    };
    write(
        at,
        "help/help/Helper.java",
        "package help; public class Helper { public static int limit() { return 41; } }",
    );
    let main = |limit: &str| {
        format!(
            "package app; public class Main {{ static int f(int x) {{ return x > {limit} ? 1 : 0; }} }}"
        )
    };
    write(at, "old/app/Main.java", &main("1000"));
    write(at, "new/app/Main.java", &main("help.Helper.limit() && x < 43"));
    write(at, "manifest", "Class-Path: lib/help.jar gone.jar\nMulti-Release: true\n");
    run("javac", &["-d", "c/help", "help/help/Helper.java"]);
    run("javac", &["-cp", "c/help", "-d", "c/old", "old/app/Main.java"]);
    run("javac", &["-cp", "c/help", "-d", "c/new", "new/app/Main.java"]);
    fs::create_dir_all(at.join("lib")).expect("it can be made");
    run("jar", &["cf", "lib/help.jar", "-C", "c/help", "help"]);
    let args = [
        "cfm",
        "app.jar",
        "manifest",
        "-C",
        "c/old",
        "app",
        "--release",
        "11",
        "-C",
        "c/new",
        "app",
    ];
    run("jar", &args);
    let key = "-genkeypair -alias a -keyalg RSA -dname CN=a -storepass secret -keystore keys";
    run("keytool", &key.split(' ').collect::<Vec<_>>());
    run("jarsigner", &["-keystore", "keys", "-storepass", "secret", "app.jar", "a"]);
    let (output, suite) = generate(at, &["app.jar"]);
    assert_eq!(output.status.code(), Some(0), "{suite:#}");
    // The newer class has two conditions.
    assert_eq!(count(&suite, "Main.f", "covered"), 4, "{suite:#}");
    assert!(suite.to_string().contains("confirmed: coverage (probes"), "{suite:#}");
}

const ODD: &str = "public class My$Odd {
    static int f(int x) { return x > 2 ? 1 : 0; }
    static class In$ner { int v; int g() { return v > 3 ? 1 : 0; } }
}";

#[test]
fn odd_names_and_broken_neighbors_do_not_matter() {
    let Some(jdk) = Jdk::find() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let run = |program: &str, args: &[&str]| {
        succeed(jdk.program(program).args(args).current_dir(at));
    };
    write(at, "My$Odd.java", ODD);
    run("javac", &["-g", "-d", "classes", "My$Odd.java"]);
    let bytes = fs::read(at.join("classes/My$Odd.class")).expect("it is there");
    fs::write(at.join("classes/Broken.class"), &bytes[..200]).expect("it can be written");
    let (output, suite) = generate(at, &["classes"]);
    assert_eq!(count(&suite, "", "covered"), 4, "{suite:#}");
    assert_eq!(output.status.code(), Some(0), "{suite:#}");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(printed.contains("left out: Broken"), "{printed}");
}

const HARD: &str = "public class Hard {
    static native int nat(int x);
    static int callsNative(int x) { return x > 3 ? nat(x) : 1; }
    static int forever(int x) { while (x != 7) { if (x > 100) x = 8; } return x; }
    static int exits(int x) { if (x == 3) System.exit(4); return x > 5 ? 1 : 0; }
    static int deep(int x) { return x > 2 ? deep(x) + 1 : 0; }
    static int time() { return System.currentTimeMillis() % 2 == 0 ? 1 : 0; }
    static int nano() { return System.nanoTime() % 3 == 0 ? 1 : 0; }
    static int random() { return new java.util.Random().nextInt() > 0 ? 1 : 0; }
    static int hash() { return System.identityHashCode(new Object()) == 77 ? 1 : 0; }
    static int counter;
    static int stateful() { counter++; return counter > 2 ? 1 : 0; }
    static int thread(int x) throws Exception {
        Thread thread = new Thread(() -> counter = x);
        thread.start();
        thread.join();
        return counter > 3 ? 1 : 0;
    }
}";

#[test]
fn what_no_test_can_hold_still_is_unknown_with_its_reason() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "Hard.java", HARD);
    let (output, suite) = generate(folder.path(), &["Hard.java", "--timeout", "5"]);
    assert_eq!(output.status.code(), Some(1));
    // Nothing of this is impossible.
    assert_eq!(count(&suite, "", "infeasible"), 0, "{suite:#}");
    for name in ["time", "nano", "random", "thread"] {
        let all = goals(&suite, &format!("Hard.{name}"));
        assert_eq!(all.len(), 2, "{name}");
        for goal in all {
            assert_eq!(goal["verdict"], "unknown", "{goal:#}");
        }
    }
    assert_eq!(count(&suite, "Hard.stateful", "infeasible-within"), 1, "{suite:#}");
    assert_eq!(count(&suite, "Hard.callsNative", "covered"), 1);
    assert_eq!(count(&suite, "Hard.exits", "covered"), 3);
    let exit = goals(&suite, "Hard.exits").into_iter().find(|goal| goal["verdict"] == "unknown");
    assert!(exit.expect("one is left").to_string().contains("Exited(4)"));
    assert!(count(&suite, "Hard.forever", "unknown") > 0);
    assert!(count(&suite, "Hard.deep", "covered") > 0);
}
