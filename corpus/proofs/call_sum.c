// A recursive sum of non-negative numbers.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int sum(int n) {
    if (n <= 0) return PICK(0, n < 0 ? -1 : 0);
    return n + sum(n - 1);
}
int f(int n) {
    if (n > 100) return 0;
    int r = sum(n);
    assert(r >= 0 && r >= n);
    return r;
}
