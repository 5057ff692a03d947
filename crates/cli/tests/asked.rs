//! What `--assertions-only`, `--property` and `--uninitialized` say about small programs whose truth is known.

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::folder;

/// What is said and the exit code. The program's folder has the file `p.prp`, too.
#[track_caller]
fn check(args: &[&str], source: &str, specification: &str) -> (String, Option<i32>) {
    let folder = folder::with_files(&[("a.c", source), ("p.prp", specification)]);
    let always = ["check", "a.c", "--no-exec", "--timeout", "20"];
    let output = run_glassbox_in(folder.path(), always.iter().chain(args));
    let said = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&said).into_owned(), output.status.code())
}

/// A program, the words of the last line, and the exit code that belongs to them.
type Row<'a> = (&'a [&'a str], &'a str, &'a str);

#[track_caller]
fn says(rows: &[Row<'_>]) {
    for (args, source, verdict) in rows {
        let (said, code) = check(args, source, "");
        let last = said.lines().find(|line| line.starts_with("VERDICT: ")).unwrap_or_default();
        assert_eq!(last, format!("VERDICT: {verdict}"), "{args:?} {source}\n{said}");
        let expected = match verdict.split(' ').next() {
            Some("true") => 0,
            Some("false") => 3,
            _ => 1,
        };
        assert_eq!(code, Some(expected), "{args:?} {source}\n{said}");
    }
}

const ASSERTIONS: &[&str] = &["--assertions-only"];

#[test]
fn an_error_that_was_not_asked_about_is_named() {
    says(&[
        (
            ASSERTIONS,
            "#include <assert.h>\nint f(int x) {\n  int y = 10 / x;\n  assert(x != 0);\n  return y;\n}\n",
            "unknown (true provided that line 3 does not divide by zero)",
        ),
        (
            ASSERTIONS,
            "#include <assert.h>\nint f(int i) {\n  int a[4] = {0};\n  int r = a[i];\n  assert(i < 4);\n  return r;\n}\n",
            "unknown (true provided that line 4 does not leave an object)",
        ),
        (
            ASSERTIONS,
            "#include <assert.h>\nint f(int x) {\n  int y = x + 1;\n  assert(y > x);\n  return y;\n}\n",
            "unknown (true provided that line 3 does not overflow)",
        ),
        // In a call, and in a loop.
        (
            ASSERTIONS,
            "#include <assert.h>\nstatic int per(int x) { return 100 / x; }\n\
             int f(int c) {\n  int r = per(c);\n  assert(c != 0);\n  return r;\n}\n",
            "unknown (true provided that line 2 does not divide by zero)",
        ),
        (
            ASSERTIONS,
            "#include <assert.h>\nint f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++) s += i;\n\
             \x20 assert(s >= 0);\n  return s;\n}\n",
            "unknown (true provided that line 4 does not overflow)",
        ),
    ]);
}

#[test]
fn what_cannot_hide_an_assertion_is_not_named() {
    says(&[
        // It comes later.
        (
            ASSERTIONS,
            "#include <assert.h>\nint f(unsigned x) {\n  assert(x % 2 < 2);\n  return 10 / x;\n}\n",
            "true",
        ),
        // It never happens: on paths, by ranges, in a loop, in a call.
        (
            ASSERTIONS,
            "#include <assert.h>\nint f(int x) {\n  if (x == 0) return 0;\n  int y = 10 / x;\n  assert(x != 0);\n\
             \x20 return y;\n}\n",
            "true",
        ),
        (
            ASSERTIONS,
            "#include <assert.h>\nint a[10];\nint f(unsigned n) {\n  if (n > 10) return 0;\n\
             \x20 for (unsigned i = 0; i < n; i++) a[i] = 1;\n  assert(n <= 10);\n  return 0;\n}\n",
            "true",
        ),
        (
            ASSERTIONS,
            "#include <assert.h>\nstatic int half(int x) { return x / 2; }\n\
             int f(int x) {\n  int h = half(x);\n  if (x >= 0) assert(h <= x);\n  return h;\n}\n",
            "true",
        ),
        // An end that the program asks for is no error.
        (
            ASSERTIONS,
            "#include <assert.h>\n#include <stdlib.h>\nint f(int x) { if (x > 3) abort(); assert(x <= 3); return 0; }\n",
            "true",
        ),
        // The assertion fails before the error.
        (
            ASSERTIONS,
            "#include <assert.h>\nint f(int x) {\n  assert(x != 7);\n  return 10 / x;\n}\n",
            "false",
        ),
    ]);
}

#[test]
fn numbers_that_were_never_set_have_any_value() {
    let source = "#include <assert.h>\nint f(int c) {\n  int x;\n  if (c) x = 1;\n  assert(x == 1);\n  return x;\n}\n";
    says(&[
        (ASSERTIONS, source, "false"),
        (&["--uninitialized", "any"], source, "false"),
        (
            &["--assertions-only", "--uninitialized", "error"],
            source,
            "unknown (true provided that line 5 does not read what was never set)",
        ),
        (&[], source, "false"),
        // One value, and it stays.
        (
            ASSERTIONS,
            "#include <assert.h>\nint f(void) {\n  int x;\n  int y = x;\n  assert(x == y);\n  return x;\n}\n",
            "true",
        ),
        (
            ASSERTIONS,
            "#include <assert.h>\nint f(void) {\n  unsigned s;\n  for (int i = 0; i < 3; i++) s |= 1u;\n\
             \x20 assert(s % 2 == 1);\n  return 0;\n}\n",
            "true",
        ),
    ]);
}

const TASK: &str = "extern void abort(void);\nvoid reach_error(void) { abort(); }\n\
                    extern int __VERIFIER_nondet_int(void);\n";

#[test]
fn specifications_say_what_counts() {
    let with = |rest: &str| format!("{TASK}{rest}");
    let overflow = with(
        "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 5) reach_error();\n  return x - 1;\n}\n",
    );
    let safe = with(
        "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 5 && x < 3) reach_error();\n  return 0;\n}\n",
    );
    let freed = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  if (!p) return 1;\n  *p = 1;\n\
                 \x20 free(p);\n  return 0;\n}\n";
    let kept = "#include <stdlib.h>\nint *g;\nint main(void) {\n  g = malloc(4);\n  return 0;\n}\n";
    let lost =
        "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  return p == 0;\n}\n";
    let twice = "#include <stdlib.h>\nint main(void) {\n  int *p = malloc(4);\n  free(p);\n  free(p);\n  return 0;\n}\n";
    let outside = "int main(void) {\n  int a[2] = {0, 0};\n  int *p = a;\n  return *(p + 2);\n}\n";
    let endless = with(
        "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  while (x > 0) { }\n  return 0;\n}\n",
    );
    let ends =
        "int main(void) {\n  int s = 0;\n  for (int i = 0; i < 5; i++) s += i;\n  return s;\n}\n";
    says(&[
        (&["--property", "unreach-call"], &overflow, "false"),
        (&["--property", "no-overflow"], &overflow, "false"),
        (&["--property", "unreach-call"], &safe, "true"),
        (&["--property", "no-overflow"], &safe, "true"),
        (&["--property", "valid-memsafety", "--accept-bounds"], freed, "true"),
        (&["--property", "valid-memcleanup", "--accept-bounds"], freed, "true"),
        (&["--property", "valid-memtrack", "--accept-bounds"], kept, "true"),
        (&["--property", "valid-memcleanup"], kept, "false"),
        (&["--property", "valid-memsafety"], lost, "false"),
        (&["--property", "valid-free"], twice, "false"),
        (&["--property", "valid-memsafety"], outside, "false"),
        (&["--property", "termination"], &endless, "false"),
        (&["--property", "termination"], ends, "true"),
        // `assert` is not reach_error.
        (
            &["--property", "unreach-call"],
            "#include <assert.h>\nint main(int argc, char **argv) { assert(argc < 0); return 0; }\n",
            "true",
        ),
        // What the specification does not speak of may still hide the rest.
        (
            &["--property", "no-overflow"],
            &with(
                "int a[2];\nint main(void) {\n  int i = __VERIFIER_nondet_int();\n  if (i < 0) return 0;\n\
                 \x20 int r = a[i];\n  if (i > 1) r = i + 2147483647;\n  return r;\n}\n",
            ),
            "unknown (true provided that line 8 does not leave an object)",
        ),
    ]);
}

#[test]
fn files_of_specifications_are_read() {
    let source = format!(
        "{TASK}void bad(void) {{ }}\nint main(void) {{ if (__VERIFIER_nondet_int() == 4) bad(); return 0; }}\n"
    );
    let verdict = |specification: &str| {
        let (said, code) = check(&["--property", "p.prp"], &source, specification);
        (said.lines().last().unwrap_or_default().to_owned(), code)
    };
    let check_call = |name: &str| format!("CHECK( init(main()), LTL(G ! call({name}())) )\n");
    assert_eq!(verdict(&check_call("reach_error")), ("VERDICT: true".to_owned(), Some(0)));
    assert_eq!(verdict(&check_call("bad")), ("VERDICT: false".to_owned(), Some(3)));
    let (said, code) = verdict("CHECK( init(main()), LTL(G ! data-race) )\n");
    assert_eq!(code, Some(2));
    assert_eq!(said, "error: p.prp:1: data races are not looked for: threads are not modeled");
    let (said, code) = check(&["--property", "no-bugs"], &source, "");
    assert!(code == Some(2) && said.contains("no property `no-bugs`; there are: "), "{said}");
}

#[test]
fn a_program_with_main_and_a_verifier_error_starts_in_main() {
    says(&[(
        ASSERTIONS,
        "void __VERIFIER_error(void) { }\nint helper(int x) { if (x == 3) __VERIFIER_error(); return 0; }\n\
         int main(int argc, char **argv) { if (argc < 3) helper(argc); return 0; }\n",
        "true",
    )]);
}

#[test]
fn a_promise_that_cannot_be_evaluated_is_not_kept_unseen() {
    let contract = "[function.f]\nrequire = [\"10 / y > 0\"]\nensure = [\"result / x == 1\"]\n";
    let source = "int f(int x, int y) { return x; }\n";
    let folder = folder::with_files(&[("a.c", source), ("glassbox.toml", contract)]);
    let output = run_glassbox_in(folder.path(), ["check", "a.c", "--no-exec"]);
    let said = String::from_utf8_lossy(&output.stdout);
    let last = said.lines().last().unwrap_or_default();
    let both =
        "true provided that line 2 does not divide by zero and line 3 does not divide by zero";
    assert!(last.contains(both), "{said}");
    assert_eq!(output.status.code(), Some(1), "{said}");
}
