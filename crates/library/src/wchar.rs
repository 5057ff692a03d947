//! wchar.h.

use crate::row::{Reads, Row, native, source};

pub(crate) const ROWS: &[Row] = &[
    source("size_t wcslen(const wchar_t *)"),
    source("wchar_t *wcscpy(wchar_t *, const wchar_t *)").writes(0),
    source("wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t)").writes(0),
    source("wchar_t *wcscat(wchar_t *, const wchar_t *)").writes(0),
    source("int wcscmp(const wchar_t *, const wchar_t *)").sign_only(),
    source("int wcsncmp(const wchar_t *, const wchar_t *, size_t)").sign_only(),
    source("wchar_t *wcschr(const wchar_t *, wchar_t)"),
    source("wchar_t *wcsrchr(const wchar_t *, wchar_t)"),
    source("wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t)").writes(0),
    source("wchar_t *wmemmove(wchar_t *, const wchar_t *, size_t)").writes(0),
    source("wchar_t *wmemset(wchar_t *, wchar_t, size_t)").writes(0),
    source("int wmemcmp(const wchar_t *, const wchar_t *, size_t)").sign_only(),
    // The native library refuses wide streams by name.
    native("int wprintf(const wchar_t *, ...)").output().writes_all(),
    native("int fwprintf(FILE *, const wchar_t *, ...)").output().writes_all(),
    native("int swprintf(wchar_t *, size_t, const wchar_t *, ...)").writes_all().errno(),
    native("int wscanf(const wchar_t *, ...)").reads(Reads::Other).writes_all(),
    native("int fwscanf(FILE *, const wchar_t *, ...)").reads(Reads::Other).writes_all(),
    native("int swscanf(const wchar_t *, const wchar_t *, ...)").writes_all().errno(),
    native("wint_t putwchar(wchar_t)").output(),
    native("wint_t fputwc(wchar_t, FILE *)").output(),
    native("int fputws(const wchar_t *, FILE *)").output(),
    native("wint_t getwchar(void)").reads(Reads::Other),
    native("wint_t fgetwc(FILE *)").reads(Reads::Other),
    native("wchar_t *fgetws(wchar_t *, int, FILE *)").reads(Reads::Other).writes(0),
];
