//! stdlib.h, and what inttypes.h adds to it.

use crate::row::{Operator, Row, native, source, unmodeled};

/// The largest number that `rand` and `random` give.
const RAND_MAX: u64 = 0x7fff_ffff;

/// Names of the variable with the environment.
const ENVIRONMENT: &[&str] = &["__environ", "_environ", "environ"];

pub(crate) const ROWS: &[Row] = &[
    // Memory.
    source("void *malloc(size_t)").operator(Operator::Allocate).allocates().builtin(),
    source("void *calloc(size_t, size_t)").allocates().builtin(),
    source("void *realloc(void *, size_t)").allocates().writes(0).builtin(),
    source("void *reallocarray(void *, size_t, size_t)").allocates().writes(0),
    source("void *aligned_alloc(size_t, size_t)").allocates().builtin(),
    unmodeled("void *memalign(size_t, size_t)").allocates(),
    unmodeled("int posix_memalign(void **, size_t, size_t)").writes(0).allocates(),
    unmodeled("void *valloc(size_t)").allocates(),
    unmodeled("void *pvalloc(size_t)").allocates(),
    unmodeled("char *realpath(const char *, char *)").writes(1).surroundings().allocates(),
    source("void free(void *)").aliases(&["cfree"]).operator(Operator::Free).writes(0).builtin(),
    // Numbers.
    source("int abs(int)").builtin().overflows(),
    source("long labs(long)").builtin().overflows(),
    source("long long llabs(long long)").builtin().overflows(),
    source("intmax_t imaxabs(intmax_t)").overflows(),
    source("div_t div(int, int)").overflows(),
    source("ldiv_t ldiv(long, long)").overflows(),
    source("lldiv_t lldiv(long long, long long)").overflows(),
    source("int atoi(const char *)"),
    source("long atol(const char *)"),
    source("long long atoll(const char *)"),
    source("long strtol(const char *, char **, int)").aliases(&["__isoc23_strtol"]).writes(1).errno(),
    source("unsigned long strtoul(const char *, char **, int)")
        .aliases(&["__isoc23_strtoul"])
        .writes(1)
        .errno(),
    source("long long strtoll(const char *, char **, int)")
        .aliases(&["__isoc23_strtoll"])
        .writes(1)
        .errno(),
    source("unsigned long long strtoull(const char *, char **, int)")
        .aliases(&["__isoc23_strtoull"])
        .writes(1)
        .errno(),
    source("intmax_t strtoimax(const char *, char **, int)").writes(1).errno(),
    source("uintmax_t strtoumax(const char *, char **, int)").writes(1).errno(),
    source("double strtod(const char *, char **)").writes(1).errno(),
    source("float strtof(const char *, char **)").writes(1).errno(),
    native("long double strtold(const char *, char **)").writes(1).errno(),
    source("double atof(const char *)").errno(),
    // Random numbers are inputs, which tests choose by defining the functions; only whole runs have a generator.
    native("int rand(void)").any_up_to(RAND_MAX),
    native("void srand(unsigned)").remembers(),
    source("int rand_r(unsigned *)").writes(0),
    native("long random(void)").any_up_to(RAND_MAX),
    native("void srandom(unsigned)").remembers(),
    // Sorting and searching.
    source("void qsort(void *, size_t, size_t, int (*)(const void *, const void *))")
        .writes(0)
        .calls_back()
        .orders_freely(),
    source("void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *)")
        .writes_all()
        .calls_back()
        .orders_freely(),
    source("void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *))")
        .calls_back()
        .orders_freely(),
    // The end of the run. Functions that register a handler have the effect of calling it.
    native("void exit(int)").exits().builtin(),
    native("void _exit(int)").aliases(&["_Exit"]).exits().builtin(),
    native("void quick_exit(int)").exits(),
    native("void abort(void)").aborts().builtin(),
    native("int atexit(void (*)(void))").keeps().calls_back(),
    unmodeled("int at_quick_exit(void (*)(void))").calls_back(),
    unmodeled("int on_exit(void (*)(int, void *), void *)").keeps().calls_back(),
    unmodeled("int __cxa_atexit(void (*)(void *), void *, void *)").keeps().calls_back(),
    // The environment.
    native("char *getenv(const char *)").aliases(&["secure_getenv"]).surroundings(),
    native("int setenv(const char *, const char *, int)")
        .surroundings()
        .errno()
        .changes(ENVIRONMENT),
    native("int unsetenv(const char *)").surroundings().errno().changes(ENVIRONMENT),
    native("int putenv(char *)").keeps().surroundings().errno().changes(ENVIRONMENT),
    native("int system(const char *)").surroundings().errno(),
    native("size_t __ctype_get_mb_cur_max(void)").surroundings(),
];
