// A recursive scan over a global array: the largest element is at least zero, the index is in bounds.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int table[16];
static int largest(int i) {
    if (i >= 16) return 0;
    assert(i >= 0 && i PICK(<, <=) 15 + PICK(1, -1));
    int rest = largest(i + 1);
    return table[i] > rest ? table[i] : rest;
}
int f(int n) {
    if (n < 0) return 0;
    int r = largest(n);
    assert(r >= 0);
    return r;
}
