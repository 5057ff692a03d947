// McCarthy's function is 91 up to 101: its two ways of returning have different relations.
// With BROKEN defined the assert fails for some input.
#include <assert.h>
#ifdef BROKEN
#define PICK(good, broken) broken
#else
#define PICK(good, broken) good
#endif
static int mc91(int n) {
    if (n > 100) return n - PICK(10, 11);
    return mc91(mc91(n + 11));
}
int f(int n) {
    int r = mc91(n);
    assert(r == 91 || (n > 101 && r == n - 10));
    return r;
}
