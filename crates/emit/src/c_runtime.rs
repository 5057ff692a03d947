//! The small C runtime that plain tests link: checks that count and tell failures.

/// `glassbox.h`: no system header, so that it disturbs no source under test.
pub const HEADER: &str = r#"/* Checks for generated tests. Written by glassbox. */
#ifndef GLASSBOX_H
#define GLASSBOX_H

typedef struct glassbox_test {
    const char *name;
    void (*run)(void);
} glassbox_test;

/* Each tells a failure with its place and goes on. */
void glassbox_check(int holds, const char *what, const char *file, int line);
void glassbox_check_float(double seen, double wanted, const char *what, const char *file, int line);

/* Sets what a call of exit() is expected to return; the test then ends there. */
void glassbox_expect_exit(int status);

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

#include "glassbox.h"

static int n_failures;
static int wanted_exit = -1;
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

static void at_exit(void)
{
    if (probes)
        fflush(probes);
    if (wanted_exit >= 0)
        _Exit(n_failures == 0 ? wanted_exit : 99);
}

void glassbox_expect_exit(int status)
{
    wanted_exit = status;
    atexit(at_exit);
}

int glassbox_probe(int id, int value)
{
    if (probes)
        fprintf(probes, "%d %d\n", id, value);
    return value;
}

static int run(const glassbox_test *test)
{
    int before = n_failures;
    test->run();
    printf("%s %s\n", n_failures == before ? "ok  " : "FAIL", test->name);
    fflush(stdout);
    return n_failures == before;
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
