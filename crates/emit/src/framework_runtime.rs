//! The small C runtime of tests for a framework: what the framework's own assertions lack.

use crate::runtime_support::{failing_allocations, files, memory_and_input};

/// `glassbox.h`: no system header, so that it disturbs no source under test.
pub const HEADER: &str = r#"/* What generated tests need beside their framework. Written by glassbox. */
#ifndef GLASSBOX_H
#define GLASSBOX_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whether both have the same bits or both are not a number. */
int glassbox_same_float(double seen, double wanted);

/* Runs a test that is to call exit() in a child process: the status, or -1 if it ended otherwise, or
   GLASSBOX_STOPPED if a signal such as that of a failed assertion stopped it. */
enum { GLASSBOX_STOPPED = -2 };
int glassbox_exit_status(void (*test)(void));

/* A copy in memory that the function under test may free. */
void *glassbox_allocated(const void *start, unsigned long size);

/* The allocations with these numbers (the next is 1) give null. Needs the flags that
   replace malloc (-DGLASSBOX_ALLOCATIONS -Wl,--wrap=malloc and so on), as in the Makefile. */
void glassbox_fail_allocations(int count, ...);

/* Makes these bytes the standard input of the test. */
void glassbox_stdin(const char *bytes, unsigned long n_bytes);

/* A stream (FILE *) that reads these bytes and can be written to. */
void *glassbox_stream(const char *bytes, unsigned long n_bytes);

/* What the next calls that open files find: for each a text and its length, or a null pointer and 0 where there is
   no file. Needs the flags that replace fopen (-DGLASSBOX_FILES -Wl,--wrap=fopen and so on), as in the Makefile. */
void glassbox_files(int count, ...);

/* Memory at this address, which the source under test writes as a number. */
void glassbox_map(unsigned long address, unsigned long size);

/* Marks a call that is to end in exit(); who runs the test compares the status. */
#define glassbox_expect_exit(status) ((void)(status))

#ifdef __cplusplus
}
#endif

#endif
"#;

/// `glassbox.c`.
pub const SOURCE: &str = concat!(
    r#"/* What generated tests need beside their framework. Written by glassbox. */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "glassbox.h"

int glassbox_same_float(double seen, double wanted)
{
    return (seen != seen && wanted != wanted) || memcmp(&seen, &wanted, sizeof seen) == 0;
}

"#,
    memory_and_input!(),
    failing_allocations!(),
    files!(),
    r#"int glassbox_exit_status(void (*test)(void))
{
    /* A framework may catch these and go on with its other tests, in the child too. */
    static const int caught[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS};
    size_t i;
    int status;
    pid_t child;
    fflush(NULL);
    child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        for (i = 0; i < sizeof caught / sizeof caught[0]; i++)
            signal(caught[i], SIG_DFL);
        test();
        /* It returned: that is not an exit. */
        raise(SIGKILL);
    }
    if (waitpid(child, &status, 0) != child)
        return -1;
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        return GLASSBOX_STOPPED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
"#
);
