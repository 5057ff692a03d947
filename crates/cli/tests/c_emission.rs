//! What generated C tests have to cope with, construct by construct: they compile, link, pass, and leave nothing unconfirmed.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::folder;

fn make(folder: &Path) -> Output {
    Command::new("make").arg("-C").arg(folder.join("o/tests")).output().expect("make is installed")
}

fn generate(folder: &Path, more: &[&str]) -> String {
    let (own, flags) = match more.iter().position(|word| *word == "--") {
        Some(at) => more.split_at(at),
        None => (more, &[][..]),
    };
    let mut args = vec!["gen", "a.c", "--out", "o"];
    args.extend(own);
    args.extend(flags);
    let output = run_glassbox_in(folder, args);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All goals are covered by tests that pass with `make`; the text of all test files.
#[track_caller]
fn covered_with(source: &[u8], more: &[&str]) -> String {
    let folder = folder::with_files(&[("a.c", "")]);
    fs::write(folder.path().join("a.c"), source).expect("a source file");
    let text = generate(folder.path(), more);
    assert!(!text.contains("unknown (") && text.contains(" covered"), "{text}");
    let made = make(folder.path());
    assert!(made.status.success(), "{made:?}");
    let mut tests = String::new();
    for entry in fs::read_dir(folder.path().join("o/tests")).expect("tests are written").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("test_") && path.extension().is_some_and(|kind| kind == "c") {
            tests.push_str(&fs::read_to_string(path).expect("a test file"));
        }
    }
    tests
}

#[track_caller]
fn covered(source: &str) -> String {
    covered_with(source.as_bytes(), &[])
}

/// What `assert` does when it fails is defined: it aborts.
#[test]
fn assertions_that_fail_are_tests_that_abort() {
    let tests = covered(
        "#include <assert.h>\n#include <stddef.h>\n\
         int at(const int *p, int i)\n{\n    assert(p != NULL && i >= 0 && i < 2);\n    \
         if (i == 1) return p[1];\n    return p[0];\n}\n",
    );
    assert_eq!(tests.matches("GLASSBOX_ABORTS").count(), 3, "{tests}");
    assert_eq!(tests.matches("GLASSBOX_RETURNS").count(), 2, "{tests}");
}

/// An allocation that fails sets `errno`, of which the unit knows nothing.
#[test]
fn errno_is_set_without_its_header() {
    covered(
        "void *malloc(unsigned long);\nvoid free(void *);\nint open(const char *, int, ...);\n\
         int handle(const char *name, unsigned long size)\n{\n    char *room = malloc(size + 8);\n    \
         if (!room) return -1;\n    int fd = open(name, 0);\n    free(room);\n    if (fd < 0) return -2;\n    return fd;\n}\n",
    );
}

/// A member behind the end of the structure that the parameter names lies on a pointer of the next one.
#[test]
fn parts_of_pointers_are_not_expected() {
    covered(
        "struct tree { struct tree *up; struct tree *lr[2]; signed char bf; };\n\
         struct item { struct tree index; unsigned short id; };\n\
         int compare(const unsigned short *id, const struct tree *node)\n\
         {\n    return (int)*id - (int)((const struct item *)node)->id;\n}\n",
    );
}

#[test]
fn globals_that_are_only_declared_are_defined_and_set() {
    let tests = covered(
        "extern int limit;\nextern const int table[4];\nextern struct { int a, b; } pair;\n\
         int over(int v) { if (v > limit) return 1; return 0; }\n\
         int at(int i) { if (table[i & 3] == 7) return 1; return 0; }\n\
         int both(void) { if (pair.b == 4) return 1; return 0; }\n\
         int plain(int v) { if (v > 3) return 1; return 0; }\n",
    );
    assert!(tests.contains("__attribute__((weak)) __typeof__(limit) limit;"), "{tests}");
}

#[test]
fn conditions_in_macros_are_confirmed() {
    covered(
        "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n\
         #define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })\n\
         #define REQUIRE(c) if (!(c)) return -1\n\
         int low(int a, int b) { if (MIN(a, b) > 3 && MIN(b, a) < 9) return 1; return 0; }\n\
         int high(int a, int b) { if (MAX(a, b) == 77) return 1; return 0; }\n\
         int asked(int a) { REQUIRE(a > 2); do { a--; } while (a > 5); return a; }\n\
         int elvis(int a) { return (a ?: 7) > 6; }\n",
    );
}

