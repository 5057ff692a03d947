//! What library functions do to a program: nothing is proved that a callback, a thread, a second return, a
//! count of `printf`, the caller's `errno` or another library can break.

use glassbox_testkit::command::printed_about;
use glassbox_testkit::folder;

/// The output of a command on this source.
fn glassbox(command: &str, more: &[&str], source: &str) -> String {
    printed_about(source, folder::empty().path(), command, more)
}

/// No assertion of the program is proved without a bound.
#[track_caller]
fn is_not_proved(source: &str) {
    let said = glassbox("check", &["--assertions-only", "--timeout", "5"], source);
    let is_proof = |line: &str| line.contains(": holds") && !line.contains("holds-within");
    let proofs: Vec<&str> =
        said.lines().filter(|line| line.contains("assertion") && is_proof(line)).collect();
    assert_eq!(proofs, Vec::<&str>::new(), "{said}");
}

#[test]
fn a_handler_out_of_a_table_runs_at_exit() {
    is_not_proved(
        "#include <assert.h>\n#include <stdlib.h>\nstatic int g;\n\
         static void first(void) { }\nstatic void second(void) { assert(g == 0); }\n\
         static void (*table[2])(void) = {first, second};\n\
         int main(int argc, char **argv) { second(); atexit(table[argc & 1]); g = 1; return 0; }\n",
    );
}

#[test]
fn a_handler_in_a_structure_runs_when_a_signal_is_raised() {
    is_not_proved(
        "#define _POSIX_C_SOURCE 200809L\n#include <assert.h>\n#include <signal.h>\nstatic int g;\n\
         static void handler(int s) { assert(g == 0); }\n\
         int main(int argc, char **argv) { handler(0); struct sigaction a = {0};\n\
         a.sa_handler = handler; sigaction(10, &a, 0); g = argc; raise(10); return 0; }\n",
    );
}

#[test]
fn a_thread_changes_globals_at_any_time() {
    is_not_proved(
        "#include <assert.h>\n#include <pthread.h>\nint g;\nvoid *body(void *p) { g = 2; return 0; }\n\
         void *(*table[2])(void *) = {body, body};\n\
         int main(int argc, char **argv) { pthread_t t; pthread_create(&t, 0, table[argc & 1], 0);\n\
         g = 1; assert(g == 1); return 0; }\n",
    );
}

#[test]
fn a_comparison_is_called_by_the_search() {
    is_not_proved(
        "#include <assert.h>\n#include <search.h>\n\
         static int cmp(const void *a, const void *b) { assert(*(int *)a != 7); return 0; }\n\
         static int (*const table[2])(const void *, const void *) = {cmp, cmp};\n\
         int main(int argc, char **argv) { void *root = 0; int y = 1; cmp(&y, &y);\n\
         tsearch(&argc, &root, table[argc & 1]); return 0; }\n",
    );
}

#[test]
fn a_function_of_another_file_may_call_back() {
    is_not_proved(
        "#include <assert.h>\nextern void somewhere(void (*)(void));\nstatic int g;\n\
         static void back(void) { assert(g == 0); }\nstatic void (*table[1])(void) = {back};\n\
         int main(int argc, char **argv) { back(); g = 1; somewhere(table[0]); return 0; }\n",
    );
}

#[test]
fn a_format_that_counts_writes() {
    is_not_proved(
        "#include <assert.h>\n#include <stdio.h>\nint main(int argc, char **argv) { int n = 0;\n\
         unsigned s = 0; for (int i = 0; i < argc; i++) s += 3;\n\
         if (s == 15000) printf(\"abc%n\", &n); assert(n == 0); return 0; }\n",
    );
}

#[test]
fn a_context_is_returned_to_and_a_child_shares_memory() {
    is_not_proved(
        "#include <assert.h>\n#include <ucontext.h>\nint main(void) { static int done; ucontext_t c;\n\
         int x = 1; getcontext(&c); assert(x == 1); x = 2; if (!done) { done = 1; setcontext(&c); }\n\
         return 0; }\n",
    );
    is_not_proved(
        "#include <assert.h>\n#include <unistd.h>\nint main(void) { int x = 1;\n\
         if (vfork() == 0) { x = 2; _exit(0); } assert(x == 1); return 0; }\n",
    );
}

#[test]
fn only_the_sign_of_a_comparison_is_fixed() {
    is_not_proved(
        "#include <assert.h>\n#include <string.h>\n\
         int main(void) { assert(memcmp(\"a\", \"c\", 1) != -1); return 0; }\n",
    );
    let said = glassbox(
        "check",
        &["--assertions-only", "--timeout", "5"],
        "#include <assert.h>\n#include <string.h>\n\
         int main(void) { assert(memcmp(\"a\", \"c\", 1) < 0); return 0; }\n",
    );
    assert!(said.contains(": holds"), "the sign is known: {said}");
}

#[test]
fn mathematics_may_set_errno() {
    is_not_proved(
        "#include <assert.h>\n#include <errno.h>\n#include <math.h>\n\
         int main(int argc, char **argv) { errno = 0; double d = log(-argc); (void)d;\n\
         assert(errno == 0); return 0; }\n",
    );
}

#[test]
fn the_size_of_an_array_is_known() {
    is_not_proved(
        "#include <assert.h>\n\
         int main(void) { char b[64]; assert(__builtin_object_size(b, 0) != 64); return 0; }\n",
    );
}

#[test]
fn errno_is_what_the_caller_left_there() {
    let source = "#include <errno.h>\nint f(void) { if (errno == 3) return 1; return 0; }\n";
    let said = glassbox("gen", &[], source);
    assert!(!said.contains("errno == 3 is true: infeasible"), "{said}");
    assert!(!said.contains("disagreement"), "the compiled test agrees: {said}");
}
