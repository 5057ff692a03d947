//! The small C runtime that plain tests link: checks that count and report failures.

use crate::runtime_support::{failing_allocations, files, memory_and_input};

/// `glassbox.h`: no system header, so that it disturbs no source under test.
pub const HEADER: &str = r#"/* Checks for generated tests. Written by glassbox. */
#ifndef GLASSBOX_H
#define GLASSBOX_H

typedef struct glassbox_test {
    const char *name;
    void (*run)(void);
    int exit_status; /* what the test passes to exit(), or one of the endings below */
} glassbox_test;

/* Endings that are no exit: the call returns; an assertion stops it; a run-time error stops it, which
   only sanitizers (-fsanitize=address,undefined) see for certain; a check of a promise fails. */
enum { GLASSBOX_RETURNS = -1, GLASSBOX_ABORTS = -2, GLASSBOX_FAILS = -3, GLASSBOX_BREAKS = -4 };

/* Each tells a failure with its place and goes on. */
void glassbox_check(int holds, const char *what, const char *file, int line);
void glassbox_check_float(double seen, double wanted, const char *what, const char *file, int line);

/* A copy in memory that the function under test may free. */
void *glassbox_allocated(const void *start, unsigned long size);

/* The allocations with these numbers (the next is 1) give null. Needs the flags that
   replace malloc (-DGLASSBOX_ALLOCATIONS -Wl,--wrap=malloc and so on), as in the Makefile. */
void glassbox_fail_allocations(int count, ...);

/* The call that follows loses memory: looked for after it, or when it exits. Needs -fsanitize=address. */
void glassbox_expect_leak(void);
void glassbox_look_for_leaks(void);

/* Called where a function is called against its contract. */
void glassbox_precondition(const char *what);

/* Whether fewer than `size` bytes follow at `start`, as far as -fsanitize=address sees. */
int glassbox_is_short(const void *start, unsigned long size);

/* Makes these bytes the standard input of the test. */
void glassbox_stdin(const char *bytes, unsigned long n_bytes);

/* A stream (FILE *) that reads these bytes and can be written to. */
void *glassbox_stream(const char *bytes, unsigned long n_bytes);

/* What the next calls that open files find: for each a text and its length, or a null pointer and 0 where there is
   no file. Needs the flags that replace fopen (-DGLASSBOX_FILES -Wl,--wrap=fopen and so on), as in the Makefile. */
void glassbox_files(int count, ...);

/* Memory at this address, which the source under test writes as a number. */
void glassbox_map(unsigned long address, unsigned long size);

/* Says that the call below ends in exit() with this status; the list of tests has it too. */
#define glassbox_expect_exit(status) ((void)(status))

/* Called by instrumented sources: condition `id` was evaluated to `value`. Returns `value`. */
int glassbox_probe(int id, int value);

/* How two operands stand to each other: 1 equal, 2 next below, 3 next above, 0 otherwise. */
#define glassbox_relation(l, r) \
    ((l) == (r) ? 1 : (l) < (r) ? 2 * glassbox_is_next(l, r) : (l) > (r) ? 3 * glassbox_is_next(r, l) : 0)
#define glassbox_is_next(l, r) \
    (__builtin_classify_type((l) + (r)) != 8 ? (l) + (1 ? 1 : (r)) == (r) \
     : sizeof((l) + (r)) == 4 ? __builtin_nextafterf((float)(l), (float)(r)) == (r) \
     : __builtin_nextafter((double)(l), (double)(r)) == (r))

/* Runs the tests of a table of `size` bytes, or those whose names are given. */
int glassbox_main(int argc, char **argv, const glassbox_test *tests, unsigned long size);