#[test]
fn tables_of_pointers_and_cycles_are_initializers() {
    let tests = covered(
        "struct list { int n; struct list *next; };\nstruct list *queues[3];\n\
         struct kept { int v; struct kept *const next; };\n\
         int f(int i) { if (i < 0 || i > 2) return -1; if (queues[i] && queues[i]->n > 3) return 1; return 0; }\n\
         int g(struct kept *k) { if (k->next && k->next->next == k) return 2; return 1; }\n\
         int h(int (*m)[3]) { if (m[1][2] == 5) return 1; return 0; }\n",
    );
    assert!(tests.contains("static struct list *queues_start[3] = {"), "{tests}");
}

#[test]
fn constant_and_volatile_things_are_set() {
    covered(
        "struct cst { const int k; int *const p; };\ntypedef volatile unsigned reg;\n\
         struct dev { reg sr; const reg id; volatile char buf[4]; };\n\
         extern const volatile int port; extern const reg other; extern int ask(volatile int *, char *const *);\n\
         int f(const struct cst *c) { if (!c || !c->p) return -1; if (c->k == 3 && *c->p == 4) return 1; return 0; }\n\
         int g(struct dev *d) { if (d->sr & 1 && d->id == 3 && d->buf[1] == 'a') return 1; return 0; }\n\
         int h(void) { if (port == 3) return 1; if (other == 4) return 2; return 0; }\n\
         int k(volatile int *p) { if (ask(p, 0) == 3) return 1; return 0; }\n",
    );
}

#[test]
fn names_of_the_unit_clash_with_nothing() {
    let tests = covered(
        "#define CHECK(x) ((x) + 1)\n#define size 8\n#define line 3\n#define run go\n#define name other\n\
         typedef int result;\nint tests[size];\nstatic int CHECK_FLOAT;\n\
         result f(result first, int file) { if (first == CHECK(line)) return 1; if (file == tests[2]) return 2; return CHECK_FLOAT; }\n\
         int same(int same) { if (same == 3) return 1; return 0; }\n\
         int call(int x);\nint param(int call_) { if (call(call_) == 3) return 1; return 0; }\n",
    );
    assert!(tests.contains("glassbox_result == 1"), "{tests}");
}

#[test]
fn flags_of_the_project_are_for_its_own_sources() {
    let own = folder::with_files(&[
        ("pre.h", "#define true 7\ntypedef int own_t;\n#define printf no_such_thing(\n"),
        ("own/stdio.h", "#error not for the runtime of tests\n"),
        ("a.c", "own_t f(own_t x) { if (x > true) return 1; return 0; }\n"),
    ]);
    let flags = [
        "--",
        "-include",
        "pre.h",
        "-nostdinc",
        "-isystem",
        "own",
        "-c",
        "-Werror",
        "-std=c90",
        "-pedantic-errors",
        "-ffreestanding",
    ];
    let text = generate(own.path(), &flags);
    assert!(text.contains("f: 2 goals: 2 covered"), "{text}");
    let made = make(own.path());
    assert!(made.status.success(), "{made:?}");
}

#[test]
fn marks_and_bytes_that_are_no_utf8_do_not_matter() {
    let function = b"int f(int x) { if (x > 3) return 1; return 0; }\n";
    covered_with(&[b"\xef\xbb\xbf".as_slice(), function].concat(), &[]);
    covered_with(&[b"/* caf\xe9, 20 \xb0C */\n".as_slice(), function].concat(), &[]);
}

#[test]
fn a_va_list_is_made_by_a_variadic_function() {
    let tests = covered(
        "#include <stdarg.h>\n\
         int f(int kind, va_list list) { (void)list; if (kind == 2) return 5; return 0; }\n\
         void g(va_list list, int *out) { (void)list; if (*out == 4) *out = 3; }\n",
    );
    assert!(
        tests.contains("static int glassbox_call_f(int p0, int glassbox_last, ...)"),
        "{tests}"
    );
}

#[test]
fn a_pointer_to_a_va_list_has_a_type_that_can_be_written() {
    let tests = covered(
        "#include <stdarg.h>\n\
         int f(int kind, va_list *list) { if (kind == 2 && list) return 5; return 0; }\n",
    );
    assert!(tests.contains("__builtin_va_list (*list)"), "{tests}");
}

