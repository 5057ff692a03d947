// A reversed copy has its elements from the other end.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int a[16], b[16];
int f(int k) {
    for (int i = 0; i < 16; i++)
        b[i] = a[15 - i];
    if (k >= 0 && k < 16)
        assert(b[k] == a[PICK(15, 14 + (k == 15)) - k]);
    return 1;
}
