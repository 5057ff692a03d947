// A scan that finds nothing has seen zeros only.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
short a[20];
int f(int n, int k) {
    int clean = 1;
    if (n < 0 || n > 20)
        return 0;
    for (int i = 0; i < n; i++)
        if (a[i] != 0)
            clean = 0;
    if (clean && k >= 0 && k PICK(<, <=) n && k < 20)
        assert(a[k] == 0);
    return clean;
}
