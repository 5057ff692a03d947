// Filling from the end leaves the same elements.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
long a[10];
int f(int k) {
    for (int i = 9; i >= PICK(0, 1); i--)
        a[i] = 7;
    if (k >= 0 && k < 10)
        assert(a[k] == 7);
    return 1;
}