/// What an element of a table keeps is written as its text: the literal has no name.
#[test]
fn strings_of_a_table_stay_beside_those_that_a_test_sets() {
    let tests = covered(
        "#include <string.h>\n\
         static char *names[] = {\"dumb\", \"cons25\", \"emacs \\\"19\\\"\", 0};\n\
         int known(const char *term)\n{\n    if (!names[0]) return -1;\n    for (int i = 0; names[i]; i++)\n\
         \x20       if (!strcmp(term, names[i])) return 1;\n    return 0;\n}\n\
         void rename_first(char *name) { if (name) names[0] = name; }\n",
    );
    assert!(tests.contains("\"cons25\"") && tests.contains("\"emacs \\\"19\\\"\""), "{tests}");
}

/// A tag and a member may be called like a function that tests replace, a function like a macro.
#[test]
fn names_that_are_used_twice_mean_what_they_mean_in_the_source() {
    let tests = covered(
        "#include <unistd.h>\n#include <sys/stat.h>\n\
         struct io { int (*close)(int); int access; };\nint fetch(struct io *io);\n\
         #define fetch(io) ((io)->access ? 0 : (fetch)(io))\n\
         int size(const char *path) { struct stat s; if (stat(path, &s)) return -1; return s.st_size == 5; }\n\
         int shut(struct io *io, int fd) { if (io->access == 3) return close(fd) == 0; return 0; }\n\
         int get(struct io *io) { if (fetch(io) == 7) return 1; return 0; }\n",
    );
    assert!(tests.contains("int (fetch)(struct io *"), "{tests}");
}

/// A record with a union is given away after a pointer was stored in it: what the other function writes there is bytes.
#[test]
fn records_that_undefined_functions_fill_are_written_byte_by_byte() {
    covered(
        "struct event { int type; union { struct { char *anchor; } alias; struct { int a; short b; } pair; } data; };\n\
         int parse(struct event *e);\n\
         int dump(char *anchor)\n{\n    struct event e = {0};\n    e.data.alias.anchor = anchor;\n    return parse(&e) > 0;\n}\n\
         int load(int *out)\n{\n    struct event e;\n    if (!parse(&e)) return 0;\n    if (e.type != 3) return 1;\n\
         \x20   *out = e.data.pair.b;\n    return 2;\n}\n",
    );
}

/// What watches a test does not stand at the first descriptor that is free.
#[test]
fn a_test_may_write_to_a_descriptor_that_it_does_not_have() {
    covered(
        "#include <unistd.h>\nint f(int fd, int n)\n{\n    if (fd != 3) return 0;\n    write(fd, \"0 1\\n\", 4);\n\
         \x20   if (n > 5) return 1;\n    return 2;\n}\n",
    );
}

/// The functions of a header are those of a file that has none of its own, and of no other.
#[test]
fn a_library_that_is_one_header_is_the_code_of_the_file_that_includes_it() {
    let library =
        "#ifdef IMPLEMENTATION\nint scale(int x) { if (x > 5) return 5; return x; }\n#endif\n";
    let alone = "#define IMPLEMENTATION\n#include \"scale.h\"\n";
    let user =
        "#define IMPLEMENTATION\n#include \"scale.h\"\nint twice(int x) { return scale(x) * 2; }\n";
    for (source, is_there) in [(alone, true), (user, false)] {
        let folder = folder::with_files(&[("a.c", source), ("scale.h", library)]);
        let text = generate(folder.path(), &[]);
        assert_eq!(text.contains("scale: 2 goals: 2 covered"), is_there, "{text}");
        let made = make(folder.path());
        assert!(made.status.success(), "{made:?}");
    }
}

/// Two numbers beside each other look like an address of a run: what nothing writes is not expected.
#[test]
fn numbers_that_look_like_addresses_are_not_taken_for_changed() {
    let tests = covered(
        "static struct { unsigned low; int high; } table[40] =\n\
         \x20   {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8}, {0, 9}};\n\
         int f(int i) { if (i == 3) return table[1].high; return 0; }\n\
         void set(int high) { table[0].high = high; }\n",
    );
    assert!(!tests.contains("CHECK(table[1]"), "{tests}");
}