#define GLASSBOX_CHECK(condition) glassbox_check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define GLASSBOX_CHECK_FLOAT(seen, wanted) \
    glassbox_check_float((double)(seen), (double)(wanted), #seen " == " #wanted, __FILE__, __LINE__)

#endif
"#;

/// `glassbox.c`.
pub const SOURCE: &str = concat!(
    r#"/* Checks for generated tests. Written by glassbox. */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "glassbox.h"

static int n_failures;
/* Whether the test is over with the first check that fails. */
static int ends_with_failure;
/* Failed checks turn any ending into the first status. */
enum { CHECK_FAILED = 97, DID_NOT_EXIT = 98, SANITIZER = 99 };
/* Where conditions are reported, which of them, and how many were. */
static FILE *probes;
static int first_probe, last_probe, n_reported;
enum { MOST_REPORTED = 1 << 20 };

void glassbox_check(int holds, const char *what, const char *file, int line)
{
    if (!holds) {
        n_failures++;
        fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what);
        if (ends_with_failure)
            _exit(CHECK_FAILED);
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

"#,
    memory_and_input!(),
    r#"int glassbox_probe(int id, int value)
{
    if (probes && id >= first_probe && id <= last_probe && n_reported < MOST_REPORTED) {
        n_reported++;
        fprintf(probes, "%d %d\n", id, value);
    }
    return value;
}

"#,
    failing_allocations!(),
    files!(),
    r#"
/* What sanitizers ask for when they are linked. */
const char *__asan_default_options(void)
{
    return "exitcode=99:detect_leaks=1:leak_check_at_exit=0:detect_stack_use_after_return=1:"
           "allocator_may_return_null=1";
}
const char *__ubsan_default_options(void)
{
    return "exitcode=99";
}

/* What verification tasks call without a definition. */
__attribute__((weak)) void reach_error(void)
{
    abort();
}
__attribute__((weak)) void __VERIFIER_error(void)
{
    abort();
}
__attribute__((weak)) void assert(int condition)
{
    if (!condition)
        abort();
}
__attribute__((weak)) void __VERIFIER_assert(int condition)
{
    if (!condition)
        abort();
}
__attribute__((weak)) void __CPROVER_precondition(int condition, const char *what)
{
    (void)what;
    if (!condition)
        abort();
}
__attribute__((weak)) void __CPROVER_postcondition(int condition, const char *what)
{
    (void)what;
    if (!condition)
        abort();
}
__attribute__((weak)) void __CPROVER_assert(int condition, const char *what)
{
    (void)what;
    if (!condition)
        abort();
}
__attribute__((weak)) void __ESBMC_assert(int condition, const char *what)
{
    (void)what;
    if (!condition)
        abort();
}
__attribute__((weak)) void klee_assert(int condition)
{
    if (!condition)
        abort();
}
__attribute__((weak)) void __VERIFIER_assume(int condition)
{
    if (!condition)
        _exit(DID_NOT_EXIT);
}
__attribute__((weak)) void __CPROVER_assume(int condition)
{
    if (!condition)
        _exit(DID_NOT_EXIT);
}
__attribute__((weak)) void __ESBMC_assume(int condition)
{
    if (!condition)
        _exit(DID_NOT_EXIT);
}
__attribute__((weak)) void klee_assume(unsigned long condition)
{
    if (!condition)
        _exit(DID_NOT_EXIT);
}

void glassbox_precondition(const char *what)
{
    fprintf(stderr, "broken: %s\n", what);
    _exit(CHECK_FAILED);
}

void *__asan_region_is_poisoned(void *start, size_t size) __attribute__((weak));

int glassbox_is_short(const void *start, unsigned long size)
{
    if (!start)
        return size > 0;
    return __asan_region_is_poisoned && __asan_region_is_poisoned((void *)start, size) != NULL;
}

int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static int expects_leak;

void glassbox_expect_leak(void)
{
    expects_leak = 1;
}

/* What the call left on the stack below is no pointer to anything. */
static __attribute__((noinline)) void clean_stack(void)
{
    volatile char room[1 << 16];
    memset((char *)room, 0, sizeof room);
}

void glassbox_look_for_leaks(void)
{
    expects_leak = 0;
    clean_stack();
    if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
        _exit(SANITIZER);
}

static void at_exit(void)
{
    if (expects_leak)
        glassbox_look_for_leaks();
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
        ends_with_failure = test->exit_status == GLASSBOX_BREAKS;
        test->run();
        exit(test->exit_status == GLASSBOX_RETURNS ? 0 : DID_NOT_EXIT);
    }
    is_ok = child > 0 && waitpid(child, &status, 0) == child;
    if (test->exit_status == GLASSBOX_ABORTS)
        is_ok = is_ok && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    else if (test->exit_status == GLASSBOX_FAILS)
        is_ok = is_ok && (WIFSIGNALED(status) || WEXITSTATUS(status) == SANITIZER);
    else if (test->exit_status == GLASSBOX_BREAKS)
        is_ok = is_ok && WIFEXITED(status)
            && (WEXITSTATUS(status) == CHECK_FAILED || WEXITSTATUS(status) == SANITIZER);
    else
        is_ok = is_ok && WIFEXITED(status) && WEXITSTATUS(status) == wanted;
    if (child > 0 && WIFSIGNALED(status) && !is_ok)
        fprintf(stderr, "%s: ended by signal %d\n", test->name, WTERMSIG(status));
    printf("%s %s\n", is_ok ? "ok  " : "FAIL", test->name);
    fflush(stdout);
    return is_ok;
}

/* The same file by a descriptor that no test is likely to write to by chance. */
static FILE *out_of_reach(FILE *file)
{
    int far = fcntl(fileno(file), F_DUPFD, 250);
    FILE *moved = far < 0 ? NULL : fdopen(far, "w");
    if (!moved)
        return file;
    fclose(file);
    return moved;
}

/* Runs a test that reports its conditions to `<GLASSBOX_PROBES><name>`, those numbered
   GLASSBOX_FIRST_PROBE to GLASSBOX_LAST_PROBE; the last line says how it ended. */
static int run_probed(const glassbox_test *test)
{
    const char *start = getenv("GLASSBOX_PROBES");
    const char *first = getenv("GLASSBOX_FIRST_PROBE"), *last = getenv("GLASSBOX_LAST_PROBE");
    char path[4096];
    int is_ok;
    if (!start || !*start || strlen(start) + strlen(test->name) >= sizeof path)
        return run(test);
    strcpy(path, start);
    strcat(path, test->name);
    first_probe = first ? atoi(first) : 0;
    last_probe = last ? atoi(last) : 0x7fffffff;
    probes = fopen(path, "w");
    /* What stops a test must not lose what it reported. */
    if (probes) {
        probes = out_of_reach(probes);
        setvbuf(probes, NULL, _IOLBF, BUFSIZ);
    }
    is_ok = run(test);
    if (probes) {
        fprintf(probes, "%s\n", is_ok ? "passed" : "failed");
        fclose(probes);
        probes = NULL;
    }
    return is_ok;
}

int glassbox_main(int argc, char **argv, const glassbox_test *tests, unsigned long size)
{
    int n_tests = (int)(size / sizeof tests[0]), n_run = 0, n_passed = 0, i, name;
    for (name = 1; name < argc || (name == 1 && argc < 2); name++)
        for (i = 0; i < n_tests; i++) {
            if (argc > 1 && strcmp(argv[name], tests[i].name) != 0)
                continue;
            n_run++;
            n_passed += run_probed(&tests[i]);
        }
    printf("%d passed, %d failed\n", n_passed, n_run - n_passed);
    return n_run == 0 ? 2 : n_passed == n_run ? 0 : 1;
}
"#
);
