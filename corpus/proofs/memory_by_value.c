// A structure passed and returned by value, and swapped through pointers.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
struct range {
    long low, high;
};
static struct range ordered(struct range r) {
    if (r.low > r.high) {
        struct range s = {r.high, r.low};
        return s;
    }
    return r;
}
static void swap(struct range *a, struct range *b) {
    struct range t = *a;
    *a = *b;
    *b = t;
}
void f(long a, long b) {
    struct range r = {a, b}, q = {1, PICK(2, 0)};
    r = ordered(r);
    swap(&r, &q);
    assert(q.low <= q.high && r.low < r.high);
}
