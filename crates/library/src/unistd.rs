//! unistd.h, locale.h, errno.h: the process and its surroundings.

use crate::row::{Row, native, source, unmodeled};

pub(crate) const ROWS: &[Row] = &[
    native("int isatty(int)").surroundings().errno(),
    native("pid_t getpid(void)").aliases(&["getppid"]).surroundings(),
    native("int access(const char *, int)").surroundings().errno(),
    unmodeled("char *getcwd(char *, size_t)").writes(0).surroundings().allocates(),
    unmodeled("char *get_current_dir_name(void)").surroundings().allocates(),
    native("int chdir(const char *)").surroundings().errno(),
    native("char *setlocale(int, const char *)").writes_all().surroundings(),
    unmodeled("const char *gai_strerror(int)").surroundings(),
    source("int *__errno_location(void)"),
];
