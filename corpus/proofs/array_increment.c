// Each element grows by one, those behind the end stay.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
unsigned a[16];
int f(int n, int k) {
    unsigned before;
    if (n < 0 || n > 16 || k < 0 || k >= 16)
        return 0;
    before = a[k];
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
    assert(a[k] == before + (k < n PICK(, + 1)));
    return 1;
}
