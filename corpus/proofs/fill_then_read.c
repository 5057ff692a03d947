// All elements of a zeroed array stay in a small range.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int a[16];
int f(unsigned k) {
    for (int i = 0; i < 16; i++)
        a[i] = PICK(i & 3, i);
    int v = 0;
    for (int i = 0; i < 16; i++)
        v = a[i];
    assert(v >= 0 && v <= PICK(15, 3));
    return v;
}
