//! What real C projects are made of: their generated tests compile, and what cannot be written costs nothing else.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::path::Path;
use std::process::{Command, Output};

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::folder;

#[test]
fn a_flexible_array_member_is_not_initialized() {
    let program = "struct buffer { unsigned length; unsigned char bytes[]; };\n\
                   int f(struct buffer *b) {\n    if (b->length == 7) return 1;\n    return 0;\n}\n";
    let folder = folder::with_files(&[("a.c", program)]);
    let output = run_glassbox_in(folder.path(), ["gen", "a.c", "--out", "o"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("f: 2 goals: 2 covered"), "{text}");
    let made = Command::new("make").arg("-C").arg(folder.path().join("o/tests")).output();
    assert!(made.is_ok_and(|made| made.status.success()));
}

#[test]
fn a_function_with_a_va_list_does_not_stop_the_others() {
    let program = "#include <stdarg.h>\n\
                   int last(int n, va_list list) { return n > 0 ? va_arg(list, int) : 0; }\n\
                   int sign(int x) { return x < 0 ? -1 : 1; }\n";
    let folder = folder::with_files(&[("a.c", program)]);
    let output = run_glassbox_in(folder.path(), ["gen", "a.c", "--out", "o"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // No test says what arguments the list has.
    assert!(text.contains("last: 2 goals: 1 covered by 1 test"), "{text}");
    assert!(text.contains("sign: 2 goals: 2 covered"), "{text}");
    let made = Command::new("make").arg("-C").arg(folder.path().join("o/tests")).output();
    assert!(made.is_ok_and(|made| made.status.success()));
}

/// A compilation database of these files, with what their commands have between `cc` and the file.
fn database(entries: &[(&str, &str, &str)]) -> String {
    let entry = |(directory, flags, file): &(&str, &str, &str)| {
        format!(
            "{{\"directory\": \"{directory}\", \"file\": \"{file}\", \"command\": \"{flags} -c {file} -o x.o\"}}"
        )
    };
    format!("[{}]", entries.iter().map(entry).collect::<Vec<_>>().join(",\n"))
}

/// What `make` runs in the tests of a result, which all pass.
#[track_caller]
fn passing_tests(folder: &Path) -> usize {
    let made = Command::new("make").arg("-C").arg(folder.join("tests")).output();
    let made = made.expect("make should start");
    let text = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(made.status.success(), "{text}\n{}", String::from_utf8_lossy(&made.stderr));
    text.lines().filter(|line| line.starts_with("ok ")).count()
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned()).concat()
}

const HEADER: &str = "#ifndef LIMIT\n#error LIMIT is missing\n#endif\nint helper(int x);\n";
const FIRST: &str = "#include \"a.h\"\n\
                     static int pick(int x) { if (x > LIMIT) return 1; return 0; }\n\
                     int twice(int x) { return helper(x) > 3 ? pick(x) : 2; }\n\
                     int main(void) { return twice(1); }\n";
const SECOND: &str = "#include \"a.h\"\n\
                      static int pick(int x) { if (x < -LIMIT) return 1; return 0; }\n\
                      int helper(int x) { return pick(x); }\n\
                      int main(void) { return helper(1); }\n";

#[test]
fn every_unit_of_a_database_has_its_own_flags() {
    let database = database(&[
        ("build", "gcc -I../inc -DLIMIT=10 -O2 -Wall -Werror", "../src/a.c"),
        ("build", "gcc -I ../inc -D LIMIT=3 -fwrapv", "../src/b.c"),
        ("build", "gcc -ffast-math", "../src/odd.c"),
        ("build", "avr-gcc", "../src/avr.c"),
        ("build", "g++", "../src/other.cpp"),
    ]);
    let folder = folder::with_files(&[
        ("inc/a.h", HEADER),
        ("src/a.c", FIRST),
        ("src/b.c", SECOND),
        ("src/odd.c", "int odd(int x) { return x > 1; }\n"),
        ("src/avr.c", "int avr(int x) { return x > 1; }\n"),
        ("compile_commands.json", &database),
    ]);
    let arguments = ["gen", "--compdb", "compile_commands.json", "--out", "o"];
    let output = run_glassbox_in(folder.path(), arguments);
    let text = said(&output);
    // Two files are named and left out.
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("src/odd.c: error: the compiler flag `-ffast-math`"), "{text}");
    assert!(text.contains("src/avr.c: error: `avr-gcc` compiles for another"), "{text}");
    assert!(text.contains("2 files could not be read: src/odd.c, src/avr.c"), "{text}");
    assert!(!text.contains("other.cpp"), "{text}");
    // Both static functions of one name have their tests.
    assert_eq!(text.matches("pick: 2 goals: 2 covered by 2 tests").count(), 2, "{text}");
    assert!(passing_tests(&folder.path().join("o")) >= 4);
    let makefile = std::fs::read_to_string(folder.path().join("o/tests/b/Makefile"));
    assert!(makefile.expect("a Makefile").contains("LIMIT=3 -fwrapv"));
    // The same by the folder, which has the database, and for one file.
    let output = run_glassbox_in(folder.path(), ["list", "."]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said(&output).matches("pick").count(), 2);
    let one = ["gen", "src/b.c", "--compdb", "compile_commands.json", "--out", "one"];
    let output = run_glassbox_in(folder.path(), one);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    passing_tests(&folder.path().join("one"));
}

#[test]
fn files_named_together_are_linked() {
    let first = "#include \"a.h\"\nextern int limit; int level(void);\n\
                 int over(int x) { if (x > limit + LIMIT) return level(); return helper(x) > 3; }\n\
                 int main(void) { return over(1); }\n";
    let second = "#include \"a.h\"\nstatic int state = 3; int limit = 5;\n\
                  int level(void) { if (state == 7) return 1; return 0; }\n\
                  void up(void) { state++; }\n\
                  int helper(int x) { if (x < -LIMIT) return 5; return x; }\n";
    let folder = folder::with_files(&[
        ("inc/a.h", HEADER),
        ("a.c", first),
        ("b.c", second),
        ("broken.c", "int f(int x) { return y; }\n"),
    ]);
    let arguments = ["gen", "a.c", "b.c", "broken.c", "--out", "o", "--", "-Iinc", "-DLIMIT=2"];
    let output = run_glassbox_in(folder.path(), arguments);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("1 file could not be read: broken.c"), "{text}");
    assert!(text.contains("level: 2 goals: 2 covered"), "{text}");
    assert!(text.contains("over: 2 goals: 2 covered"), "{text}");
    assert!(passing_tests(&folder.path().join("o")) >= 6);
    // What no test of another file can set is an assumption.
    let far = folder::with_files(&[
        ("a.c", "int level(void);\nint f(void) { if (level()) return 1; return 0; }\n"),
        ("b.c", second),
        ("a.h", HEADER),
    ]);
    let output = run_glassbox_in(far.path(), ["gen", "a.c", "b.c", "--", "-DLIMIT=2"]);
    let text = said(&output);
    assert!(text.contains("static variables of other files start as written"), "{text}");
}

