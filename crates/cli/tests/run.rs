//! `glassbox run` as a user runs it: programs that end, programs that go wrong, and bad input.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use glassbox_testkit::command::glassbox;

struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    fn new(files: &[(&str, &str)]) -> Case {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("the file is written");
        }
        Case { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn run(&self, args: &[&str], stdin: &str) -> (i32, String, String) {
        let mut child = glassbox()
            .arg("run")
            .args(args)
            .current_dir(self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let _ = child.stdin.take().expect("piped").write_all(stdin.as_bytes());
        let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let stderr = text(stderr);
        assert!(!stderr.contains("panicked"), "{stderr}");
        (status.code().unwrap_or(-1), text(stdout), stderr)
    }
}

fn run(source: &str, args: &[&str], stdin: &str) -> (i32, String, String) {
    let mut all = vec!["case.c"];
    all.extend(args);
    Case::new(&[("case.c", source)]).run(&all, stdin)
}

/// The report of undefined behavior contains all of these.
#[track_caller]
fn violates(source: &str, parts: &[&str]) {
    let (code, _, stderr) = run(source, &[], "");
    assert_eq!(code, 3, "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "no `{part}` in:\n{stderr}");
    }
}

/// Bad input: exit code 2 and a diagnostic with these parts.
#[track_caller]
fn refuses(case: &Case, args: &[&str], parts: &[&str]) {
    let (code, stdout, stderr) = case.run(args, "");
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "no `{part}` in:\n{stderr}");
    }
}

#[test]
fn arguments_input_output_and_exit_code() {
    let source = r#"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char line[100];
    while (fgets(line, sizeof line, stdin)) printf("%zu %s", strlen(line), line);
    for (int i = 1; i < argc; i++) printf("[%s]", argv[i]);
    fprintf(stderr, "to stderr\n");
    return argc + 40;
}"#;
    let (code, stdout, stderr) = run(source, &["--", "one", "-x", "--flag"], "first\nsecond\n");
    assert_eq!(stdout, "6 first\n7 second\n[one][-x][--flag]");
    assert_eq!((code, stderr.as_str()), (44, "to stderr\n"));
}

#[test]
fn several_files_and_compiler_flags() {
    let case = Case::new(&[
        ("main.c", "#include \"sum.h\"\nint main(void) { return sum(A, B) + C; }"),
        ("sum.c", "#include \"sum.h\"\nint sum(int a, int b) { return a + b; }"),
        ("sum.h", "int sum(int, int);"),
    ]);
    std::fs::create_dir(case.path().join("include")).expect("a folder");
    std::fs::rename(case.path().join("sum.h"), case.path().join("include/sum.h")).expect("moved");
    let args =
        ["main.c", "sum.c", "-D", "A=1", "-DB=2", "-I", "include", "--cflags", "-DC=4 '-DD=a b'"];
    assert_eq!(case.run(&args, "").0, 7);
}

#[test]
fn out_of_bounds_shows_the_array_and_the_stack() {
    violates(
        "static int get(const int *p, int i) {\n    return p[i];\n}\nint main(void) {\n    int a[3] = { 1, 2, 3 };\n    return get(a, 3);\n}\n",
        &[
            "case.c:2:12: undefined behavior: out-of-bounds",
            " 2 |     return p[i];",
            "4 bytes at offset 12 of `a`, which has 12 bytes",
            "case.c:5:9: note: declared here",
            "#0 get at case.c:2:12",
            "#1 main at case.c:6:12",
        ],
    );
}

#[test]
fn use_after_free_shows_both_places() {
    violates(
        "#include <stdlib.h>\nint main(void) {\n    char *p = malloc(4);\n    free(p);\n    p[0] = 1;\n    return 0;\n}\n",
        &[
            "case.c:5:5: undefined behavior: use-after-free",
            "offset 0 of a block on the heap, which has 4 bytes",
            "case.c:3:15: note: allocated here",
            "case.c:4:5: note: freed here",
        ],
    );
}

#[test]
fn overflow_shows_the_values() {
    violates(
        "int main(int argc, char **argv) {\n    int big = 2147483646 + argc;\n    return big - -argc;\n}\n",
        &["case.c:3:12: undefined behavior: signed-overflow", "values: 2147483647, -1"],
    );
}

#[test]
fn errors_inside_the_library_show_the_call() {
    violates(
        "#include <string.h>\nint main(void) {\n    char text[2] = { 'a', 'b' };\n    return strlen(text);\n}\n",
        &["case.c:4:12: undefined behavior: out-of-bounds", "inside `strlen` of the C library"],
    );
    violates(
        "#include <stdio.h>\nint main(void) {\n    double d = 1;\n    printf(\"%d\\n\", d);\n}\n",
        &["case.c:4:5: undefined behavior: bad-call: `%d` does not fit"],
    );
}

#[test]
fn failed_assertions_are_violations() {
    violates(
        "#include <assert.h>\nint main(int argc, char **argv) {\n    assert(argc == 7);\n    return 0;\n}\n",
        &["case.c:3:5: violation: assertion: argc == 7"],
    );
}

#[test]
fn abort_ends_as_a_shell_reports_it() {
    assert_eq!(run("#include <stdlib.h>\nint main(void) { abort(); }", &[], "").0, 134);
}

