// Fibonacci numbers are at least n - 1: three ways of returning, two of which end the recursion.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int fibonacci(int n) {
    if (n < 1) return 0;
    if (n == 1) return PICK(1, 0);
    return fibonacci(n - 1) + fibonacci(n - 2);
}
int f(int n) {
    if (n > 40) return 0;
    int r = fibonacci(n);
    assert(r >= n - 1);
    return r;
}
