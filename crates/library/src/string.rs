//! string.h and strings.h.

use crate::row::{Operator, Row, TextResult, native, source};

pub(crate) const ROWS: &[Row] = &[
    source("void *memcpy(void *, const void *, size_t)")
        .operator(Operator::Copy)
        .writes(0)
        .builtin(),
    source("void *memmove(void *, const void *, size_t)")
        .operator(Operator::Move)
        .writes(0)
        .builtin(),
    source("void *memset(void *, int, size_t)").operator(Operator::Fill).writes(0).builtin(),
    source("void *mempcpy(void *, const void *, size_t)").writes(0).builtin(),
    source("void *memccpy(void *, const void *, int, size_t)").writes(0),
    source("void *memchr(const void *, int, size_t)").builtin(),
    source("void *memrchr(const void *, int, size_t)"),
    source("void *memmem(const void *, size_t, const void *, size_t)"),
    source("int memcmp(const void *, const void *, size_t)").sign_only().builtin(),
    source("int bcmp(const void *, const void *, size_t)").sign_only().builtin(),
    source("void bcopy(const void *, void *, size_t)").writes(1).builtin(),
    source("void bzero(void *, size_t)").writes(0).builtin(),
    source("char *strcpy(char *, const char *)").writes(0).text(TextResult::Argument).builtin(),
    source("char *stpcpy(char *, const char *)").writes(0).text(TextResult::End).builtin(),
    source("char *strncpy(char *, const char *, size_t)")
        .writes(0)
        .text(TextResult::Argument)
        .builtin(),
    source("char *stpncpy(char *, const char *, size_t)").writes(0).text(TextResult::End),
    source("size_t strlcpy(char *, const char *, size_t)").writes(0).text(TextResult::Number),
    source("char *strcat(char *, const char *)").writes(0).text(TextResult::Argument).builtin(),
    source("char *strncat(char *, const char *, size_t)")
        .writes(0)
        .text(TextResult::Argument)
        .builtin(),
    source("size_t strxfrm(char *, const char *, size_t)").locale().writes(0),
    source("int strcmp(const char *, const char *)").sign_only().builtin(),
    source("int strncmp(const char *, const char *, size_t)").sign_only().builtin(),
    source("int strcoll(const char *, const char *)").locale().sign_only(),
    source("int strcasecmp(const char *, const char *)").locale().sign_only().builtin(),
    source("int strncasecmp(const char *, const char *, size_t)").locale().sign_only().builtin(),
    source("char *strchr(const char *, int)").builtin(),
    source("char *strchrnul(const char *, int)"),
    source("char *strrchr(const char *, int)").builtin(),
    source("char *index(const char *, int)").builtin(),
    source("char *rindex(const char *, int)").builtin(),
    source("size_t strspn(const char *, const char *)").builtin(),
    source("size_t strcspn(const char *, const char *)").builtin(),
    source("char *strpbrk(const char *, const char *)").builtin(),
    source("char *strstr(const char *, const char *)").builtin(),
    source("char *strcasestr(const char *, const char *)").locale(),
    source("size_t strlen(const char *)").builtin(),
    source("size_t strnlen(const char *, size_t)").builtin(),
    source("char *strtok(char *, const char *)").writes_all().remembers(),
    source("char *strtok_r(char *, const char *, char **)").aliases(&["__strtok_r"]).writes_all(),
    source("char *strsep(char **, const char *)").writes_all(),
    source("char *strdup(const char *)").aliases(&["__strdup"]).allocates().builtin(),
    source("char *strndup(const char *, size_t)").aliases(&["__strndup"]).allocates().builtin(),
    source("int ffs(int)"),
    native("char *strerror(int)").surroundings(),
];
