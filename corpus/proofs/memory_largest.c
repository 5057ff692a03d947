// The maximum of an array behind a pointer.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#include <stdlib.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
int f(const int *a, int n, int k) {
    if (!a || n < 1 || n > 5)
        return 0;
    int m = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] PICK(>, <) m)
            m = a[i];
    if (k >= 0 && k < n)
        assert(a[k] <= m);
    return m;
}
