// Fibonacci numbers are not negative, because no call is given a negative number.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int fib(int n) {
    if (n < 2) return n;
    return fib(n - 1) + fib(n - PICK(2, 4));
}
int f(int n) {
    if (n < 0 || n > 12) return 0;
    int r = fib(n);
    assert(r >= 0);
    return r;
}
