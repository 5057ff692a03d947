//! pthread.h and threads.h: what starts threads, and what lets others run.

use crate::row::{Row, unmodeled};

pub(crate) const ROWS: &[Row] = &[
    unmodeled("int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)")
        .writes_all()
        .interleaves(),
    unmodeled("int thrd_create(thrd_t *, int (*)(void *), void *)").writes_all().interleaves(),
    unmodeled("int pthread_join(pthread_t, void **)").writes_all().interleaves(),
    unmodeled("int thrd_join(thrd_t, int *)").writes_all().interleaves(),
    unmodeled("int pthread_once(pthread_once_t *, void (*)(void))").writes_all().calls_back(),
    unmodeled("void call_once(once_flag *, void (*)(void))").writes_all().calls_back(),
    unmodeled("int pthread_atfork(void (*)(void), void (*)(void), void (*)(void))").calls_back(),
    unmodeled("int pthread_key_create(pthread_key_t *, void (*)(void *))")
        .writes_all()
        .calls_back(),
    unmodeled("int tss_create(tss_t *, void (*)(void *))").writes_all().calls_back(),
    unmodeled("void pthread_exit(void *)").interleaves(),
];
