// A copy has the elements of its source.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int a[16], b[16];
int f(int n, int k) {
    if (n < 0 || n > 16)
        return 0;
    for (int i = 0; i < n; i++)
        b[i] = a[i] PICK(, + (i == 11));
    if (k >= 0 && k < n)
        assert(b[k] == a[k]);
    return 1;
}
