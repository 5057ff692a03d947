// A factorial whose argument is small: nothing overflows, and it is not zero.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
int f(int n) {
    if (n < 0 || n > 12) return 0;
    int r = factorial(n);
    assert(r >= PICK(n, n + (n == 2)));
    return r;
}
