// The maximum of a scan is at least every element.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int a[12];
int f(int n, int k) {
    int m = a[0];
    if (n < 1 || n > 12)
        return 0;
    for (int i = PICK(1, 2); i < n; i++)
        if (a[i] > m)
            m = a[i];
    if (k >= 0 && k < n)
        assert(a[k] <= m);
    return m;
}