#[test]
fn what_is_missing_is_named_with_its_place() {
    let (code, _, stderr) =
        run("int other(int);\nint main(void) {\n    return other(1);\n}\n", &[], "");
    assert_eq!(code, 1);
    assert!(stderr.contains("case.c:3:12: error: the function `other` is called"), "{stderr}");
    let (code, _, stderr) = run(
        "int main(void) {\n    long double d = 1;\n    d = d * 2;\n    return d > 1;\n}\n",
        &[],
        "",
    );
    assert_eq!(code, 1);
    assert!(stderr.contains("case.c:2") && stderr.contains("not supported"), "{stderr}");
    assert!(stderr.contains("limit of glassbox"), "{stderr}");
}

#[test]
fn a_step_budget_ends_endless_programs() {
    let (code, _, stderr) = run("int main(void) { for (;;) ; }", &["--max-steps", "10000"], "");
    assert_eq!(code, 1);
    assert!(stderr.contains("10000 steps"), "{stderr}");
    let (code, _, stderr) =
        run("int f(int n) { return n + f(n + 1) % 7; }\nint main(void) { return f(0); }", &[], "");
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("nested calls"), "{stderr}");
}

#[test]
fn coverage_counts_blocks_branches_and_conditions() {
    let source = "int f(int a, int b) {\n    if (a > 0 && b > 0) return 1;\n    return 0;\n}\n\
                  int unused(void) { return 1; }\nint main(void) { return f(1, 0) + f(0, 1); }\n";
    let (code, _, stderr) = run(source, &["--coverage"], "");
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("branches 3/4, conditions 3/4"), "{stderr}");
    assert!(stderr.contains("case.c:2:18: `b > 0` never true"), "{stderr}");
    assert!(stderr.contains("unused: blocks 0/1"), "{stderr}");
    assert!(stderr.contains("main: blocks 1/1"), "{stderr}");
}

#[test]
fn values_of_a_verifier_come_from_the_input() {
    let source = "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void);\n\
                  int main(void) { int a = __VERIFIER_nondet_int(); return a + __VERIFIER_nondet_uchar(); }\n";
    assert_eq!(run(source, &[], "-5 0xff").0, 250);
    let (code, _, stderr) = run(source, &[], "7");
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("no value is left"), "{stderr}");
}

#[test]
fn bad_files_are_refused() {
    let case =
        Case::new(&[("syntax.c", "int main(void) {\n    return 1 +;\n}\n"), ("empty.c", "")]);
    refuses(&case, &["missing.c"], &["missing.c", "no such file", "help"]);
    refuses(&case, &["."], &["there are 2 programs here", "help"]);
    refuses(&case, &["syntax.c"], &["syntax.c:2:15: error", "    return 1 +;", "^"]);
    refuses(&case, &["empty.c"], &["empty.c", "no function"]);
    std::fs::write(case.path().join("garbage.c"), [0u8, 159, 146, 150, 0, 1, 2, 255])
        .expect("written");
    refuses(&case, &["garbage.c"], &["garbage.c", "not"]);
    std::fs::write(case.path().join("garbage.i"), [0u8, 159, 146, 150, 0, 1, 2, 255])
        .expect("written");
    refuses(&case, &["garbage.i"], &["garbage.i"]);
    std::fs::write(case.path().join("noise.i"), b"\x01\xff(*&^%$ \"").expect("written");
    refuses(&case, &["noise.i"], &["noise.i"]);
}

#[test]
fn bad_programs_are_refused() {
    let case = Case::new(&[
        (
            "types.c",
            "struct s { int x; };\nint main(void) {\n    struct s v;\n    return v + 1;\n}\n",
        ),
        ("header.c", "#include <no/such/header.h>\nint main(void) { return 0; }\n"),
        ("other.c", "int f(void) { return 1; }\n"),
        ("twice.c", "int f(void) { return 2; }\n"),
    ]);
    refuses(&case, &["types.c"], &["types.c:4:12: error", "return v + 1;", "^"]);
    refuses(&case, &["header.c"], &["header.c:1", "no/such/header.h", "help"]);
    refuses(&case, &["other.c"], &["other.c", "no function `main`", "there are: f"]);
    refuses(&case, &["other.c", "twice.c"], &["twice.c:1"]);
    refuses(&case, &["other.c", "--cflags", "'open"], &["quote"]);
    refuses(&case, &["other.c", "--no-such-option"], &["--no-such-option"]);
    refuses(&case, &[], &["Usage"]);
}

#[test]
fn broken_compile_databases_are_refused() {
    let case = Case::new(&[
        ("main.c", "int main(void) { return X; }\n"),
        ("broken.json", "[ { \"file\": \"main.c\", "),
        ("wrong.json", "{ \"a\": 1 }"),
        (
            "good.json",
            "[{\"directory\": \".\", \"file\": \"main.c\", \"command\": \"cc -DX=9 -c main.c\"}]",
        ),
    ]);
    refuses(&case, &["main.c", "--compdb", "broken.json"], &["broken.json:1:", "help"]);
    refuses(&case, &["main.c", "--compdb", "wrong.json"], &["wrong.json"]);
    refuses(&case, &["main.c", "--compdb", "none.json"], &["none.json"]);
    assert_eq!(case.run(&["main.c", "--compdb", "good.json"], "").0, 9);
}
