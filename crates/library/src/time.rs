//! time.h and sys/time.h.

use crate::row::{Row, native, unmodeled};

/// Variables with what the environment says about the time of the place.
const ZONE: &[&str] = &["__daylight", "__timezone", "__tzname", "daylight", "timezone", "tzname"];

pub(crate) const ROWS: &[Row] = &[
    native("time_t time(time_t *)").writes(0).surroundings(),
    native("clock_t clock(void)").surroundings(),
    native("double difftime(time_t, time_t)"),
    native("int gettimeofday(struct timeval *, void *)").writes(0).writes(1).surroundings().errno(),
    native("int clock_gettime(clockid_t, struct timespec *)").writes(1).surroundings().errno(),
    native("unsigned sleep(unsigned)").surroundings(),
    native("int usleep(unsigned)").surroundings().errno(),
    // The result is an object of the library that the next call changes.
    native("struct tm *localtime(const time_t *)")
        .writes_all()
        .surroundings()
        .errno()
        .changes(ZONE),
    native("struct tm *gmtime(const time_t *)").writes_all().errno().remembers(),
    native("struct tm *localtime_r(const time_t *, struct tm *)")
        .writes(1)
        .surroundings()
        .errno()
        .changes(ZONE),
    native("struct tm *gmtime_r(const time_t *, struct tm *)").writes(1).errno(),
    native("time_t mktime(struct tm *)").writes(0).surroundings().errno().changes(ZONE),
    native("time_t timegm(struct tm *)").writes(0).errno(),
    native("char *asctime(const struct tm *)").writes_all().errno().remembers(),
    native("char *ctime(const time_t *)").writes_all().surroundings().errno().changes(ZONE),
    native("size_t strftime(char *, size_t, const char *, const struct tm *)")
        .writes(0)
        .errno()
        .changes(ZONE),
    // Handlers and threads that a clock starts.
    unmodeled("int setitimer(int, const struct itimerval *, struct itimerval *)").interleaves(),
    unmodeled("int timer_create(clockid_t, struct sigevent *, timer_t *)").interleaves(),
    unmodeled("int timer_settime(timer_t, int, const struct itimerspec *, struct itimerspec *)")
        .interleaves(),
];
