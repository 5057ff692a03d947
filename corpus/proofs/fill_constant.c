// Stored values come back.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int f(unsigned k) {
    int a[8] = {0};
    for (int i = 0; i < 8; i++)
        if (k & (1u << i))
            a[i] = PICK(7, 9);
    int v = a[k % 8];
    assert(v == 0 || v == 7);
    return v;
}
