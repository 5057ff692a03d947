//! setjmp.h and ucontext.h, and forks: functions that return twice, or elsewhere.

use crate::row::{Row, unmodeled};

pub(crate) const ROWS: &[Row] = &[
    unmodeled("int setjmp(jmp_buf)").aliases(&["_setjmp"]).jumps().writes(0),
    unmodeled("int sigsetjmp(jmp_buf, int)").aliases(&["__sigsetjmp"]).jumps().writes(0),
    unmodeled("void longjmp(jmp_buf, int)").aliases(&["_longjmp", "__longjmp_chk"]).leaves(),
    unmodeled("void siglongjmp(jmp_buf, int)").leaves(),
    unmodeled("int getcontext(ucontext_t *)").jumps().writes(0),
    unmodeled("int setcontext(const ucontext_t *)").jumps(),
    unmodeled("int swapcontext(ucontext_t *, const ucontext_t *)")
        .jumps()
        .writes_all()
        .calls_back(),
    unmodeled("void makecontext(ucontext_t *, void (*)(void), int, ...)")
        .jumps()
        .writes_all()
        .calls_back(),
    // The child runs in the memory of its parent.
    unmodeled("pid_t vfork(void)").jumps(),
    unmodeled("pid_t fork(void)").jumps(),
    unmodeled("int clone(int (*)(void *), void *, int, void *, ...)").interleaves(),
];
