/* string.h and strings.h on zero-terminated strings. */
typedef unsigned long size_t;
void *__glassbox_copy(void *destination, const void *source, size_t n);
void *__glassbox_alloc(size_t n);
void __glassbox_apart(const void *destination, const void *source, size_t n);
int __glassbox_same_sign(int difference);

//@ strlen
size_t __lib_strlen(const char *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

//@ strnlen
size_t __lib_strnlen(const char *s, size_t limit)
{
    size_t n = 0;
    while (n < limit && s[n] != 0)
        n++;
    return n;
}

//@ strcpy
char *__lib_strcpy(char *destination, const char *source)
{
    size_t i = 0;
    do
        destination[i] = source[i];
    while (source[i++] != 0);
    __glassbox_apart(destination, source, i);
    return destination;
}

//@ stpcpy
char *__lib_stpcpy(char *destination, const char *source)
{
    size_t i = 0;
    while (source[i] != 0) {
        destination[i] = source[i];
        i++;
    }
    destination[i] = 0;
    __glassbox_apart(destination, source, i + 1);
    return destination + i;
}

//@ strncpy
char *__lib_strncpy(char *destination, const char *source, size_t n)
{
    size_t i = 0;
    for (; i < n && source[i] != 0; i++)
        destination[i] = source[i];
    __glassbox_apart(destination, source, i);
    for (; i < n; i++)
        destination[i] = 0;
    return destination;
}

//@ stpncpy
char *__lib_stpncpy(char *destination, const char *source, size_t n)
{
    size_t i = 0;
    for (; i < n && source[i] != 0; i++)
        destination[i] = source[i];
    __glassbox_apart(destination, source, i);
    char *end = destination + i;
    for (; i < n; i++)
        destination[i] = 0;
    return end;
}

//@ strlcpy
size_t __lib_strlcpy(char *destination, const char *source, size_t size)
{
    size_t n = __lib_strlen(source);
    if (size > 0) {
        size_t copied = n < size ? n : size - 1;
        __glassbox_copy(destination, source, copied);
        destination[copied] = 0;
    }
    return n;
}

//@ strcat
char *__lib_strcat(char *destination, const char *source)
{
    size_t n = __lib_strlen(destination);
    size_t i = 0;
    do
        destination[n + i] = source[i];
    while (source[i++] != 0);
    __glassbox_apart(destination + n, source, i);
    return destination;
}

//@ strncat
char *__lib_strncat(char *destination, const char *source, size_t limit)
{
    size_t n = __lib_strlen(destination);
    size_t i = 0;
    for (; i < limit && source[i] != 0; i++)
        destination[n + i] = source[i];
    destination[n + i] = 0;
    __glassbox_apart(destination + n, source, i);
    return destination;
}

//@ strcmp
int __lib_strcmp(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return __glassbox_same_sign((unsigned char)left[i] - (unsigned char)right[i]);
}

//@ strcoll
int __lib_strcoll(const char *left, const char *right)
{
    return __lib_strcmp(left, right);
}

//@ strxfrm
size_t __lib_strxfrm(char *destination, const char *source, size_t n)
{
    size_t length = __lib_strlen(source);
    for (size_t i = 0; i < n && i <= length; i++)
        destination[i] = source[i];
    return length;
}

//@ strncmp
int __lib_strncmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (left[i] != right[i])
            return __glassbox_same_sign((unsigned char)left[i] - (unsigned char)right[i]);
        if (left[i] == 0)
            break;
    }
    return 0;
}

//@ fold_case
static int __lib_fold_case(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

//@ strcasecmp
int __lib_strcasecmp(const char *left, const char *right)
{
    size_t i = 0;
    while (left[i] != 0 && __lib_fold_case(left[i]) == __lib_fold_case(right[i]))
        i++;
    return __glassbox_same_sign(__lib_fold_case(left[i]) - __lib_fold_case(right[i]));
}

//@ strncasecmp
int __lib_strncasecmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int a = __lib_fold_case(left[i]);
        int b = __lib_fold_case(right[i]);
        if (a != b)
            return __glassbox_same_sign(a - b);
        if (a == 0)
            break;
    }
    return 0;
}

//@ strchr
char *__lib_strchr(const char *s, int c)
{
    for (size_t i = 0;; i++) {
        if (s[i] == (char)c)
            return (char *)(s + i);
        if (s[i] == 0)
            return 0;
    }
}

