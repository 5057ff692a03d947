// Filling through a moving pointer.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int f(int k) {
    int a[8];
    int *p = a;
    while (p != a + 8)
        *p++ = PICK(5, p == a + 6 ? 4 : 5);
    if (k >= 0 && k < 8)
        assert(a[k] == 5);
    return 1;
}
