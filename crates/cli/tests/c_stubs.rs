//! What tests put in the place of code that is not there: stubs that `[stub.f]` describes, functions of the system,
//! and the real code of files that are linked.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::path::Path;

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::folder;
use glassbox_testkit::suite::{goals_with, make_passes, read_suite, texts};
use serde_json::Value;
use tempfile::TempDir;

/// `gen` over `a.c` in a folder with these files; the suite, and what was said.
fn generated(files: &[(&str, &str)], args: &[&str]) -> (TempDir, Value, String) {
    let folder = folder::with_files(files);
    let output = run_glassbox_in(folder.path(), [&["gen", "a.c", "--out", "o"][..], args].concat());
    let said = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    let suite = read_suite(&folder.path().join("o"));
    (folder, suite, said.concat())
}

/// What is not covered.
fn open(suite: &Value) -> Vec<String> {
    let verdicts = ["infeasible", "infeasible-within", "unknown"];
    verdicts.iter().flat_map(|verdict| texts(&goals_with(suite, verdict))).collect()
}

fn text_of(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join("o/tests").join(name)).expect("a file of the tests")
}

const SENSOR: &str = "enum { OK, BUSY = 3 };\n\
     #define LARGEST 10\n\
     extern int sense(int channel, int *value);\n\
     int poll(void) {\n\
         int value = 0;\n\
         int code = sense(1, &value);\n\
         if (code > 20) return 1;\n\
         if (code == BUSY) return 2;\n\
         if (value > LARGEST) return 3;\n\
         return value == 7;\n\
     }\n";