//@ strchrnul
char *__lib_strchrnul(const char *s, int c)
{
    size_t i = 0;
    while (s[i] != 0 && s[i] != (char)c)
        i++;
    return (char *)(s + i);
}

//@ index
char *__lib_index(const char *s, int c)
{
    return __lib_strchr(s, c);
}

//@ strrchr
char *__lib_strrchr(const char *s, int c)
{
    const char *last = 0;
    for (size_t i = 0;; i++) {
        if (s[i] == (char)c)
            last = s + i;
        if (s[i] == 0)
            return (char *)last;
    }
}

//@ rindex
char *__lib_rindex(const char *s, int c)
{
    return __lib_strrchr(s, c);
}

//@ strstr
char *__lib_strstr(const char *haystack, const char *needle)
{
    for (size_t at = 0;; at++) {
        size_t i = 0;
        while (needle[i] != 0 && haystack[at + i] == needle[i])
            i++;
        if (needle[i] == 0)
            return (char *)(haystack + at);
        if (haystack[at + i] == 0)
            return 0;
    }
}

//@ strcasestr
char *__lib_strcasestr(const char *haystack, const char *needle)
{
    for (size_t at = 0;; at++) {
        size_t i = 0;
        while (needle[i] != 0 && __lib_fold_case(haystack[at + i]) == __lib_fold_case(needle[i]))
            i++;
        if (needle[i] == 0)
            return (char *)(haystack + at);
        if (haystack[at + i] == 0)
            return 0;
    }
}

//@ memmem
void *__lib_memmem(const void *haystack, size_t n, const void *needle, size_t m)
{
    const char *h = haystack;
    const char *s = needle;
    for (size_t at = 0; m <= n && at <= n - m; at++) {
        size_t i = 0;
        while (i < m && h[at + i] == s[i])
            i++;
        if (i == m)
            return (void *)(h + at);
    }
    return 0;
}

//@ strspn
size_t __lib_strspn(const char *s, const char *accepted)
{
    size_t n = 0;
    for (; s[n] != 0; n++) {
        size_t i = 0;
        while (accepted[i] != 0 && accepted[i] != s[n])
            i++;
        if (accepted[i] == 0)
            break;
    }
    return n;
}

//@ strcspn
size_t __lib_strcspn(const char *s, const char *rejected)
{
    size_t n = 0;
    for (; s[n] != 0; n++)
        for (size_t i = 0; rejected[i] != 0; i++)
            if (rejected[i] == s[n])
                return n;
    return n;
}

//@ strpbrk
char *__lib_strpbrk(const char *s, const char *wanted)
{
    size_t n = __lib_strcspn(s, wanted);
    return s[n] != 0 ? (char *)(s + n) : 0;
}

//@ strtok_r
char *__lib_strtok_r(char *s, const char *separators, char **rest)
{
    if (s == 0)
        s = *rest;
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    s += __lib_strspn(s, separators);
    if (*s == 0) {
        *rest = s;
        return 0;
    }
    char *end = s + __lib_strcspn(s, separators);
    if (*end != 0)
        *end++ = 0;
    *rest = end;
    return s;
}

//@ strtok
char *__lib_strtok(char *s, const char *separators)
{
    static char *rest;
    return __lib_strtok_r(s, separators, &rest);
}

//@ strsep
char *__lib_strsep(char **string, const char *separators)
{
    char *s = *string;
    if (s == 0)
        return 0;
    char *end = s + __lib_strcspn(s, separators);
    if (*end != 0) {
        *end = 0;
        *string = end + 1;
    } else {
        *string = 0;
    }
    return s;
}

//@ strdup
char *__lib_strdup(const char *s)
{
    size_t n = __lib_strlen(s) + 1;
    char *copy = __glassbox_alloc(n);
    if (copy != 0)
        __glassbox_copy(copy, s, n);
    return copy;
}

//@ strndup
char *__lib_strndup(const char *s, size_t limit)
{
    size_t n = __lib_strnlen(s, limit);
    char *copy = __glassbox_alloc(n + 1);
    if (copy != 0) {
        __glassbox_copy(copy, s, n);
        copy[n] = 0;
    }
    return copy;
}

//@ ffs
int __lib_ffs(int value)
{
    return __builtin_ffs(value);
}
