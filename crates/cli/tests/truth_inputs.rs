//! Inputs that a declaration excludes are no counter-examples, and a contradiction of the compiled program takes
//! proofs back.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::path::Path;
use std::process::Command;

use glassbox_testkit::command::printed_about;
use glassbox_testkit::folder;

/// The output of a command on this source, with everything that it wrote in `folder`.
fn glassbox_in(folder: &Path, command: &str, more: &[&str], source: &str) -> String {
    printed_about(source, folder, command, &[&["--timeout", "10"], more].concat())
}

fn glassbox(command: &str, more: &[&str], source: &str) -> String {
    glassbox_in(folder::empty().path(), command, more, source)
}

#[track_caller]
fn nothing_is_violated(source: &str) -> String {
    let said = glassbox("check", &[], source);
    assert!(!said.contains(": violated"), "{said}");
    assert!(said.contains(": holds"), "{said}");
    said
}

#[test]
fn main_gets_strings_and_a_null_pointer_behind_them() {
    let said = nothing_is_violated(
        "#include <assert.h>\n#include <string.h>\n\
         int main(int argc, char **argv) { assert(argc >= 0); assert(argv[argc] == 0);\n\
         if (argc < 2) return 1; return (int)strlen(argv[1]) & 1; }\n",
    );
    assert!(said.contains("assumes: `main` gets"), "{said}");
}

#[test]
fn a_main_that_does_not_look_at_its_arguments_is_proved_without_bounds() {
    let said = nothing_is_violated(
        "#include <assert.h>\nint main(int argc, char **argv) { unsigned char x = 3; assert(x < 4); \
         return 0; }\n",
    );
    assert!(said.contains("VERDICT: true"), "{said}");
}

#[test]
fn pointers_that_are_never_null_are_not_passed_null() {
    nothing_is_violated(
        "__attribute__((nonnull)) int all(int *p) { return *p; }\n\
         int second(int *p, int *q) __attribute__((nonnull(2)));\n\
         int second(int *p, int *q) { return p ? 1 : *q; }\n",
    );
    let said = glassbox(
        "check",
        &[],
        "__attribute__((nonnull(2))) int one(int *p, int *q) { return *p; }\n",
    );
    assert!(said.contains("p = NULL"), "{said}");
}

#[test]
fn a_static_length_is_a_number_of_elements() {
    nothing_is_violated(
        "int fixed(int a[static 4]) { return a[3]; }\n\
         int given(int n, int a[static n]) { return a[n - 1]; }\n",
    );
    let said = glassbox("check", &[], "int beyond(int a[static 4]) { return a[4]; }\n");
    assert!(said.contains("out-of-bounds") && said.contains(": violated"), "{said}");
}

#[test]
fn a_call_against_the_declaration_is_found() {
    let source = "__attribute__((nonnull)) static int f(int *p) { return *p; }\n\
                  int g(void) { return f(0); }\n";
    let said = glassbox("check", &[], source);
    assert!(said.contains("precondition") && said.contains("violated by g"), "{said}");
}

#[test]
fn restricted_pointers_share_nothing_and_proofs_say_so() {
    let source = "#include <assert.h>\nvoid f(int *restrict p, int *restrict q)\n\
                  { if (!p || !q) return; *p = 1; *q = 2; assert(*p == 1); }\n";
    let said = nothing_is_violated(source);
    assert!(said.contains("`restrict` parameters point to objects of their own"), "{said}");
    let shared = "#include <assert.h>\nvoid f(int *p, int *q)\n\
                  { if (!p || !q) return; *p = 1; *q = 2; assert(*p == 1); }\n";
    let said = glassbox("check", &[], shared);
    assert!(said.contains("assertion (*p == 1): violated"), "{said}");
}

#[test]
fn an_assertion_is_not_confirmed_by_another() {
    let source =
        "#include <assert.h>\nint f(char c) { assert(c < 128); assert(c >= 0); return 0; }\n";
    let said = glassbox("check", &["--", "-funsigned-char"], source);
    assert!(said.contains("(c < 128): violated") && said.contains("(c >= 0): holds"), "{said}");
}

#[test]
fn tests_that_the_program_contradicts_are_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <string.h>\nstruct s { char c; int i; };\n\
                  int g(struct s *a, struct s *b) { if (!a || !b || a == b) return 9;\n\
                  if (a->c != b->c || a->i != b->i) return 1;\n\
                  if (memcmp(a, b, sizeof *a)) return 2; return 3; }\n";
    let said = glassbox_in(folder.path(), "gen", &[], source);
    let made = Command::new("make").args(["-C", "out/tests"]).current_dir(folder.path()).output();
    let made = made.expect("make starts");
    assert!(made.status.success(), "{said}\n{}", String::from_utf8_lossy(&made.stdout));
}

#[test]
fn parameters_may_be_named_like_the_variables_of_a_test() {
    let source = "int f(int result, int f, int *result_arg)\n\
                  { if (result > f && result_arg) return *result_arg; return f; }\n";
    let said = glassbox("gen", &[], source);
    assert!(!said.contains("unknown") && !said.contains("not confirmed"), "{said}");
}
