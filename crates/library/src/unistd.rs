//! unistd.h, locale.h, errno.h: the process and its surroundings.

use crate::row::{Row, native, source};

pub(crate) const ROWS: &[Row] = &[
    native("int isatty(int)").surroundings().errno(),
    native("pid_t getpid(void)").aliases(&["getppid"]).surroundings(),
    native("int access(const char *, int)").surroundings().errno(),
    native("int chdir(const char *)").surroundings().errno(),
    native("char *setlocale(int, const char *)").writes_all().surroundings(),
    source("int *__errno_location(void)"),
];
