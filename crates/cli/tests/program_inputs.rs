//! Inputs of programs: standard input and the arguments of `main`, set up by the tests and confirmed by
//! replay.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::Path;
use std::process::Command;

use glassbox_testkit::command::glassbox;
use serde_json::Value;

/// `glassbox gen` of one file in a folder of its own.
fn gen_source(source: &str, args: &[&str]) -> (tempfile::TempDir, std::process::Output) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program.c"), source).expect("writable");
    let output = glassbox()
        .args(["gen", "program.c"])
        .args(args)
        .current_dir(folder.path())
        .output()
        .expect("the binary starts");
    (folder, output)
}

/// Runs `gen` on one source and its tests with make; the suite.
fn generate(source: &str, args: &[&str]) -> Value {
    let (folder, output) = gen_source(source, args);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}");
    make_passes(&folder.path().join("glassbox-out/tests"));
    let text = std::fs::read_to_string(folder.path().join("glassbox-out/suite.json"));
    serde_json::from_str(&text.expect("written")).expect("JSON")
}

fn make_passes(tests: &Path) {
    let make = Command::new("make").arg("-C").arg(tests).output().expect("make is installed");
    assert!(make.status.success(), "{}", String::from_utf8_lossy(&make.stderr));
}

fn n_covered(suite: &Value) -> usize {
    let goals = suite["functions"][0]["goals"].as_array().expect("goals");
    goals.iter().filter(|goal| goal["verdict"] == "covered").count()
}

const READER: &str = "#include <stdio.h>
int digits(void)
{
    int c, n = 0;
    while ((c = getchar()) != EOF) {
        if (c < '0' || c > '9')
            return -1;
        n++;
        if (n == 3)
            break;
    }
    if (fgetc(stdin) == 'x')
        return 100 + n;
    return n;
}
";

#[test]
fn bytes_of_standard_input_are_inputs() {
    let suite = generate(READER, &[]);
    assert_eq!(n_covered(&suite), 10);
    let suite = generate(READER, &["--framework", "plain", "--criterion", "mcdc"]);
    assert!(n_covered(&suite) > 4);
}

#[test]
fn arguments_of_main_are_inputs() {
    let source = "#include <string.h>
int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    if (argv[1][0] == '-' && argv[1][1] == 'v')
        return 2;
    if (argc == 3 && argv[2][0] == 'q')
        return 3;
    return 0;
}
";
    let suite = generate(source, &[]);
    assert_eq!(n_covered(&suite), 10);
    let assumptions = suite["functions"][0]["assumptions"].to_string();
    assert!(assumptions.contains("argc"), "{assumptions}");
}

#[test]
fn the_error_number_of_the_library_is_no_input() {
    let source = "#include <errno.h>
#include <stdlib.h>
int parse(const char *text)
{
    errno = 0;
    if (text[0] != '7')
        return -1;
    return errno == 0 ? 7 : 0;
}
";
    let (folder, output) = gen_source(source, &[]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!printed.contains("unknown:"), "{printed}");
    let tests = folder.path().join("glassbox-out/tests");
    let text = std::fs::read_to_string(tests.join("test_parse.c")).expect("written");
    assert!(!text.contains("__glassbox_errno"), "{text}");
    make_passes(&tests);
}

