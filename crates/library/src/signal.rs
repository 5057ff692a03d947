//! signal.h: a handler may run between any two instructions once it is registered.

use crate::row::{Row, native, unmodeled};

pub(crate) const ROWS: &[Row] = &[
    native("sighandler_t signal(int, void (*)(int))").writes_all().interleaves(),
    native("int sigaction(int, const struct sigaction *, struct sigaction *)")
        .writes_all()
        .interleaves(),
    native("int raise(int)").writes_all().calls_back(),
    native("unsigned alarm(unsigned)").interleaves(),
    native("int sigemptyset(sigset_t *)").writes(0),
    native("int sigaddset(sigset_t *, int)").writes(0),
    unmodeled("int sigfillset(sigset_t *)").writes(0),
    unmodeled("int sigdelset(sigset_t *, int)").writes(0),
    unmodeled("int sigprocmask(int, const sigset_t *, sigset_t *)").interleaves(),
    unmodeled("sighandler_t bsd_signal(int, void (*)(int))").interleaves(),
    unmodeled("sighandler_t sysv_signal(int, void (*)(int))")
        .aliases(&["__sysv_signal"])
        .interleaves(),
    unmodeled("sighandler_t sigset(int, void (*)(int))").interleaves(),
    unmodeled("int kill(pid_t, int)").writes_all().calls_back(),
    unmodeled("int sigsuspend(const sigset_t *)").interleaves(),
    unmodeled("int pause(void)").interleaves(),
    unmodeled("int sigqueue(pid_t, int, union sigval)").writes_all().calls_back(),
];
