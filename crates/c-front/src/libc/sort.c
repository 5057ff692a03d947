/* qsort as the stable merge sort that glibc 2.36 has, and bsearch. */
typedef unsigned long size_t;
void *__glassbox_copy(void *destination, const void *source, size_t n);
void *__glassbox_alloc(size_t n);
void __glassbox_free(void *pointer);

//@ merge_sort
static void __lib_merge_sort(char *base, size_t n, size_t size, char *scratch,
                             int (*compare)(const void *, const void *, void *),
                             void *argument)
{
    if (n <= 1)
        return;
    size_t n_left = n / 2;
    size_t n_right = n - n_left;
    char *left = base;
    char *right = base + n_left * size;
    __lib_merge_sort(left, n_left, size, scratch, compare, argument);
    __lib_merge_sort(right, n_right, size, scratch, compare, argument);
    char *to = scratch;
    while (n_left > 0 && n_right > 0) {
        if (compare(left, right, argument) <= 0) {
            __glassbox_copy(to, left, size);
            left += size;
            n_left--;
        } else {
            __glassbox_copy(to, right, size);
            right += size;
            n_right--;
        }
        to += size;
    }
    if (n_left > 0)
        __glassbox_copy(to, left, n_left * size);
    __glassbox_copy(base, scratch, (n - n_right) * size);
}

//@ qsort_r
void __lib_qsort_r(void *base, size_t n, size_t size,
                   int (*compare)(const void *, const void *, void *), void *argument)
{
    if (n <= 1 || size == 0)
        return;
    char *scratch = __glassbox_alloc(n * size);
    if (scratch == 0)
        return;
    __lib_merge_sort(base, n, size, scratch, compare, argument);
    __glassbox_free(scratch);
}

//@ compare_plainly
struct __lib_plain_comparison {
    int (*compare)(const void *, const void *);
};

static int __lib_compare_plainly(const void *left, const void *right, void *argument)
{
    struct __lib_plain_comparison *plain = argument;
    return plain->compare(left, right);
}

//@ qsort
void __lib_qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    struct __lib_plain_comparison plain = { compare };
    __lib_qsort_r(base, n, size, __lib_compare_plainly, &plain);
}

//@ bsearch
void *__lib_bsearch(const void *key, const void *base, size_t n, size_t size,
                    int (*compare)(const void *, const void *))
{
    size_t low = 0;
    size_t high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)element;
    }
    return 0;
}