const SCANNER: &str = "#include <stdio.h>
#include <string.h>
#include <unistd.h>
int sum2(void) { int a, b; if (scanf(\"%d %d\", &a, &b) != 2) return -1; if (a + b == 100 && a > 60) return 1; return 0; }
int calc(void) { int a, b; char op; if (scanf(\"%d%c%d\", &a, &op, &b) != 3) return -1; switch (op) { case '+': return a > 10 && b > 10; case '*': return 2; default: return 3; } }
int real(void) { double x; if (scanf(\"%lf\", &x) == 1 && x > 2.5 && x < 2.6) return 1; return 0; }
int word(void) { char w[8]; if (scanf(\"%7s\", w) != 1) return -1; if (strcmp(w, \"quit\") == 0) return 1; return 0; }
int hex(void) { unsigned u; if (fscanf(stdin, \"%x\", &u) != 1) return -1; if (u == 0xbeef) return 1; return 0; }
int many(void) { int n, s = 0, k = 0; while (scanf(\"%d\", &n) == 1) { s += n & 255; k++; if (k == 4) break; } if (k == 3 && s == 77) return 1; return 0; }
int date(void) { int y, m, d; if (scanf(\"%4d-%2d-%2d\", &y, &m, &d) != 3) return -1; if (m < 1 || m > 12) return -2; if (y == 1999 && d == 31) return 1; return 0; }
int pair(void) { char k[6], v[6]; if (scanf(\"%5[^=]=%5s\", k, v) != 2) return -1; if (k[0] == 'a' && k[1] == 0 && v[0] == 'b') return 1; return 0; }
int rest(void) { int n; if (scanf(\"%d\", &n) != 1) { int c, k = 0; while ((c = getchar()) != '\\n' && c != EOF) k++; if (k == 2) return -2; return -1; } if (feof(stdin)) return 5; return n == 7; }
";

#[test]
fn numbers_and_words_of_formatted_input_are_inputs() {
    let suite = generate(SCANNER, &[]);
    let counts = all_covered(&suite);
    assert_eq!(counts, [6, 9, 6, 4, 4, 8, 10, 8, 10]);
    // What a person would type: two numbers and a space.
    let tests = suite["functions"][0]["tests"].as_array().expect("tests");
    let typed = tests.iter().map(|test| {
        let bytes = test["inputs"]["stdin"].as_array().expect("bytes").iter();
        let bytes = bytes.map(|byte| u8::try_from(byte.as_u64().expect("a byte")).expect("a byte"));
        String::from_utf8(bytes.collect()).expect("text")
    });
    let is_pair = |text: &String| {
        let numbers: Vec<&str> = text.split(' ').collect();
        numbers.len() == 2 && numbers.iter().all(|number| number.parse::<i32>().is_ok())
    };
    assert!(typed.filter(is_pair).count() >= 2);
}

#[test]
fn lines_and_blocks_of_standard_input_are_inputs() {
    let source = "#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int line(void) { char b[16]; if (!fgets(b, sizeof b, stdin)) return -1; if (b[0] == '#') return 1; if (strcmp(b, \"go\\n\") == 0) return 2; return 0; }
int raw(void) { unsigned char b[4]; if (read(0, b, 4) != 4) return -1; if (b[0] == 0x7f && b[1] == 'E') return 1; return 0; }
int block(void) { char b[4]; size_t n = fread(b, 1, 4, stdin); if (n == 0) return -1; if (n == 3 && b[2] == 'z') return 1; return 0; }
int whole(void) { char *p = 0; size_t n = 0; ssize_t k = getline(&p, &n, stdin); if (k < 0) { free(p); return -1; } int r = p[0] == 'y' && k == 4; free(p); return r; }
int again(void) { int c = getchar(); if (c == EOF) return -1; ungetc(c, stdin); if (c >= '0' && c <= '9') { if (getchar() == '5') return 1; return 2; } return 0; }
";
    let suite = generate(source, &[]);
    assert_eq!(all_covered(&suite), [6, 6, 6, 6, 8]);
}

/// Goals by function, all of which must be covered.
fn all_covered(suite: &Value) -> Vec<usize> {
    let functions = suite["functions"].as_array().expect("functions");
    let goals = functions.iter().map(|function| {
        let goals = function["goals"].as_array().expect("goals");
        assert!(goals.iter().all(|goal| goal["verdict"] == "covered"), "{goals:#?}");
        goals.len()
    });
    goals.collect()
}

#[test]
fn library_functions_that_tests_cannot_replace_are_reported() {
    let source = "#include <stdio.h>
int count(const char *name) { FILE *f = freopen(name, \"r\", stdin); int c, n = 0; if (!f) return -1; while ((c = fgetc(f)) != EOF) n++; return n; }
int pure(int x) { if (x > 3) return 1; return 0; }
";
    let (_folder, output) = gen_source(source, &[]);
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!printed.contains("disagreement"), "{printed}");
    let message =
        "unsupported): the library function `freopen` (tests link the real one) at program.c:2:";
    assert!(printed.contains(message), "{printed}");
    // That there is no such file can be shown.
    assert!(!printed.contains("f is false: unknown"), "{printed}");
    assert!(printed.contains("pure: 2 goals: 2 covered"), "{printed}");
}

#[test]
fn stubs_are_written_down_and_listed() {
    let source = "struct point { int x, y; };
extern int read_sensor(int *out);
int polled(int (*rate)(struct point, long)) { int v; struct point p = {1, 2}; if (read_sensor(&v) != 0) return -1; if (v > 100 && rate && rate(p, 3) == v) return 1; return 0; }
";
    let suite = generate(source, &[]);
    assert_eq!(all_covered(&suite), [8]);
    let assumptions = suite["functions"][0]["assumptions"].to_string();
    for words in ["`read_sensor` is not defined here", "`rate_stub` stands for", "stubs write"] {
        assert!(assumptions.contains(words), "{assumptions}");
    }
    // Without writes the variable is never set, so that no valid run looks at it.
    let (_folder, output) = gen_source(source, &["--stub-writes", "nothing"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let bound = "are infeasible within bounds: undefined functions change no memory";
    let goal = "v > 100 is true: infeasible within bounds";
    assert!(printed.contains(bound) && printed.contains(goal), "{printed}");
}

#[test]
fn numbers_are_declared_as_the_source_spells_them() {
    let source = "#include <stddef.h>
#include <stdint.h>
struct packet { uint16_t id; uint64_t stamps[2]; };
static uint64_t last_seen;
uint32_t mixed(uint32_t a, size_t n, const uint8_t *p, struct packet *q) { if (a == 3 && n > 1 && p && p[0] == 200 && q->stamps[1] > last_seen) return 1; return 0; }
";
    let (folder, output) = gen_source(source, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let tests = folder.path().join("glassbox-out/tests");
    let text = std::fs::read_to_string(tests.join("test_mixed.c")).expect("written");
    for line in
        ["    uint32_t a = 3U;", "    size_t n = ", "    uint8_t p_data[", "    uint32_t result = "]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
    make_passes(&tests);
}

/// Runs `gen` on a source; what it prints and its suite.
fn output_text(source: &str) -> (String, Value) {
    let (folder, output) = gen_source(source, &[]);
    let text = std::fs::read_to_string(folder.path().join("glassbox-out/suite.json"));
    let suite = serde_json::from_str(&text.expect("written")).expect("JSON");
    (String::from_utf8_lossy(&output.stdout).into_owned(), suite)
}

#[test]
fn variable_arguments_are_inputs() {
    let source = "#include <stdarg.h>
int one(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); va_end(ap); if (x > 3) return 1; return 0; }
static int taken(const char *format, va_list ap) {
    int sum = 0;
    for (; *format; format++) {
        switch (*format) {
        case 'i': if (va_arg(ap, int) > 7) sum += 1; break;
        case 'l': if (va_arg(ap, unsigned long) == 1UL << 40) sum += 1000; break;
        case 'd': if (va_arg(ap, double) > 2.5) sum += 10; break;
        case 'p': { int *p = va_arg(ap, int *); if (p && *p == 41) { *p = 42; sum += 100; } break; }
        default: return -1;
        }
    }
    return sum;
}
int total(const char *format, ...) {
    va_list ap; int sum;
    va_start(ap, format); sum = taken(format, ap); va_end(ap);
    if (sum == 111) return 1;
    if (sum == 1000) return 2;
    return 0;
}
int twice(int n, ...) {
    va_list ap, again; int a, b;
    va_start(ap, n); va_copy(again, ap); a = va_arg(ap, int); b = va_arg(again, int); va_end(ap); va_end(again);
    if (a != b) return 1;
    if (a == 5 && n > 2) return 2;
    return 0;
}
";
    let functions = ["--function", "one", "--function", "total", "--function", "twice"];
    let (folder, output) = gen_source(source, &functions);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}");
    make_passes(&folder.path().join("glassbox-out/tests"));
    for line in ["one: 2 goals: 2 covered", "total: 4 goals: 4 covered"] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
    assert!(printed.contains("twice: 6 goals: 5 covered by"), "{printed}");
    assert!(printed.contains("a != b is true: infeasible: "), "{printed}");
}

#[test]
fn what_only_records_among_variable_arguments_reach_is_not_proved_impossible() {
    let source = "#include <stdarg.h>
struct s { int x; };
int f(int n, ...) { va_list ap; va_start(ap, n); struct s v = va_arg(ap, struct s); va_end(ap); if (v.x > 3) return 1; return 0; }
int g(int n, ...) { va_list ap, q; va_start(ap, n); va_copy(q, ap); int x = va_arg(ap, int); int *p = va_arg(q, int *); if (x > 3 && p) return 1; return 0; }
";
    let (printed, _) = output_text(source);
    assert!(
        !printed.contains("infeasible:") && !printed.contains("infeasible within"),
        "{printed}"
    );
    for what in [
        "v.x > 3 is true: unknown (unsupported): a variable argument of the function under test of this type",
        "a variable argument that is asked for as two types",
    ] {
        assert!(printed.contains(what), "{what}: {printed}");
    }
}

#[test]
fn a_count_that_needs_many_turns_of_a_loop_is_found() {
    let source = "int counted(int i, int a)
{ int j = 10; while (i > a) { i--; j++; } if (j == 4111) return 1; if (j == 410011) return 2; return 0; }
";
    let suite = generate(source, &[]);
    assert_eq!(all_covered(&suite), [6]);
}

#[test]
fn memory_that_the_function_frees_is_allocated() {
    let source = "#include <stdlib.h>
struct version { int major; char *label; };
void drop(struct version *v) { if (v->label) { free(v->label); v->label = NULL; } if (v->major > 3) free(v); }
";
    let suite = generate(source, &[]);
    assert_eq!(all_covered(&suite), [4]);
}

#[test]
fn names_of_tests_do_not_clash_with_those_of_the_program() {
    let source = "char *label;
static int count;
int next(void) { return ++count; }
int f(int count) { if (label && label[0] == 'x' && count > 3 && next() == 5) return 1; return 0; }
";
    let suite = generate(source, &["--function", "f"]);
    assert_eq!(all_covered(&suite), [8]);
}

#[test]
fn macros_with_conditions_inside_do_not_break_the_tests() {
    let source = "#define SKIP() do { while (*s == ' ') s++; if (*s == '#') return 1; } while (0)
#define REJECT(x) do { if (x) return 9; } while (0)
#define IS_X(c) ((c) == 'x')
int f(const char *s) { REJECT(!s); SKIP(); if (IS_X(*s)) return 2; return 0; }
";
    // `while (0)` is decided as well: its condition is never true.
    let suite = generate(source, &[]);
    assert!(n_covered(&suite) >= 8, "{suite:#}");
}
