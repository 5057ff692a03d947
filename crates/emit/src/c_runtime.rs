//! The small C runtime that plain tests link: checks that count and tell failures.

/// `glassbox.h`: no system header, so that it disturbs no source under test.
pub const HEADER: &str = r#"/* Checks for generated tests. Written by glassbox. */
#ifndef GLASSBOX_H
#define GLASSBOX_H

typedef struct glassbox_test {
    const char *name;
    void (*run)(void);
    int exit_status; /* what the test passes to exit(), or -1 if it returns */
} glassbox_test;

/* Each tells a failure with its place and goes on. */
void glassbox_check(int holds, const char *what, const char *file, int line);
void glassbox_check_float(double seen, double wanted, const char *what, const char *file, int line);

/* Says that the call below ends in exit() with this status; the list of tests has it too. */
#define glassbox_expect_exit(status) ((void)(status))

/* Called by instrumented sources: condition `id` was evaluated to `value`. Returns `value`. */
int glassbox_probe(int id, int value);

int glassbox_main(int argc, char **argv, const glassbox_test *tests, int n_tests);

#define CHECK(condition) glassbox_check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define CHECK_FLOAT(seen, wanted) \
    glassbox_check_float((double)(seen), (double)(wanted), #seen " == " #wanted, __FILE__, __LINE__)

#endif
"#;

/// `glassbox.c`.
pub const SOURCE: &str = r#"/* Checks for generated tests. Written by glassbox. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "glassbox.h"

static int n_failures;
static FILE *probes;

void glassbox_check(int holds, const char *what, const char *file, int line)
{
    if (!holds) {
        n_failures++;
        fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what);
    }
}

void glassbox_check_float(double seen, double wanted, const char *what, const char *file, int line)
{
    /* Same bits, or both not a number. */
    int holds = (seen != seen && wanted != wanted) || memcmp(&seen, &wanted, sizeof seen) == 0;
    if (!holds) {
        n_failures++;
        fprintf(stderr, "%s:%d: check failed: %s (seen %a, wanted %a)\n", file, line, what, seen, wanted);
    }
}

int glassbox_probe(int id, int value)
{
    if (probes)
        fprintf(probes, "%d %d\n", id, value);
    return value;
}

/* Failed checks turn any ending into this status. */
enum { CHECK_FAILED = 97, DID_NOT_EXIT = 98 };

static void at_exit(void)
{
    if (n_failures) {
        if (probes)
            fflush(probes);
        _exit(CHECK_FAILED);
    }
}

/* Each test has a process of its own: one that crashes or exits ends no other. */
static int run(const glassbox_test *test)
{
    int status = 0, wanted = test->exit_status < 0 ? 0 : test->exit_status & 0xff, is_ok;
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        atexit(at_exit);
        test->run();
        exit(test->exit_status < 0 ? 0 : DID_NOT_EXIT);
    }
    is_ok = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
        && WEXITSTATUS(status) == wanted;
    if (child > 0 && WIFSIGNALED(status))
        fprintf(stderr, "%s: ended by signal %d\n", test->name, WTERMSIG(status));
    printf("%s %s\n", is_ok ? "ok  " : "FAIL", test->name);
    fflush(stdout);
    return is_ok;
}

int glassbox_main(int argc, char **argv, const glassbox_test *tests, int n_tests)
{
    int n_run = 0, n_passed = 0, i;
    const char *probe_file = getenv("GLASSBOX_PROBES");
    if (probe_file && *probe_file)
        probes = fopen(probe_file, "w");
    for (i = 0; i < n_tests; i++) {
        if (argc > 1 && strcmp(argv[1], tests[i].name) != 0)
            continue;
        n_run++;
        n_passed += run(&tests[i]);
    }
    if (probes)
        fclose(probes);
    printf("%d passed, %d failed\n", n_passed, n_run - n_passed);
    return n_run == 0 ? 2 : n_passed == n_run ? 0 : 1;
}
"#;