#[test]
fn a_stub_returns_and_writes_what_the_configuration_says() {
    let config = "[stub.sense]\nreturns = [\"BUSY\", \"5..20\"]\nout.\"*value\" = \"0..LARGEST\"\n";
    let (folder, suite, said) = generated(&[("a.c", SENSOR), ("glassbox.toml", config)], &[]);
    assert_eq!(open(&suite), ["code > 20 is true", "value > LARGEST is true"], "{said}");
    make_passes(&folder.path().join("o"));
    // Without a word about it, everything is possible.
    let (_, suite, said) = generated(&[("a.c", SENSOR)], &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
}

#[test]
fn a_sequence_is_kept_call_by_call() {
    let program = "extern int next(void);\n\
                   int f(void) {\n    int a = next(), b = next(), c = next();\n\
                   \x20   if (a == 4) return 1;\n    if (b == 4) return 2;\n    if (c == 4) return 3;\n\
                   \x20   return 0;\n}\n";
    let config = "[stub.next]\nsequence = [1, 2, \"4..5\"]\n";
    let args = ["--max-paths", "60"];
    let (folder, suite, said) = generated(&[("a.c", program), ("glassbox.toml", config)], &args);
    let covered = texts(&goals_with(&suite, "covered"));
    assert!(covered.contains(&"c == 4 is true".to_owned()), "{said}");
    assert!(covered.contains(&"a == 4 is false".to_owned()), "{said}");
    // A first call never gives 4; calls of `f` that come later go on with the last of the sequence.
    let text = text_of(folder.path(), "test_f.c");
    assert!(!text.contains("next_results[0] = 4;"), "{text}");
    make_passes(&folder.path().join("o"));
}

#[test]
fn mistakes_in_a_stub_have_their_place() {
    let config = "[stub.sense]\nreturns = [1, \"NOTHING\"]\nout.\"*value\" = 3\n";
    let (_, _, said) = generated(&[("a.c", SENSOR), ("glassbox.toml", config)], &[]);
    assert!(said.contains("glassbox.toml:2:16: error: `NOTHING` is not declared"), "{said}");
    let config = "[stub.sense]\nreturn = 1\n";
    let (_, _, said) = generated(&[("a.c", SENSOR), ("glassbox.toml", config)], &[]);
    assert!(said.contains("glassbox.toml:2:1: error: no part of a stub `return`"), "{said}");
    let config = "[stub.poll]\nreturns = 1\n";
    let (_, suite, said) = generated(&[("a.c", SENSOR), ("glassbox.toml", config)], &[]);
    assert!(said.contains("glassbox.toml:1:7: warning: `poll` is defined here"), "{said}");
    assert_eq!(open(&suite), Vec::<String>::new());
}

#[test]
fn results_that_the_type_does_not_have_are_refused() {
    let program = "signed char c(void);\nunsigned u(void);\n\
                   int f(int x) { c(); u(); if (x == 3) return 1; return 0; }\n";
    let said =
        |config: &str| generated(&[("a.c", program), ("glassbox.toml", config)], &["--no-exec"]).2;
    for config in [
        "[stub.c]\nreturns = \"200..220\"\n",
        "[stub.c]\nreturns = [1, 300]\n",
        "[stub.c]\nsequence = [1, -129]\n",
        "[stub.u]\nreturns = \"-1..5\"\n",
    ] {
        let said = said(config);
        assert!(said.contains("glassbox.toml:2:") && said.contains("no such value"), "{said}");
    }
    let fine = said("[stub.u]\nreturns = [-1, \"0..5\"]\n[stub.c]\nreturns = \"-128..127\"\n");
    assert!(fine.contains("2 covered"), "{fine}");
}

#[test]
fn what_a_place_cannot_hold_is_refused() {
    let program = "void get(signed char *p, double *d);\n\
                   int f(void) { signed char c = 0; double d = 0; get(&c, &d); return c == 44; }\n";
    let said =
        |config: &str| generated(&[("a.c", program), ("glassbox.toml", config)], &["--no-exec"]).2;
    for config in ["[stub.get]\nout.\"*p\" = 300\n", "[stub.get]\nout.\"*p\" = \"0..200\"\n"] {
        let said = said(config);
        assert!(said.contains("glassbox.toml:2:") && said.contains("no such value"), "{said}");
    }
    let fine = said("[stub.get]\nout.\"*p\" = 44\nout.\"*d\" = 300\n");
    assert!(!fine.contains("error"), "{fine}");
}

#[test]
fn two_pointers_to_one_place_do_not_contradict_each_other() {
    let program = "void two(int *p, int *q);\n\
                   int f(void) { int c = 0; two(&c, &c); if (c == 1) return 1; if (c == 2) return 2; return 0; }\n\
                   int g(void) { int c = 0, d = 0; two(&c, &d); if (c == 2) return 1; return 0; }\n";
    let config = "[stub.two]\nout.\"*p\" = 1\nout.\"*q\" = 2\n";
    let (_, suite, said) =
        generated(&[("a.c", program), ("glassbox.toml", config)], &["--no-exec"]);
    assert_eq!(open(&suite), ["c == 2 is true"], "{said}");
}

#[test]
fn no_proof_rests_on_a_promise_that_cannot_be_kept() {
    let program = "#include <assert.h>\nunsigned char level(void);\n\
                   int f(int x) { unsigned char l = level(); assert(x == 5); return l; }\n";
    let config = "[function.level]\nensure = \"result > 300\"\n";
    let folder = folder::with_files(&[("a.c", program), ("glassbox.toml", config)]);
    let output = run_glassbox_in(folder.path(), ["check", "a.c", "--assertions-only", "--no-exec"]);
    let said = String::from_utf8_lossy(&output.stdout);
    let condition = "what is promised of the function that line 3 calls can be";
    assert!(said.contains(condition) && !said.contains("VERDICT: true\n"), "{said}");
    let output = run_glassbox_in(folder.path(), ["gen", "a.c", "--no-exec"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains(condition), "{said}");
}

#[test]
fn a_file_that_cannot_be_linked_is_an_error() {
    let files =
        [("a.c", "int g(int x) { return x > 3; }\n"), ("b.c", "int g(int x) { return x; }\n")];
    let folder = folder::with_files(&files);
    let output = run_glassbox_in(folder.path(), ["gen", "a.c", "--link", "b.c", "--no-exec"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("`g` is defined in two files"), "{said}");
    assert!(said.contains("b.c cannot be linked to the other files"), "{said}");
    assert!(!output.status.success());
}

#[test]
fn what_is_described_is_named_with_the_verdicts() {
    let program = "int c(void);\nint f(void) { if (c() > 5) return 1; return 0; }\n";
    let config = "[stub.c]\nreturns = \"0..5\"\n";
    let (_, suite, said) =
        generated(&[("a.c", program), ("glassbox.toml", config)], &["--no-exec"]);
    let granted = suite["functions"][0]["assumptions"].to_string();
    assert!(
        granted.contains("`c` is not defined here: it does what the configuration says"),
        "{granted}\n{said}"
    );
}

#[test]
fn what_the_operating_system_answers_is_an_input() {
    let program = "#include <sys/time.h>\n#include <unistd.h>\n\
                   int shut(int fd) { if (close(fd) == -1) return 1; return 0; }\n\
                   int late(void) {\n    struct timeval now;\n\
                   \x20   if (gettimeofday(&now, 0) != 0) return -1;\n\
                   \x20   return now.tv_sec == 42 ? 1 : 0;\n}\n";
    let (folder, suite, said) = generated(&[("a.c", program)], &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
    make_passes(&folder.path().join("o"));
    // The runtime of the tests goes on calling the real ones.
    let text = text_of(folder.path(), "test_shut.c");
    assert!(text.contains("#define close glassbox_stub_close\n"), "{text}");
}

#[test]
fn functions_of_other_libraries_are_stubs() {
    let library =
        "struct box;\nstruct box *box_open(const char *name);\nint box_size(struct box *);\n";
    let program = "#include <box.h>\n\
                   int full(const char *name) {\n    struct box *b = box_open(name);\n    if (!b) return -1;\n\
                   \x20   return box_size(b) > 100 ? 1 : 0;\n}\n";
    let files = [("a.c", program), ("libs/box.h", library)];
    let (folder, suite, said) = generated(&files, &["--", "-isystem", "libs"]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
    make_passes(&folder.path().join("o"));
}

/// Whoever declares it: what runs the tests waits for its processes all the same.
#[test]
fn stubs_do_not_take_the_place_of_what_the_tests_need() {
    let program = "int waitpid(int pid, int *status, int options);\n\
                   int done(int pid) {\n    int status;\n    if (waitpid(pid, &status, 1) == pid) return 1;\n    return 0;\n}\n";
    let (folder, suite, said) = generated(&[("a.c", program)], &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
    make_passes(&folder.path().join("o"));
}

/// A descriptor that is an input is no standard input; the system gives no more bytes than were asked for.
#[test]
fn stubs_have_types_that_data_cannot_say() {
    let program = "#include <stdarg.h>\n#include <stddef.h>\n\
                   int report(char *out, const char *text, va_list rest);\n\
                   size_t look(const char *restrict name, char **restrict *found, va_list *rest);\n\
                   static int say(char *out, const char *text, ...) {\n\
                   \x20   va_list rest;\n    va_start(rest, text);\n    char **none = 0;\n\
                   \x20   if (look(text, &none, &rest) > 3) return -1;\n\
                   \x20   int n = report(out, text, rest);\n    va_end(rest);\n    return n;\n}\n\
                   int f(int x) {\n    char out[4];\n    if (say(out, \"%d\", x) < 0) return 1;\n    return 0;\n}\n";
    let (folder, suite, said) = generated(&[("a.c", program)], &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
    make_passes(&folder.path().join("o"));
}

#[test]
fn functions_that_headers_define_are_not_what_a_caller_means() {
    // glibc's header defines `__uint16_identity`.
    let program = "#include <endian.h>\n#include <stdint.h>\n\
                   int f(uint16_t (*op)(uint16_t), int a) {\n    if (op && op(a) == 7) return 1;\n    return 0;\n}\n";
    let (folder, suite, said) = generated(&[("a.c", program)], &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
    assert!(!text_of(folder.path(), "test_f.c").contains("identity"));
    make_passes(&folder.path().join("o"));
}

#[test]
fn a_file_without_a_name_is_not_made() {
    let program = "#include <stdio.h>\n#include <errno.h>\n\
                   int f(char *path) {\n    FILE *out = fopen(path, \"w\");\n    if (!out) return 1;\n\
                   \x20   fclose(out);\n    return 0;\n}\n";
    let config = "[function.f]\nrequire = [\"path && (path[0] == 0 || path[0] == 'a' && !path[1])\"]\nlength.path = 2\n";
    let files = [("a.c", program), ("glassbox.toml", config)];
    let (folder, suite, said) = generated(&files, &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
    make_passes(&folder.path().join("o"));
}

#[test]
fn what_is_read_from_a_descriptor_is_an_input() {
    let program = "#include <unistd.h>\n\
                   int key(int fd) {\n    char c;\n    long n = read(fd, &c, 1);\n\
                   \x20   if (n > 1) return 3;\n    if (n == -1) return -1;\n    if (n == 0) return 0;\n\
                   \x20   return c == 'q' ? 1 : 2;\n}\n";
    let (folder, suite, said) = generated(&[("a.c", program)], &[]);
    let left = open(&suite);
    assert!(said.contains("n > 1 is true: infeasible"), "{said}");
    assert_eq!(left.len(), 1, "{said}");
    make_passes(&folder.path().join("o"));
    let text = text_of(folder.path(), "test_key.c");
    assert!(text.contains("#define read glassbox_stub_read\n"), "{text}");
}

#[test]
fn a_test_ends_where_the_function_jumps_away() {
    let program = "#include <setjmp.h>\nextern jmp_buf out;\n\
                   void check(int x) {\n    if (x > 3) longjmp(out, 1);\n    if (x < -3) longjmp(out, 2);\n}\n";
    let (folder, suite, said) = generated(&[("a.c", program)], &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
    make_passes(&folder.path().join("o"));
}

const CALLER: &str = "int twice(int x);\nint elsewhere(void);\n\
                      int f(int x) {\n    if (twice(x) == 7) return 1;\n\
                      \x20   return elsewhere() > 2;\n}\n";
const CALLED: &str = "static int calls;\nint twice(int x) { calls++; return x < 100 && x > -100 ? 2 * x : 0; }\n\
                      int unused(int x) { return x > 5; }\n";

#[test]
fn the_code_of_linked_files_is_real() {
    let files = [("a.c", CALLER), ("b.c", CALLED)];
    let (_, suite, said) = generated(&files, &[]);
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
    for (name, config, args) in
        [("option", "", &["--link", "b.c"][..]), ("key", "[gen]\nlink = [\"b.c\"]\n", &[])]
    {
        let files = [("a.c", CALLER), ("b.c", CALLED), ("glassbox.toml", config)];
        let (folder, suite, said) = generated(&files, args);
        // Nothing that is doubled is odd, and what is only linked has no goals.
        assert_eq!(open(&suite), ["twice(x) == 7 is true"], "{name}: {said}");
        let functions: Vec<&Value> =
            suite["functions"].as_array().expect("functions").iter().map(|f| &f["name"]).collect();
        assert_eq!(functions, ["f"], "{name}");
        make_passes(&folder.path().join("o"));
    }
}

#[test]
fn every_file_of_a_project_is_linked_with_what_is_named() {
    let other = "int twice(int x);\nint g(int x) { if (twice(x) == 9) return 1; return 0; }\n";
    let folder = folder::with_files(&[("p/a.c", CALLER), ("p/c.c", other), ("p/b.c", CALLED)]);
    let output = run_glassbox_in(folder.path(), ["gen", "p", "--link", "p/b.c", "--out", "o"]);
    let suite = read_suite(&folder.path().join("o"));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let open = open(&suite);
    assert!(open.contains(&"twice(x) == 7 is true".to_owned()), "{open:?} {said}");
    assert!(open.contains(&"twice(x) == 9 is true".to_owned()), "{open:?} {said}");
    make_passes(&folder.path().join("o"));
}

#[test]
fn a_file_for_stubs_of_ones_own_is_written_once_and_then_read() {
    let header =
        "typedef struct { int x; } point;\nint ask(point *p);\nvoid tell(const char *text);\n";
    let program = "#include \"a.h\"\n\
                   int f(void) {\n    point p = {0};\n    tell(\"f\");\n\
                   \x20   if (ask(&p) == 3) return 1;\n    return p.x == 7 ? 2 : 0;\n}\n";
    let folder = folder::with_files(&[("a.c", program), ("a.h", header)]);
    let run = || {
        let output = run_glassbox_in(folder.path(), ["gen", "a.c", "--out", "o"]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        (read_suite(&folder.path().join("o")), said)
    };
    let (suite, said) = run();
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
    let text = text_of(folder.path(), "glassbox_stubs.c");
    assert!(text.contains("#include \"../../a.h\"\n") && text.contains("\n#if 0\n"), "{text}");
    assert!(text.contains("void tell(const char *p0)\n{\n}\n"), "{text}");
    make_passes(&folder.path().join("o"));
    // As it is, it changes nothing.
    let (suite, said) = run();
    assert_eq!(open(&suite), Vec::<String>::new(), "{said}");
    let (before, after) = text.split_once("int ask(point *p0)\n{\n").expect("the stub of ask");
    let own = format!(
        "{}#if 1\nint ask(point *p0)\n{{\n    p0->x = 7;\n{after}",
        before.trim_end().strip_suffix("#if 0").expect("it is switched off")
    );
    std::fs::write(folder.path().join("o/tests/glassbox_stubs.c"), &own).expect("a file");
    let (suite, said) = run();
    assert_eq!(open(&suite), ["ask(&p) == 3 is true", "p.x == 7 is false"], "{said}");
    assert_eq!(text_of(folder.path(), "glassbox_stubs.c"), own);
    make_passes(&folder.path().join("o"));
}

/// What the declaration does not speak of may be changed, too: no verdict says that only the rest may.
#[test]
fn arguments_without_a_declared_type_are_not_forgotten() {
    for declared in ["void g();", "void g(int, ...);"] {
        let source = format!(
            "{declared}\nint f(void) {{ int x = 0; g(1, &x); if (x == 7) return 1; return 0; }}\n"
        );
        let (_folder, _, text) = generated(&[("a.c", &source)], &[]);
        assert!(text.contains("undefined functions change no memory"), "{text}");
    }
}