#[test]
fn nothing_that_can_be_read_is_an_error() {
    let folder = folder::with_files(&[
        ("a.c", "#include \"none.h\"\n"),
        ("b.c", "int f(void) { return y; }\n"),
        ("empty/x.txt", ""),
        ("broken.json", "[{"),
        ("c.json", "[]"),
    ]);
    for arguments in [
        vec!["gen", "a.c", "b.c"],
        vec!["gen", "."],
        vec!["gen", "empty"],
        vec!["gen", "--compdb", "broken.json"],
        vec!["gen", "--compdb", "c.json"],
        vec!["gen", "--compdb", "none.json"],
        vec!["list", "."],
    ] {
        let output = run_glassbox_in(folder.path(), &arguments);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{text}");
        assert!(text.contains("error"), "{arguments:?}\n{text}");
    }
}

/// `gen` on one file; what was printed, and whether the tests that were written pass.
fn generated(program: &str) -> (tempfile::TempDir, String, usize) {
    let folder = folder::with_files(&[("a.c", program)]);
    let output = run_glassbox_in(folder.path(), ["gen", "a.c", "--out", "o"]);
    let passing = passing_tests(&folder.path().join("o"));
    (folder, said(&output), passing)
}

#[test]
fn addresses_in_bytes_and_numbers_are_not_compared() {
    let program = "#include <stdint.h>\n#include <string.h>\n\
                   static unsigned char heap[64];\nstatic int other;\nuintptr_t kept;\n\
                   struct block { struct block *next; unsigned long size; };\n\
                   uintptr_t start(int n) {\n    struct block *b = (struct block *)(heap + 8 * (n & 3));\n\
                   \x20   b->size = 7;\n    b->next = b;\n    int *p = &other;\n\
                   \x20   memcpy(heap + 49, &p, sizeof p);\n    heap[60] = 5;\n    kept = (uintptr_t)p;\n\
                   \x20   return n > 3 ? (uintptr_t)b : 9;\n}\n";
    let (folder, said, passing) = generated(program);
    assert!(said.contains("start: 2 goals: 2 covered"), "{said}");
    assert!(!said.contains("disagreement"), "{said}");
    assert_eq!(passing, 2, "{said}");
    let tests = std::fs::read_to_string(folder.path().join("o/tests/test_start.c"));
    let tests = tests.expect("tests are written");
    // What is a number is compared nevertheless.
    assert!(tests.contains("heap[60] == 5") && tests.contains("result == 9"), "{tests}");
}

