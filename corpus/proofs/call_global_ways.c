// A counter in a global variable that only one way of returning changes.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int steps;
static int halve(unsigned n) {
    if (n < 2) return 0;
    if (n % 2 == 1) return -1;
    steps = PICK(1, 2);
    return halve(n / 2);
}
int f(unsigned n) {
    steps = 0;
    int r = halve(n);
    assert(r <= 0 && r >= -1 && steps <= 1);
    return r;
}
