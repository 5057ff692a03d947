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

/// A class path without all classes that were compiled against.
#[test]
fn classes_that_are_not_there_cost_what_names_them() {
    let Some(jdk) = Jdk::find() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    write(at, "Gone.java", "public class Gone { int v; int get() { return v; } }");
    let uses = "public class Uses {
        static int plain(int x) { return x > 5 ? 1 : 0; }
        static int needs(Gone g, int x) { return x == 7 ? g.get() : 2; }
        static int many(Gone[][] g, int x) { return x == 7 ? 1 : 2; }
        static int inside(int x) { return x == 9 ? new Gone().get() : 3; }
        static class Below extends Gone { int twice(int a) { return a > 3 ? 2 * get() : a; } }
    }";
    write(at, "Uses.java", uses);
    succeed(
        jdk.program("javac")
            .args(["-g", "-d", "classes", "Uses.java", "Gone.java"])
            .current_dir(at),
    );
    fs::remove_file(at.join("classes/Gone.class")).expect("it was there");
    let (output, suite) = generate(at, &["classes"]);
    assert_eq!(count(&suite, "Uses.plain", "covered"), 2, "{suite:#}");
    assert_eq!(count(&suite, "Uses.inside", "covered"), 1, "{suite:#}");
    for (name, n_unknown) in [("Uses.inside", 1), ("Uses.needs", 2), ("Uses.many", 2)] {
        let open = goals(&suite, name).into_iter().filter(|goal| goal["verdict"] == "unknown");
        let open: Vec<String> = open.map(|goal| goal["reason"].to_string()).collect();
        assert_eq!(open.len(), n_unknown, "{name}: {open:?}");
        let is_named = |reason: &String| reason.contains("unsupported") && reason.contains("Gone");
        assert!(open.iter().all(is_named), "{name}: {open:?}");
    }
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(printed.contains("left out: Uses$Below") && printed.contains("Gone"), "{printed}");
}

/// Obfuscators and other languages give names that no Java source can write, and leave out what compilers tell debuggers.
#[test]
fn names_that_no_source_has_are_named() {
    let Some(jdk) = Jdk::find() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let source = "package p; public class Xob { int xa;
        static int xf(int v) { return v > 5 ? 1 : 0; }
        static int box_impl(int v) { return v > 6 ? 1 : 0; }
        int aa(int v) { return v > xa ? 1 : 0; }
        static int inner(int v) { return xf(v); } }";
    write(at, "Xob.java", source);
    succeed(jdk.program("javac").args(["-g:none", "-d", "classes", "Xob.java"]).current_dir(at));
    let file = at.join("classes/p/Xob.class");
    let mut bytes = fs::read(&file).expect("it is there");
    for (from, to) in [("xf", "if"), ("box_impl", "box-impl"), ("xa", "do")] {
        let place = bytes.windows(from.len()).position(|it| it == from.as_bytes()).expect(from);
        bytes[place..place + from.len()].copy_from_slice(to.as_bytes());
    }
    fs::write(&file, bytes).expect("it can be written");
    let (_, suite) = generate(at, &["classes"]);
    assert_eq!(count(&suite, "Xob.aa", "covered"), 2, "{suite:#}");
    for name in ["if", "box-impl"] {
        let all = goals(&suite, &format!("Xob.{name}"));
        let is_named = |goal: &&Value| goal["reason"].to_string().contains("is no name in Java");
        assert!(all.len() == 2 && all.iter().all(is_named), "{all:#?}");
    }
}

/// The largest methods that there are, and classes that never start.
#[test]
fn huge_methods_and_endless_initializers_cost_themselves_only() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let lines = (0..2500).map(|i| format!("if (x == {}) s += y; else s ^= {i};\n", i * 7 + 1));
    let lines: String = lines.collect();
    let huge = format!(
        "public class Huge {{ static int f(int x, int y) {{ int s = 0; {lines} return s; }} static int g(int x) {{ return x > 5 ? 1 : 0; }} }}"
    );
    write(at, "Huge.java", &huge);
    // It ends after more steps than anyone waits for, so that nothing is proved about it.
    let endless = "public class Endless {
        static { int k = 1; while (k != 123456) { k = k * 1103515245 + 12345; } }
        static int f(int x) { return x > 5 ? 1 : 0; } }";
    write(at, "Endless.java", endless);
    let args = ["Huge.java", "Endless.java", "--budget", "0.3cpu"];
    let (output, suite) = generate(at, &args);
    assert_eq!(count(&suite, "Huge.g", "covered"), 2);
    assert_eq!(goals(&suite, "Huge.f").len(), 5000);
    assert!(count(&suite, "Huge.f", "covered") >= 2500);
    assert_eq!(count(&suite, "Endless.f", "unknown"), 2, "{suite:#}");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("the static initializer of Endless does not end"), "{printed}");
}

/// Only who asks a generator without a seed for a number is not followed.
#[test]
fn random_numbers_are_those_of_their_seed() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let source = "import java.util.Random;
    public class Dice {
        private final Random random = new Random();
        int n;
        boolean isLarge(int x) { n += x; return n > 5; }
        int roll() { return random.nextInt(6) > 2 ? 1 : 0; }
        static int seeded(long seed) { return new Random(seed).nextInt(4) == 3 ? 1 : 0; }
        static int again(int x) { Random r = new Random(); r.setSeed(x); return r.nextBoolean() ? 1 : 0; }
    }";
    write(folder.path(), "Dice.java", source);
    let (_, suite) = generate(folder.path(), &["Dice.java", "--timeout", "5"]);
    for name in ["Dice.isLarge", "Dice.seeded", "Dice.again"] {
        assert_eq!(count(&suite, name, "covered"), 2, "{suite:#}");
    }
    let open = goals(&suite, "Dice.roll");
    let is_named = |goal: &&Value| goal["reason"].to_string().contains("without a seed");
    assert!(open.len() == 2 && open.iter().all(is_named), "{open:#?}");
}
