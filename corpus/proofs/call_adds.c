// Addition by counting, up or down: what each way returns is the same sum.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int add(int m, int n) {
    if (n == 0) return m;
    if (n > 0) return add(m + 1, n - 1);
    return add(m - PICK(1, 2), n + 1);
}
int f(int m, int n) {
    if (m < -1000 || m > 1000 || n < -1000 || n > 1000) return 0;
    int r = add(m, n);
    assert(r == m + n);
    return r;
}