#[test]
fn anonymous_members_old_definitions_and_incomplete_types_are_written() {
    covered(
        "typedef struct { int kind; union { int i; float f; struct { short lo, hi; }; }; } value;\n\
         struct outer { struct { int x; int y; } in; unsigned a : 3, b : 5; enum { OFF, ON } mode; };\n\
         static struct { int count; struct { int *p; } inner; } state;\nstruct opaque;\nint query(struct opaque *);\n\
         int f(value *v) { if (v->kind == 1 && v->i == 77) return 1; if (v->kind == 2 && v->hi == 3) return 2; return 0; }\n\
         int g(struct outer *o) { if (o->in.y == 4 && o->b == 9 && o->mode == ON) return 1; return 0; }\n\
         int h(void) { if (state.count == 5) return 1; if (state.inner.p && *state.inner.p == 3) return 2; return 0; }\n\
         int k(a, b) int a; short b; { if (a > b) return a; return b; }\n\
         int m(struct opaque *o) { if (!o) return 0; if (query(o) == 5) return 1; return 2; }\n\
         int main(int argc, char **argv) { (void)argv; return k(argc, 2) > 5; }\n",
    );
}

#[test]
fn padding_is_zero() {
    let source = "#include <string.h>\nstruct pad { char c; int i; };\n\
                  int same(struct pad *a, struct pad *b) { if (a->c != b->c || a->i != b->i) return 0;\n\
                  return memcmp(a, b, sizeof *a) == 0 ? 1 : 2; }\n";
    let folder = folder::with_files(&[("a.c", source)]);
    let text = generate(folder.path(), &[]);
    assert!(!text.contains("disagreement"), "{text}");
    assert!(make(folder.path()).status.success());
}

#[test]
fn memory_that_is_written_is_asserted() {
    let source = "struct p { unsigned pos; };\n\
                  int scan(struct p *p, const char *s) {\n    unsigned start = p->pos;\n\
                  if (s[p->pos] == 'a') p->pos++;\n    if (s[p->pos] != 'b') { p->pos = start; return -1; }\n    return 0;\n}\n";
    let folder = folder::with_files(&[("a.c", source)]);
    let text = generate(folder.path(), &[]);
    assert!(text.contains("scan: 4 goals: 4 covered"), "{text}");
    assert!(make(folder.path()).status.success());
    // The tests are built again, and see that the position is not put back.
    let changed = source.replace("p->pos = start; ", "");
    fs::write(folder.path().join("a.c"), changed).expect("a source file");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    let file = fs::File::options().write(true).open(folder.path().join("a.c")).expect("the source");
    file.set_modified(later).expect("a time");
    let made = make(folder.path());
    assert!(!made.status.success(), "{made:?}");
}

#[test]
fn new_memory_behind_a_member_is_not_null() {
    let text = covered(
        "#include <stdlib.h>\nstruct item { char *text; };\n\
         int renew(struct item *r) { if (!r) return 1; free(r->text); r->text = malloc(4);\n\
         if (!r->text) return 2; r->text[0] = 0; return 0; }\n",
    );
    assert!(text.contains("[0].text != 0);"), "{text}");
}

#[test]
fn functions_without_a_decision_are_called() {
    let tests =
        covered("int area(int w, int h) { return w * h; }\nvoid init(int *p) { *p = 0; }\n");
    assert!(tests.contains("static void test_area__returns"), "{tests}");
    assert!(tests.contains("CHECK(p_data[0] == 0);"), "{tests}");
}

#[test]
fn cases_have_the_words_of_the_source() {
    let tests = covered(
        "enum color { RED, GREEN };\nint f(enum color c, char k) {\n  switch (c) { case RED: return 1; case GREEN: return 2; }\n\
         switch (k) { case ':': return 3; case 'n': return 4; }\n  return 0;\n}\n",
    );
    for name in ["case RED is taken", "case ':' is taken", "case 'n' is taken"] {
        assert!(tests.contains(name), "{tests}");
    }
}

#[test]
fn the_length_of_an_array_elsewhere_is_not_known() {
    let source = "extern int table[];\nint f(void) { if (table[0] == 3) return 1; return 0; }\n";
    let folder = folder::with_files(&[("a.c", source)]);
    let text = generate(folder.path(), &[]);
    assert!(text.contains("unknown (unsupported)") && !text.contains(": infeasible"), "{text}");
}