#[test]
fn objects_of_earlier_calls_are_declared() {
    let program = "extern unsigned ticks(void);\n\
                   unsigned sample(long *switched) {\n    static unsigned last;\n    unsigned now = ticks();\n\
                   \x20   if (now < last) *switched = 1; else *switched = 0;\n    last = now;\n    return now;\n}\n";
    let (_folder, said, passing) = generated(program);
    assert!(said.contains("sample: 2 goals: 2 covered"), "{said}");
    assert!(passing > 0, "{said}");
}

#[test]
fn what_a_stub_gives_has_a_name_of_its_own() {
    let program = "extern int receive(unsigned char *from, unsigned char **frame, unsigned short *length);\n\
                   int poll(void) {\n    unsigned char from, *frame;\n    unsigned short length;\n\
                   \x20   if (receive(&from, &frame, &length) == 0) {\n\
                   \x20       if (frame && length == 3 && frame[1] == 'x') return 1;\n    }\n    return 0;\n}\n";
    let (_folder, said, passing) = generated(program);
    assert!(!said.contains("does not compile") && !said.contains("disagreement"), "{said}");
    assert!(passing > 2, "{said}");
}

#[test]
fn streams_of_the_program_are_not_compared() {
    let program = "#include <stdio.h>\n\
                   int warn(int n) { if (n > 3) fprintf(stderr, \"%d\\n\", n); return n > 3; }\n";
    let (folder, said, _) = generated(program);
    let tests = std::fs::read_to_string(folder.path().join("o/tests/test_warn.c"));
    let tests = tests.expect("tests are written");
    assert!(!tests.contains("stderr"), "{said} {tests}");
}

#[test]
fn numbers_made_of_addresses_are_not_expected() {
    let program = "#include <stdint.h>\n\
                   struct node { uint64_t state; unsigned char id, kind; };\n\
                   int start(struct node *n, uint64_t seed) {\n    if (!n) return -1;\n\
                   \x20   n->state = (seed ^ (uintptr_t)n) * 11400714819323198485u;\n    n->id = n->state % 127;\n\
                   \x20   n->kind = 9;\n    return 4;\n}\n";
    let (folder, said, passing) = generated(program);
    assert!(said.contains("start: 2 goals: 2 covered"), "{said}");
    assert_eq!(passing, 2, "{said}");
    let tests = std::fs::read_to_string(folder.path().join("o/tests/test_start.c"));
    let tests = tests.expect("tests are written");
    assert!(tests.contains(".kind == 9") && tests.contains("result == 4"), "{tests}");
}

/// Without a database, headers are found where the project has them, and those of the system stay what they are.
#[test]
fn headers_of_a_folder_are_found() {
    let folder = folder::with_files(&[
        (
            "src/a.c",
            "#include <string.h>\n#include <lib/limit.h>\n\
                     int f(const char *s) { if (!s) return 0; if (strlen(s) > LIMIT) return 1; return 2; }\n",
        ),
        ("inc/lib/limit.h", "#define LIMIT 3\n"),
        ("inc/string.h", "#error this is not the system's\n"),
    ]);
    let output = run_glassbox_in(folder.path(), ["gen", ".", "--out", "o"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("4 goals: 4 covered"), "{text}");
}
