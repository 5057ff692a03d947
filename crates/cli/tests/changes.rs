//! Two versions compared, and work on what has changed only.

#![allow(clippy::disallowed_methods, reason = "tests start programs and change files")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use glassbox_testkit::command::{glassbox, run_glassbox_in};
use glassbox_testkit::{Tool, folder, require};

const OLD: &str = "int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; return 0; }\n\
    int top(int x) { if (x > 100) return 1; return 0; }\n\
    int same(int x) { return x == 3; }\n";
const NEW: &str = "int sign(int x) { if (x > 0) return 2; if (x < 0) return -1; return 0; }\n\
    int top(int x) { if (x > 0 && x < 0) return 1; return 0; }\n\
    int same(int x) { return x == 3; }\n\
    int more(int x) { return x > 4 ? 1 : 2; }\n";

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn two_suites_are_compared() {
    let place = folder::with_files(&[("a.c", OLD)]);
    run_glassbox_in(place.path(), ["gen", "a.c", "--out", "old"]);
    folder::write(place.path(), "a.c", NEW);
    run_glassbox_in(place.path(), ["gen", "a.c", "--out", "new"]);
    let output = run_glassbox_in(place.path(), ["diff", "old", "new"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("Behaves differently"), "{text}");
    assert!(text.contains("a.c:1: sign: returns 1 before, returns 2 now\n    with x = "), "{text}");
    assert!(text.contains("more: the function is new"), "{text}");
    assert!(!text.contains(" same: "), "{text}");
    let page = said(&run_glassbox_in(place.path(), ["diff", "old", "new", "--format", "html"]));
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("returns 1 before"), "{page}");
    let log = said(&run_glassbox_in(place.path(), ["diff", "old", "new", "--format", "sarif"]));
    let log: serde_json::Value = serde_json::from_str(&log).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let none = run_glassbox_in(place.path(), ["diff", "old", "old"]);
    assert_eq!((none.status.code(), said(&none).as_str()), (Some(0), "nothing is different\n"));
    for wrong in [&["diff", "old"][..], &["diff", "old", "nowhere"], &["diff", "old", "new", "old"]]
    {
        assert_eq!(run_glassbox_in(place.path(), wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn proofs_that_break_are_named() {
    let text = |limit: &str| {
        format!("int f(unsigned char c) {{ int x = c; if (x > {limit}) return 1; return 0; }}\n")
    };
    let place = folder::with_files(&[("a.c", &text("300"))]);
    run_glassbox_in(place.path(), ["gen", "a.c", "--out", "old"]);
    folder::write(place.path(), "a.c", &text("30"));
    run_glassbox_in(place.path(), ["gen", "a.c", "--out", "new"]);
    // The words of the goals are different: both have a new one, and none that broke.
    assert!(said(&run_glassbox_in(place.path(), ["diff", "old", "new"])).contains("Gone"));
    let text = |start: &str| {
        format!("int f(unsigned char c) {{ int x = {start}; if (x > 300) return 1; return 0; }}\n")
    };
    folder::write(place.path(), "a.c", &text("c * 2"));
    run_glassbox_in(place.path(), ["gen", "a.c", "--out", "new"]);
    let broken = run_glassbox_in(place.path(), ["diff", "old", "new"]);
    assert!(said(&broken).contains("No longer proved (1)"), "{}", said(&broken));
    assert!(said(&broken).contains("x > 300 is true: was infeasible, is covered\n    with c = "));
    assert_eq!(broken.status.code(), Some(3));
    let back = run_glassbox_in(place.path(), ["diff", "new", "old"]);
    assert!(said(&back).contains("Unreachable now (1)"), "{}", said(&back));
}

/// The new suite has other inputs: what the function does with the old ones is part of it, through later runs.
#[test]
fn inputs_of_the_suite_before_are_compared() {
    let before = "int f(int x) { return x > 1000 ? x / 7 : 3; }\n";
    let place = folder::with_files(&[("a.c", before)]);
    let write = |text: &str| folder::write(place.path(), "a.c", text);
    let words = ["gen", "a.c", "--out", "o", "--no-exec"];
    let diff = || said(&run_glassbox_in(place.path(), ["diff", "old", "o"]));
    run_glassbox_in(place.path(), ["gen", "a.c", "--out", "old", "--no-exec"]);
    run_glassbox_in(place.path(), words);
    // More global variables: all is done again, and nothing is different.
    write(&format!("int first;\n{before}int last;\n"));
    run_glassbox_in(place.path(), words);
    assert_eq!(diff(), "nothing is different\n");
    write(&before.replace("x / 7 : 3", "x / 7 : 4"));
    let again = said(&run_glassbox_in(place.path(), words));
    let note = again.lines().find(|line| line.contains("does something else")).expect("a note");
    assert!(note.contains("returns 3 before, returns 4 now"), "{note}");
    let text = diff();
    assert!(text.contains("a.c:1: f: returns 3 before, returns 4 now\n    with x = "), "{text}");
    // Other goals, other tests; and a run that finds all as it was.
    let other = before.replace("x > 1000 ? x / 7 : 3", "x == 77 ? 6 : 5");
    for _ in 0..2 {
        write(&other);
        run_glassbox_in(place.path(), words);
        let text = diff();
        assert!(text.contains("f: returns 3 before, returns 5 now\n    with x = "), "{text}");
        for format in ["html", "sarif"] {
            let words = ["diff", "old", "o", "--format", format];
            let page = said(&run_glassbox_in(place.path(), words));
            assert!(page.contains("returns 3 before, returns 5 now"), "{page}");
        }
    }
}

/// Where literals and declarations stand is no behavior, and a null pointer that is read back is one.
#[test]
fn what_only_moves_is_no_change() {
    let before = "#include <stdlib.h>\n\
        const char *word(int x) { if (x > 10) return \"big\"; return \"small\"; }\n\
        int a, b; struct pair { int p, q; };\n\
        struct pair both(int x) { struct pair r = { x, 1 }; if (x > 3) { a = x; b = 2; } return r; }\n\
        const char *kept;\n\
        int known(void) { return kept == NULL; }\n\
        int *number(int x) { if (x > 10) return malloc(4); if (x < 0) return 0; return 0; }\n\
        int *outside(int x); int asks(int x) { return outside(x) == 0; }\n";
    let place = folder::with_files(&[("a.c", before)]);
    let write = |text: &str| folder::write(place.path(), "a.c", text);
    let words = ["gen", "a.c", "--out", "o", "--no-exec"];
    run_glassbox_in(place.path(), words);
    run_glassbox_in(place.path(), ["gen", "a.c", "--out", "old", "--no-exec"]);
    let moved = before
        .replace(
            "const char *word",
            "const char *first(void) { return \"first\"; }\nconst char *word",
        )
        .replace("int a, b; struct pair { int p, q; };", "int b, a; struct pair { int q, p; };")
        .replace("r = { x, 1 }", "r = { 1, x }")
        .replace("if (x < 0) return 0; ", "");
    write(&moved);
    let again = said(&run_glassbox_in(place.path(), words));
    assert!(!again.contains("does something else") && !again.contains(" before, "), "{again}");
    let text = said(&run_glassbox_in(place.path(), ["diff", "old", "o"]));
    assert!(!text.contains("Behaves differently"), "{text}");
    write(&moved.replace("\"big\"", "\"huge\""));
    run_glassbox_in(place.path(), words);
    let text = said(&run_glassbox_in(place.path(), ["diff", "old", "o"]));
    assert!(text.contains("word: returns \"big\" before, returns \"huge\" now"), "{text}");
    assert!(text.contains("Behaves differently (1)"), "{text}");
}

/// What is new is shown by inputs that the newer version brings.
#[test]
fn revisions_run_the_inputs_of_each_other() {
    let place = folder::with_files(&[
        ("include/limit.h", "#define LIMIT 5\n"),
        ("a.c", "#include <limit.h>\nint f(int x) { return x > LIMIT; }\n"),
    ]);
    git(place.path(), &["init", "-q"]);
    git(place.path(), &["add", "."]);
    git(place.path(), &["commit", "-q", "-m", "one"]);
    let text =
        "#include <limit.h>\nint f(int x) { if (x == 123456) return 9; return x > LIMIT; }\n";
    folder::write(place.path(), "a.c", text);
    let absolute = place.path().join("a.c").display().to_string();
    for (file, include) in [("a.c", "-Iinclude"), (&absolute, "-Iinclude")] {
        let words = ["diff", "--rev", "HEAD", file, "--", include];
        let output = run_glassbox_in(place.path(), words);
        let text = said(&output);
        let change = "a.c:2: f: returns 1 before, returns 9 now\n    with x = 123456";
        assert!(text.contains(change), "{text}{}", errors(&output));
        assert_eq!(text.matches("Behaves differently (1)").count(), 1, "{text}");
        assert_eq!(output.status.code(), Some(3));
    }
    let same =
        run_glassbox_in(place.path(), ["diff", "--rev", "HEAD..HEAD", "a.c", "--", "-Iinclude"]);
    assert_eq!(said(&same), "nothing is different\n", "{}", errors(&same));
    let wrong = run_glassbox_in(place.path(), ["diff", "one", "two", "--", "-Iinclude"]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// Runs git in a folder.
fn git(place: &Path, words: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@t"]).args(words).current_dir(place);
    assert!(command.stdout(Stdio::null()).status().is_ok_and(|status| status.success()));
}

fn repository() -> folder::TempDir {
    let place = folder::with_files(&[
        ("src/a.c", OLD),
        ("src/b.c", "int other(int x) { return x > 9; }\n"),
    ]);
    git(place.path(), &["init", "-q"]);
    git(place.path(), &["add", "."]);
    git(place.path(), &["commit", "-q", "-m", "one"]);
    place
}

#[test]
fn what_has_not_changed_since_a_revision_is_left_out() {
    let place = repository();
    let words = ["gen", "src", "--out", "o", "--since", "HEAD", "--no-exec"];
    let none = run_glassbox_in(place.path(), words);
    assert_eq!(
        (none.status.code(), said(&none).as_str()),
        (Some(0), "nothing has changed since HEAD\n")
    );
    folder::write(place.path(), "src/a.c", &OLD.replace("x > 100", "x > 200"));
    let output = run_glassbox_in(place.path(), words);
    assert!(said(&output).starts_with("top: 2 goals: 2 covered"), "{}", said(&output));
    assert!(!said(&output).contains("sign") && !said(&output).contains("other"));
    folder::write(place.path(), "src/c.c", "int fresh(int x) { return x > 1; }\n");
    let output = run_glassbox_in(place.path(), ["check", "src", "--out", "o", "--since", "HEAD"]);
    assert!(!errors(&output).contains("error"), "{}", errors(&output));
    let wrong = run_glassbox_in(place.path(), ["gen", "src", "--out", "o", "--since", "nothing"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(errors(&wrong).contains("git knows no revision `nothing`"), "{}", errors(&wrong));
    let outside = folder::with_files(&[("a.c", OLD)]);
    let wrong = run_glassbox_in(outside.path(), ["gen", "a.c", "--out", "o", "--since", "HEAD"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn headers_of_a_revision_are_found_by_absolute_paths() {
    let place = folder::with_files(&[
        ("include/limit.h", "#define LIMIT 5\n"),
        ("a.c", "#include \"limit.h\"\nint over(int x) { return x > LIMIT; }\n"),
    ]);
    git(place.path(), &["init", "-q"]);
    git(place.path(), &["add", "."]);
    git(place.path(), &["commit", "-q", "-m", "one"]);
    let include = format!("-I{}", place.path().join("include").display());
    let words =
        ["gen", "a.c", "--out", "o", "--since", "HEAD", "--no-exec", "--", include.as_str()];
    folder::write(place.path(), "include/limit.h", "#define LIMIT 6\n");
    let output = run_glassbox_in(place.path(), words);
    assert!(said(&output).starts_with("over: "), "{}", said(&output));
    folder::write(place.path(), "include/limit.h", "#define LIMIT 5\n");
    let output = run_glassbox_in(place.path(), words);
    assert_eq!(said(&output), "nothing has changed since HEAD\n");
    folder::write(place.path(), "include/limit.h", "#define LIMIT 6\n");
    for include in [include.as_str(), "-Iinclude"] {
        let words = ["equiv", "HEAD:a.c", "a.c", "--function", "over", "--out", "e", "--", include];
        let output = run_glassbox_in(place.path(), words);
        assert!(said(&output).contains("VERDICT: false"), "{include}: {}", said(&output));
    }
    folder::write(place.path(), "b.c", OLD);
    git(place.path(), &["add", "b.c"]);
    git(place.path(), &["commit", "-q", "-m", "two"]);
    folder::write(place.path(), "b.c", NEW);
    let file = place.path().join("b.c").display().to_string();
    let output = run_glassbox_in(place.path(), ["diff", "--rev", "HEAD", &file]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
}

/// Databases are of the build, and so are some headers: git has neither.
#[test]
fn flags_of_a_database_lead_to_the_revision() {
    let place = folder::with_files(&[
        ("include/limit.h", "#define LIMIT 5\n"),
        (
            "src/a.c",
            "#include \"limit.h\"\n#include \"made.h\"\nint over(int x) { return x > LIMIT; }\nint same(int x) { return x == MADE; }\n",
        ),
        (".gitignore", "build\nmade.h\n"),
    ]);
    git(place.path(), &["init", "-q"]);
    git(place.path(), &["add", "."]);
    git(place.path(), &["commit", "-q", "-m", "one"]);
    folder::write(place.path(), "include/made.h", "#define MADE 3\n");
    let root = place.path().display();
    let entry = format!(
        "[{{\"directory\":\"{root}/build\",\"file\":\"{root}/src/a.c\",\"command\":\"cc -I{root}/include -c {root}/src/a.c\"}}]"
    );
    folder::write(place.path(), "build/compile_commands.json", &entry);
    let words = ["gen", "--compdb", "build/compile_commands.json", "--since", "HEAD", "--no-exec"];
    let none = run_glassbox_in(place.path(), words);
    assert_eq!(said(&none), "nothing has changed since HEAD\n", "{}", errors(&none));
    folder::write(place.path(), "include/limit.h", "#define LIMIT 6\n");
    let output = run_glassbox_in(place.path(), words);
    assert!(said(&output).starts_with("over: "), "{}{}", said(&output), errors(&output));
    assert!(!said(&output).contains("same: "), "{}", said(&output));
    let source = place.path().join("src").display().to_string();
    let include = format!("-I{root}/include");
    let words = ["gen", &source, "--since", "HEAD", "--no-exec", "--", &include];
    let output = run_glassbox_in(place.path(), words);
    assert!(said(&output).starts_with("over: "), "{}{}", said(&output), errors(&output));
    assert!(!said(&output).contains("same: "), "{}", said(&output));
}

#[test]
fn two_revisions_are_compared() {
    let place = repository();
    folder::write(place.path(), "src/a.c", NEW);
    let words = ["diff", "--rev", "HEAD", "src/a.c"];
    let output = run_glassbox_in(place.path(), words);
    let text = said(&output);
    assert!(text.contains("sign: returns 1 before, returns 2 now"), "{text}{}", errors(&output));
    git(place.path(), &["commit", "-q", "-a", "-m", "two"]);
    let output = run_glassbox_in(place.path(), ["diff", "--rev", "HEAD~1..HEAD", "src/a.c"]);
    assert_eq!(said(&output), text);
    assert!(!place.path().join("glassbox-out").exists());
}

#[test]
fn a_file_that_is_saved_is_looked_at_again_until_an_interrupt() {
    let place = folder::with_files(&[("a.c", OLD)]);
    let mut command = glassbox();
    command.args(["gen", "a.c", "--out", "o", "--watch", "--no-exec"]).current_dir(place.path());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
    let suite = place.path().join("o/suite.json");
    let mut until = |is_done: &dyn Fn(&str) -> bool| {
        while !is_done(&fs::read_to_string(&suite).unwrap_or_default()) {
            assert!(child.try_wait().is_ok_and(|ended| ended.is_none()), "it goes on");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    until(&|text| text.contains("\"same\""));
    // The watch may not have begun yet: files are looked at before the work.
    folder::write(place.path(), "a.c", NEW);
    until(&|text| text.contains("\"more\""));
    let stopped = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(stopped.is_ok_and(|status| status.success()));
    assert!(child.wait().is_ok_and(|status| status.code() == Some(0)));
}

#[test]
fn seconds_of_the_processor_are_a_limit() {
    let place = folder::with_files(&[("a.c", OLD)]);
    let output = run_glassbox_in(
        place.path(),
        ["gen", "a.c", "--out", "o", "--budget", "20cpu", "--no-exec"],
    );
    assert!(said(&output).contains("sign: 4 goals: 4 covered"), "{}", said(&output));
    for wrong in ["20", "cpu", "-1cpu", "xcpu"] {
        let output = run_glassbox_in(place.path(), ["gen", "a.c", &format!("--budget={wrong}")]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

/// What functions leave in memory that they make, and in unions.
const MAKING: &str = "#include <stdlib.h>\n\
    struct node { struct node *next; int value; char unset[8]; };\n\
    union number { int whole; float part; short half; };\n\
    struct holder { char *text; union number number; };\n\
    int *fill(int n) { int *p = malloc(3 * sizeof *p); if (!p) return 0; p[0] = n; p[1] = n > 4 ? 7 : 8; return p; }\n\
    struct node *list(int n) {\n  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);\n  \
    if (!a || !b) return 0;\n  a->next = b; a->value = 1; b->next = a; b->value = n == 5 ? 21 : 22;\n  return a;\n}\n\
    void keep(struct holder *h, int n) {\n  if (!h || n < 0) return;\n  char *t = malloc(4);\n  if (!t) return;\n  \
    t[0] = 'o'; t[1] = n > 9 ? 'k' : 'h'; t[2] = 0;\n  h->text = t;\n  h->number.half = 3;\n}\n";

/// What `diff` says of two versions of a file, and the first one's suite. The second version runs the inputs of the first one's
/// tests, too.
fn differences(before: &str, file: &str, after: &str) -> (String, String) {
    let place = folder::with_files(&[(file, before)]);
    let make = |out: &str| {
        run_glassbox_in(place.path(), ["gen", file, "--out", out, "--no-exec"]);
        fs::read_to_string(place.path().join(out).join("suite.json")).expect("a suite")
    };
    let suite = make("old");
    folder::write(place.path(), file, after);
    folder::write(place.path(), "new/suite.json", &suite);
    make("new");
    (said(&run_glassbox_in(place.path(), ["diff", "old", "new"])), suite)
}

/// Whether neither addresses nor anything else that has no form is shown of what tests expect.
fn has_no_bytes(suite: &str) -> bool {
    let suite: serde_json::Value = serde_json::from_str(suite).expect("JSON");
    fn is_clean(value: &serde_json::Value) -> bool {
        let bytes = value["bytes"].as_array();
        let mut members = value.as_object().into_iter().flat_map(|members| members.values());
        let mut elements = value.as_array().into_iter().flatten();
        bytes.is_none_or(Vec::is_empty) && members.all(is_clean) && elements.all(is_clean)
    }
    let functions = suite["functions"].as_array().expect("functions").iter();
    let mut tests = functions.flat_map(|it| it["tests"].as_array().expect("tests"));
    tests.all(|test| is_clean(&test["expected"]))
}

#[test]
fn contents_of_memory_that_functions_make_are_compared() {
    let (same, suite) = differences(MAKING, "m.c", MAKING);
    assert_eq!(same, "nothing is different\n");
    assert!(has_no_bytes(&suite), "{suite}");
    assert!(suite.contains("\"made\": [") || suite.contains("\"made\":["), "{suite}");
    // Other addresses, another order of members, and what is never set.
    let moved = MAKING
        .replace("struct node *next; int value;", "int value; struct node *next;")
        .replace("int whole; float part; short half;", "short half; float part; int whole;")
        .replace(
            "*a = malloc(sizeof *a), *b = malloc(sizeof *b)",
            "*b = malloc(sizeof *b), *a = malloc(sizeof *a)",
        )
        .replace("  a->next = b;", "  a->unset[1] = 4;\n  a->next = b;");
    let (moved, _) = differences(MAKING, "m.c", &moved);
    assert!(!moved.contains("Behaves differently"), "{moved}");
    for (old, new, function) in [
        ("7 : 8", "9 : 8", "fill"),
        ("21 : 22", "23 : 22", "list"),
        ("b->next = a", "b->next = b", "list"),
        ("'k' : 'h'", "'l' : 'h'", "keep"),
        ("number.half = 3", "number.half = 4", "keep"),
    ] {
        let (text, _) = differences(MAKING, "m.c", &MAKING.replace(old, new));
        let is_named = text.contains(&format!(" {function}: "));
        assert!(text.contains("Behaves differently") && is_named, "{old}: {text}");
    }
    let (text, _) = differences(MAKING, "m.c", &MAKING.replace("21 : 22", "23 : 22"));
    let shown = "memory 2 = {{.next = memory 1, .value = 23, .unset = something}} now";
    assert!(text.contains(shown), "{text}");
}

#[test]
fn contents_of_objects_that_methods_make_are_compared() {
    if require(Tool::Jdk).is_none() {
        return;
    }
    let before = "public class M {\n  int n; M next; String text;\n  \
        static int[] rows(int n) { int[] a = new int[3]; if (n > 4) a[1] = 7; return a; }\n  \
        static M make(int n) { M m = new M(); m.next = new M(); m.next.n = n == 3 ? 21 : 22; return m; }\n  \
        static String word(int n) { return n > 8 ? \"up\" + n : \"down\" + n; }\n  \
        void set(int k) { if (k > 3) { next = new M(); next.n = 4; } }\n}\n";
    let (same, suite) = differences(before, "M.java", before);
    assert_eq!(same, "nothing is different\n");
    assert!(has_no_bytes(&suite), "{suite}");
    // Classes and objects have other numbers.
    let moved = before
        .replace("int n; M next;", "M next; int n;")
        .replace("new int[3];", "new int[3]; Object o = new A();")
        .replace("public class M {", "class A {}\npublic class M {");
    let (moved, _) = differences(before, "M.java", &moved);
    assert!(!moved.contains("Behaves differently"), "{moved}");
    for (old, new, function) in [
        ("= 7", "= 9", "rows"),
        ("21 : 22", "23 : 22", "make"),
        ("\"up\"", "\"on\"", "word"),
        ("next.n = 4", "next.n = 5", "set"),
    ] {
        let (text, _) = differences(before, "M.java", &before.replace(old, new));
        let named = format!(" M.{function}(int): ");
        assert!(text.contains("Behaves differently") && text.contains(&named), "{old}: {text}");
    }
}