#[test]
fn a_test_that_does_not_compile_costs_no_other() {
    // A compiler that does not take one of the tests.
    let compiler = "#!/bin/sh\ncase \"$*\" in *test.c*)\n\
                    line=$(grep -n 'static void test_f__returns_1_if_x_gt_3' test.c | cut -d: -f1)\n\
                    if [ -n \"$line\" ]; then echo \"test.c:$line:13: error: not this one\" >&2; exit 1; fi;;\nesac\n\
                    exec cc \"$@\"\n";
    let source = "int f(int x) { if (x > 3) return 1; return 0; }\n\
                  int g(int x) { if (x > 5) return 1; return 0; }\n";
    let folder = folder::with_files(&[("a.c", source), ("cc.sh", compiler)]);
    let script = folder.path().join("cc.sh");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&script, mode).expect("an executable script");
    let text = generate(folder.path(), &["--cc", &script.display().to_string()]);
    assert!(text.contains("f: 2 goals: 1 covered"), "{text}");
    assert!(text.contains("g: 2 goals: 2 covered"), "{text}");
    assert!(
        text.contains("it does not compile: test.c:") && text.contains("error: not this one"),
        "{text}"
    );
    let tests = fs::read_to_string(folder.path().join("o/tests/test_f.c")).expect("a test file");
    assert!(!tests.contains("if_x_gt_3") && tests.contains("if_x_le_3"), "{tests}");
    assert!(make(folder.path()).status.success());
}

/// Macros that are one statement are no loops: the line of the case is counted.
#[test]
fn a_case_before_a_macro_of_one_statement_is_taken() {
    covered(
        "int next(int);\n#define ADD(n) do { w = next(n); if (w < 0) return -1; t += w; } while (0)\n\
         int f(int k)\n{\n    int w = 0, t = 0;\n    switch (k) {\n    case 1:\n        ADD(2);\n        return t;\n\
         \u{20}   case 4:\n        ADD(3);\n        return t;\n    default:\n        return 9;\n    }\n}\n",
    );
}

/// The tests of all functions are compiled together, and yet what a function shows is its own.
#[test]
fn functions_of_a_file_are_confirmed_each_by_its_own_conditions() {
    let tests = covered(
        "int depth(int n) { if (n <= 0 || n > 4) return 0; return 1 + depth(n - 1); }\n\
         int ask(void);\n\
         int kind(int a) { switch (depth(a)) { case 0: return 'z'; case 2: return 't'; } return 'o'; }\n\
         int both(int a, int b) { int f = ask(); if (depth(a) && ask() == b) return f; return 1; }\n\
         /* No probe can be where a constant is needed. */\n\
         int size(int n) { switch (n) { case (sizeof(int) > 2 && 1 ? 3 : 4): return 1; } return 0; }\n\
         int once(int n) { int f = ask(); if (n > f) return 1; return 0; }\n",
    );
    assert_eq!(tests.matches("int main(int argc").count(), 5, "{tests}");
}

#[test]
fn what_does_not_link_is_said_in_the_words_of_the_linker() {
    // The compiler takes everything, and the linker nothing.
    let compiler = "#!/bin/sh\ncase \"$*\" in *glassbox.c*)\n\
                    echo \"a.c:(.text+0x5): undefined reference to \\`gone'\" >&2; exit 1;;\nesac\nexec cc \"$@\"\n";
    let source = "int f(int x) { if (x > 3) return 1; return 0; }\n";
    let folder = folder::with_files(&[("a.c", source), ("cc.sh", compiler)]);
    let script = folder.path().join("cc.sh");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&script, mode).expect("an executable script");
    let text = generate(folder.path(), &["--cc", &script.display().to_string()]);
    let words =
        "the generated tests do not compile: a.c:(.text+0x5): undefined reference to `gone'";
    assert!(text.contains(words) && !text.contains(" covered"), "{text}");
    assert!(!folder.path().join("o/tests/test_f.c").exists());
}

#[test]
fn objects_are_aligned_where_addresses_are_looked_at() {
    let source = "#include <stdint.h>\n\
                  int f(const char *p) { if (((uintptr_t)p & 7u) == 0) return p[0] == 'x'; return 2; }\n";
    let folder = folder::with_files(&[("a.c", source)]);
    let text = generate(folder.path(), &[]);
    assert!(!text.contains("disagreement"), "{text}");
}

