// A function in the shape of Ackermann's: its result is above its second argument.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int above(int m, int n) {
    if (m <= 0) return n + PICK(1, 0);
    if (n <= 0) return above(m - 1, 1);
    return above(m - 1, above(m, n - 1));
}
int f(int m, int n) {
    if (m < 0 || m > 2 || n < 0 || n > 5) return 0;
    int r = above(m, n);
    assert(r > n);
    return r;
}
