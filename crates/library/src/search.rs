//! search.h, dirent.h, ftw.h, glob.h, link.h: functions that compare or visit by a callback.

use crate::row::{Row, unmodeled};

pub(crate) const ROWS: &[Row] = &[
    unmodeled("void *tsearch(const void *, void **, int (*)(const void *, const void *))")
        .writes_all()
        .calls_back(),
    unmodeled("void *tfind(const void *, void *const *, int (*)(const void *, const void *))")
        .writes_all()
        .calls_back(),
    unmodeled("void *tdelete(const void *, void **, int (*)(const void *, const void *))")
        .writes_all()
        .calls_back(),
    unmodeled("void twalk(const void *, void (*)(const void *, int, int))").writes_all().calls_back(),
    unmodeled("void twalk_r(const void *, void (*)(const void *, int, void *), void *)")
        .writes_all()
        .calls_back(),
    unmodeled("void tdestroy(void *, void (*)(void *))").writes_all().calls_back(),
    unmodeled("void *lsearch(const void *, void *, size_t *, size_t, int (*)(const void *, const void *))")
        .writes_all()
        .calls_back(),
    unmodeled("void *lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *))")
        .writes_all()
        .calls_back(),
    unmodeled("int scandir(const char *, struct dirent ***, int (*)(const struct dirent *), int (*)(const struct dirent **, const struct dirent **))")
        .writes_all()
        .calls_back(),
    unmodeled("int ftw(const char *, int (*)(const char *, const struct stat *, int), int)")
        .writes_all()
        .calls_back(),
    unmodeled("int nftw(const char *, int (*)(const char *, const struct stat *, int, struct FTW *), int, int)")
        .writes_all()
        .calls_back(),
    unmodeled("int glob(const char *, int, int (*)(const char *, int), glob_t *)")
        .writes_all()
        .calls_back(),
    unmodeled("int dl_iterate_phdr(int (*)(struct dl_phdr_info *, size_t, void *), void *)")
        .writes_all()
        .calls_back(),
];