#[test]
fn stubs_of_ones_own_take_the_place_of_those_of_the_tests() {
    let source = "int ask(void);\nint f(void) { if (ask() == 3) return 1; return 0; }\n";
    let folder = folder::with_files(&[("a.c", source)]);
    let text = generate(folder.path(), &[]);
    assert!(text.contains("f: 2 goals: 2 covered"), "{text}");
    assert!(make(folder.path()).status.success());
    let stubs = folder.path().join("o/tests/glassbox_stubs.c");
    fs::write(&stubs, "int ask(void) { return 3; }\n").expect("a file");
    let made = make(folder.path());
    let printed = String::from_utf8_lossy(&made.stdout).into_owned();
    assert!(
        printed.contains("FAIL test_f__returns_0_if_ask_ne_3")
            && printed.contains("ok   test_f__returns_1_if_ask_eq_3"),
        "{printed}"
    );
    // It stays when tests are written again.
    generate(folder.path(), &[]);
    assert!(stubs.exists());
}

#[test]
fn globals_of_another_file_are_set_and_compared_by_name() {
    let folder = folder::with_files(&[
        ("a.c", "int step(int);\nint f(int x) { if (step(x) > 4) return 1; return 0; }\n"),
        (
            "b.c",
            "int level = 1;\nstatic int n;\nint step(int x) { n++; level = x; return level; }\n",
        ),
    ]);
    let output = run_glassbox_in(folder.path(), ["gen", "a.c", "b.c", "--out", "o"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("unknown (") && text.contains("f: 2 goals: 2 covered"), "{text}");
    let made = make(folder.path());
    assert!(made.status.success(), "{made:?}");
}

#[test]
fn functions_are_called_like_parts_of_the_test_and_have_long_names() {
    covered_with(b"int glassbox_main(int x) { if (x == 3) return 1; return 0; }\n", &[]);
    covered_with(
        b"int CHECK(int x) { if (x == 3) return 1; return 0; }\nint f(int y) { return CHECK(y) ? 5 : 6; }\n",
        &[],
    );
    let long = "f".repeat(250);
    covered_with(
        format!("int {long}(int x) {{ if (x == 3) return 1; return 0; }}\n").as_bytes(),
        &[],
    );
}

#[test]
fn inline_functions_without_a_definition_get_one() {
    covered_with(
        b"inline int half(int x) { if (x > 3) return x / 2; return 0; }\nint f(int y) { return half(y) + 1 > 2; }\n",
        &[],
    );
}

#[test]
fn the_compiler_is_found_from_the_folder_of_tests() {
    let folder =
        folder::with_files(&[("a.c", "int f(int x) { if (x == 3) return 1; return 0; }\n")]);
    std::os::unix::fs::symlink("/usr/bin/cc", folder.path().join("mine")).expect("a link");
    let text = generate(folder.path(), &["--cc", "./mine"]);
    assert!(!text.contains("unknown (") && text.contains("2 covered"), "{text}");
}

/// Instructions of other machines are never assembled; what they give, and what they may change, is an input.
#[test]
fn stubs_stand_in_the_place_of_assembly() {
    let tests = covered(
        "#include <stdio.h>\n\
         static inline unsigned masked(void)\n{\n    unsigned mask;\n    \
         __asm__ volatile (\"mrs %0, primask\" : \"=r\" (mask) : : \"memory\");\n    return mask & 1u;\n}\n\
         int locked(int wanted)\n{\n    if (masked()) return 1;\n    \
         if (wanted) __asm__ volatile (\"cpsid i\" : : : \"memory\"); else\n    \
         __asm__ (\"dsb\");\n    return 0;\n}\n\
         int swapped(int *at, int value)\n{\n    int old, failed;\n    \
         __asm__ volatile (\"ldrex %0, [%2]\\n strex %1, %3, [%2]\"\n    \
             : \"=&r\" (old), \"=&r\" (failed) : \"r\" (at), \"r\" (value) : \"memory\");\n    \
         if (failed) return -1;\n    if (*at == 77) return 2;\n    return old == value;\n}\n",
    );
    assert!(tests.contains("= glassbox_assembly_5_0()"), "{tests}");
}

/// Registers of the machine that runs the tests are not what tests ask for.
#[test]
fn assembly_for_this_machine_is_replaced_like_any_other() {
    covered(
        "int carried(unsigned a, unsigned b)\n{\n    unsigned char carry;\n    \
         asm(\"addl %2, %1; setc %0\" : \"=q\" (carry), \"+r\" (a) : \"r\" (b) : \"cc\");\n    \
         if (carry) return 1;\n    return a == 5;\n}\n",
    );
}
