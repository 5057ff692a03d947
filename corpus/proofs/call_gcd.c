// A common divisor of a number that is not zero is not zero: what the calls give matters.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static unsigned gcd(unsigned a, unsigned b) {
    if (b == 0) return a;
    return gcd(b, a % b);
}
int f(unsigned a, unsigned b) {
    if (a == 0 PICK(,&& b == 7)) return 0;
    unsigned g = gcd(a, b);
    assert(g != 0);
    return g == 1;
}
