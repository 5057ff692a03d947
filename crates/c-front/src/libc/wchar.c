/* wchar.h on zero-terminated wide strings. */
typedef unsigned long size_t;
typedef int wchar_t;
void *__glassbox_copy(void *destination, const void *source, size_t n);
void *__glassbox_move(void *destination, const void *source, size_t n);
int __glassbox_same_sign(int difference);

//@ wcslen
size_t __lib_wcslen(const wchar_t *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

//@ wcscpy
wchar_t *__lib_wcscpy(wchar_t *destination, const wchar_t *source)
{
    size_t i = 0;
    do
        destination[i] = source[i];
    while (source[i++] != 0);
    return destination;
}

//@ wcsncpy
wchar_t *__lib_wcsncpy(wchar_t *destination, const wchar_t *source, size_t n)
{
    size_t i = 0;
    for (; i < n && source[i] != 0; i++)
        destination[i] = source[i];
    for (; i < n; i++)
        destination[i] = 0;
    return destination;
}

//@ wcscat
wchar_t *__lib_wcscat(wchar_t *destination, const wchar_t *source)
{
    size_t n = __lib_wcslen(destination);
    size_t i = 0;
    do
        destination[n + i] = source[i];
    while (source[i++] != 0);
    return destination;
}

//@ wcscmp
int __lib_wcscmp(const wchar_t *left, const wchar_t *right)
{
    size_t i = 0;
    while (left[i] != 0 && left[i] == right[i])
        i++;
    return __glassbox_same_sign(left[i] < right[i] ? -1 : left[i] > right[i]);
}

//@ wcsncmp
int __lib_wcsncmp(const wchar_t *left, const wchar_t *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (left[i] != right[i])
            return __glassbox_same_sign(left[i] < right[i] ? -1 : 1);
        if (left[i] == 0)
            break;
    }
    return 0;
}

//@ wcschr
wchar_t *__lib_wcschr(const wchar_t *s, wchar_t c)
{
    for (size_t i = 0;; i++) {
        if (s[i] == c)
            return (wchar_t *)(s + i);
        if (s[i] == 0)
            return 0;
    }
}

//@ wcsrchr
wchar_t *__lib_wcsrchr(const wchar_t *s, wchar_t c)
{
    const wchar_t *last = 0;
    for (size_t i = 0;; i++) {
        if (s[i] == c)
            last = s + i;
        if (s[i] == 0)
            return (wchar_t *)last;
    }
}

//@ wmemcpy
wchar_t *__lib_wmemcpy(wchar_t *destination, const wchar_t *source, size_t n)
{
    return __glassbox_copy(destination, source, n * sizeof(wchar_t));
}

//@ wmemmove
wchar_t *__lib_wmemmove(wchar_t *destination, const wchar_t *source, size_t n)
{
    return __glassbox_move(destination, source, n * sizeof(wchar_t));
}

//@ wmemset
wchar_t *__lib_wmemset(wchar_t *destination, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        destination[i] = c;
    return destination;
}

//@ wmemcmp
int __lib_wmemcmp(const wchar_t *left, const wchar_t *right, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (left[i] != right[i])
            return __glassbox_same_sign(left[i] < right[i] ? -1 : 1);
    return 0;
}
