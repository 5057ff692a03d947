//! The system's headers, and programs that csmith makes from them, pass without a diagnostic.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]

use std::path::{Path, PathBuf};
use std::process::Command;

use glassbox_c_front::diagnostics::render::{Color, render};
use glassbox_c_front::front::{Checked, Front};
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_testkit::{Tool, require};

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("glassbox-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a scratch directory");
    path
}

fn check_file(path: &Path, flags: &[&str]) -> (Checked, Vec<String>) {
    let flags = flags.iter().map(|flag| flag.to_string()).collect();
    let text =
        Preprocessor { flags, ..Preprocessor::default() }.run(path).expect("preprocessed text");
    let mut front = Front::new();
    front.add_unit(&path.display().to_string(), text, &mut |name| read_original(None, name));
    let checked = front.finish();
    let shown =
        checked.diagnostics.iter().map(|d| render(d, &checked.sources, Color::Plain)).collect();
    (checked, shown)
}

const HEADERS: [&str; 46] = [
    "stdio.h",
    "stdlib.h",
    "string.h",
    "math.h",
    "ctype.h",
    "stdint.h",
    "errno.h",
    "limits.h",
    "wchar.h",
    "time.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "assert.h",
    "setjmp.h",
    "signal.h",
    "inttypes.h",
    "float.h",
    "complex.h",
    "unistd.h",
    "sys/types.h",
    "sys/stat.h",
    "sys/socket.h",
    "sys/wait.h",
    "sys/time.h",
    "fcntl.h",
    "pthread.h",
    "locale.h",
    "fenv.h",
    "tgmath.h",
    "iso646.h",
    "wctype.h",
    "uchar.h",
    "stdatomic.h",
    "threads.h",
    "stdalign.h",
    "stdnoreturn.h",
    "dirent.h",
    "poll.h",
    "netinet/in.h",
    "arpa/inet.h",
    "netdb.h",
    "regex.h",
    "glob.h",
    "getopt.h",
    "immintrin.h",
];

#[test]
fn all_headers_together_give_no_diagnostic() {
    let directory = scratch("headers");
    let includes: String = HEADERS.iter().map(|header| format!("#include <{header}>\n")).collect();
    let path = directory.join("all.c");
    std::fs::write(&path, format!("{includes}int main(void) {{ return 0; }}\n")).expect("a file");
    for standard in ["-std=gnu11", "-std=c99"] {
        let (_, messages) = check_file(&path, &[standard, "-D_GNU_SOURCE"]);
        assert_eq!(messages, Vec::<String>::new(), "{standard}");
    }
    let _ = std::fs::remove_dir_all(&directory);
}

#[test]
fn macros_of_the_headers_can_be_used() {
    let directory = scratch("macros");
    let path = directory.join("use.c");
    let text = r#"
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
static jmp_buf env;
static int sum(int n, ...) { va_list ap; va_start(ap, n); int s = 0; while (n--) s += va_arg(ap, int); va_end(ap); return s; }
int main(int argc, char **argv)
{
    double d = HUGE_VAL; float f = NAN; char *end; uint64_t u = UINT64_C(5); int status = 0; atomic_int counter = 0;
    assert(argc > 0 && argv != NULL);
    if (isnan(f) || isinf(d) || signbit(d) || fpclassify(d) == FP_NORMAL || isgreater(d, 1.0)) errno = ERANGE;
    if (setjmp(env)) return EXIT_FAILURE;
    printf("%" PRIu64 " %ld %d\n", u, strtol(argv[0], &end, 10), sum(2, 1, 2));
    signal(SIGINT, SIG_IGN);
    atomic_fetch_add(&counter, 2);
    if (WIFEXITED(status)) status = WEXITSTATUS(status);
    int m = isdigit((unsigned char)*argv[0]) ? toupper('a') : INT_MAX;
    char *copy = strdup(argv[0]); size_t n = strlen(copy); memcpy(copy, argv[0], n < 3 ? n : 3); free(copy);
    fprintf(stderr, "%s\n", strerror(errno));
    return m == INT_MIN ? (int)fmax(sqrt(2.0), pow(2, 3)) : getc(stdin) == EOF;
}
"#;
    std::fs::write(&path, text).expect("a file");
    let (_, messages) = check_file(&path, &[]);
    assert_eq!(messages, Vec::<String>::new());
    let _ = std::fs::remove_dir_all(&directory);
}

#[test]
fn csmith_programs_pass() {
    let directory = scratch("csmith");
    let Some(csmith) = require(Tool::Program("csmith")) else { return };
    for seed in 1..=3 {
        let made =
            Command::new(&csmith).args(["--seed", &seed.to_string()]).output().expect("csmith");
        let path = directory.join(format!("{seed}.c"));
        std::fs::write(&path, made.stdout).expect("a file");
        let (checked, messages) = check_file(&path, &["-I/usr/include/csmith"]);
        assert_eq!(messages, Vec::<String>::new(), "seed {seed}");
        assert!(checked.program.function_named("main").is_some());
    }
    let _ = std::fs::remove_dir_all(&directory);
}
