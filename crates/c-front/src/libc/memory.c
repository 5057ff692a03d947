/* Memory: the functions of string.h that work on bytes, and allocation. The names that begin with
   __glassbox_ are instructions of the program representation. */
typedef unsigned long size_t;
void *__glassbox_copy(void *destination, const void *source, size_t n);
void *__glassbox_move(void *destination, const void *source, size_t n);
void *__glassbox_fill(void *destination, int byte, size_t n);
void *__glassbox_alloc(size_t n);
void *__glassbox_alloc_zeroed(size_t n);
void *__glassbox_alloc_nothing(void);
void __glassbox_free(void *pointer);
void __glassbox_check_freeable(void *pointer);
size_t __glassbox_size(const void *pointer);
int __glassbox_same_sign(int difference);

//@ memcpy
void *__lib_memcpy(void *destination, const void *source, size_t n)
{
    return __glassbox_copy(destination, source, n);
}

//@ memmove
void *__lib_memmove(void *destination, const void *source, size_t n)
{
    return __glassbox_move(destination, source, n);
}

//@ mempcpy
void *__lib_mempcpy(void *destination, const void *source, size_t n)
{
    __glassbox_copy(destination, source, n);
    return (char *)destination + n;
}

//@ memset
void *__lib_memset(void *destination, int byte, size_t n)
{
    return __glassbox_fill(destination, byte, n);
}

//@ bzero
void __lib_bzero(void *destination, size_t n)
{
    __glassbox_fill(destination, 0, n);
}

//@ bcopy
void __lib_bcopy(const void *source, void *destination, size_t n)
{
    __glassbox_move(destination, source, n);
}

//@ memcmp
int __lib_memcmp(const void *left, const void *right, size_t n)
{
    const unsigned char *a = left;
    const unsigned char *b = right;
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return __glassbox_same_sign(a[i] - b[i]);
    return 0;
}

//@ bcmp
int __lib_bcmp(const void *left, const void *right, size_t n)
{
    return __lib_memcmp(left, right, n);
}

//@ memchr
void *__lib_memchr(const void *object, int byte, size_t n)
{
    const unsigned char *p = object;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)byte)
            return (void *)(p + i);
    return 0;
}

//@ memrchr
void *__lib_memrchr(const void *object, int byte, size_t n)
{
    const unsigned char *p = object;
    while (n > 0) {
        n--;
        if (p[n] == (unsigned char)byte)
            return (void *)(p + n);
    }
    return 0;
}

//@ memccpy
void *__lib_memccpy(void *destination, const void *source, int byte, size_t n)
{
    unsigned char *to = destination;
    const unsigned char *from = source;
    for (size_t i = 0; i < n; i++) {
        to[i] = from[i];
        if (from[i] == (unsigned char)byte)
            return to + i + 1;
    }
    return 0;
}

//@ malloc
void *__lib_malloc(size_t n)
{
    return __glassbox_alloc(n);
}

//@ free
void __lib_free(void *pointer)
{
    __glassbox_free(pointer);
}

//@ calloc
void *__lib_calloc(size_t count, size_t size)
{
    if (size != 0 && count > (size_t)-1 / size)
        return __glassbox_alloc_nothing();
    return __glassbox_alloc_zeroed(count * size);
}

//@ realloc
void *__lib_realloc(void *pointer, size_t n)
{
    if (pointer == 0)
        return __glassbox_alloc(n);
    __glassbox_check_freeable(pointer);
    if (n == 0) {
        __glassbox_free(pointer);
        return 0;
    }
    void *larger = __glassbox_alloc(n);
    if (larger == 0)
        return 0;
    size_t old = __glassbox_size(pointer);
    __glassbox_copy(larger, pointer, old < n ? old : n);
    __glassbox_free(pointer);
    return larger;
}

//@ reallocarray
void *__lib_reallocarray(void *pointer, size_t count, size_t size)
{
    if (size != 0 && count > (size_t)-1 / size)
        return 0;
    return __lib_realloc(pointer, count * size);
}

//@ aligned_alloc
void *__lib_aligned_alloc(size_t alignment, size_t n)
{
    (void)alignment;
    return __glassbox_alloc(n);
}
